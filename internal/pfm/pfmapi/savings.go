package pfmapi

import (
	"context"
	"net/http"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/pfm/contract"
)

type savingsData struct {
	Savings []contract.Savings `json:"savings" nullable:"false"`
}

func registerSavings(r *api.Router, contracts *contract.Subscriptions) {
	api.Register(r, api.Operation{
		ID: "listSavings", Method: http.MethodGet, Path: prefix + "/insights/savings",
		Tag: "Insights", Scope: api.PFM, ForUser: true,
		Faults: []apierror.Code{apierror.TermsNotAccepted},
	}, func(ctx context.Context, _ *struct{}) (*api.Response[savingsData], error) {
		list, err := contracts.Savings(ctx, api.User(ctx))
		return api.OK(savingsData{list}), err
	})
}

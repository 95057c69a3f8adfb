package pfmapi

import (
	"context"
	"net/http"
	"strings"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
)

type priceChangesData struct {
	PriceChanges []contract.PriceChange `json:"priceChanges" nullable:"false"`
}

type priceChangesInput struct {
	SubscriptionID string `query:"subscriptionId" format:"uuid" minLength:"36" maxLength:"36"`
	NoticeDate     string `query:"noticeDate" format:"date"`
	Locale         string `query:"locale" pattern:"^[a-z]{2}-[A-Z]{2}$" patternDescription:"a locale such as de-DE"`
}

func registerPriceChanges(r *api.Router, contracts *contract.Subscriptions) {
	api.Register(r, api.Operation{
		ID: "listPriceChanges", Method: http.MethodGet, Path: prefix + "/insights/price-changes",
		Tag: "Insights", Scope: api.PFM, ForUser: true,
		Faults: []apierror.Code{apierror.TermsNotAccepted},
	}, func(ctx context.Context, in *priceChangesInput) (*api.Response[priceChangesData], error) {
		language, country, _ := strings.Cut(in.Locale, "-")
		list, err := contracts.PriceChanges(ctx, api.User(ctx), contract.PriceQuery{
			SubscriptionID: strings.ToLower(in.SubscriptionID), NoticeDate: pfm.Date(in.NoticeDate),
			Language: language, Country: country,
		})
		return api.OK(priceChangesData{list}), err
	})
}

package pfmapi

import (
	"context"
	"net/http"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
)

type savingsData struct {
	Savings []contract.Savings `json:"savings" nullable:"false" doc:"One element for each currency."`
}

func exampleSavings() contract.Savings {
	c := exampleSubscription()
	return contract.Savings{
		CurrencyCode: "EUR", YearlySaving: c.YearlyCost, SavedSoFar: money.MustParse("38.97"),
		Contracts: []contract.Saving{{
			SubscriptionID: c.SubscriptionID, CancellationID: "0196f1de-6c1b-7c55-9a0e-3d5c7a1f2b44",
			Merchant: c.Merchant, RecurrenceFrequency: contract.Monthly, EndDate: "2026-03-02",
			YearlySaving: c.YearlyCost, SavedSoFar: money.MustParse("38.97"),
			LastDebit: contract.LastDebit{TransactionID: c.TransactionIDs[2], Date: pfm.Date(c.LastDate), Amount: c.Amount},
		}},
	}
}

func registerSavings(r *api.Router, contracts *contract.Subscriptions) {
	api.Register(r, api.Operation{
		ID: "listSavings", Method: http.MethodGet, Path: prefix + "/insights/savings",
		Tag: "Insights", Scope: api.PFM, ForUser: true,
		Summary: "List what cancelled contracts save",
		Description: "Contracts that were cancelled and whose debits have stopped: the cancellation's outcome is Ended. " +
			"One element for each currency; amounts are not converted. Not paginated.",
		Answer: savingsData{Savings: []contract.Savings{exampleSavings()}},
		Faults: []apierror.Code{apierror.TermsNotAccepted},
	}, func(ctx context.Context, _ *struct{}) (*api.Response[savingsData], error) {
		list, err := contracts.Savings(ctx, api.User(ctx))
		return api.OK(savingsData{list}), err
	})
}

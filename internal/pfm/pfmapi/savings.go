package pfmapi

import (
	"context"
	"net/http"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/money"
	"aviso/internal/pfm/contract"
)

type wireSavings struct {
	_ struct{} `doc:"What contracts that have ended save, in one currency."`

	CurrencyCode string       `json:"currencyCode" doc:"Currency of all amounts (ISO 4217)."`
	YearlySaving amount       `json:"yearlySaving" doc:"What all of the contracts cost in a year, positive."`
	SavedSoFar   amount       `json:"savedSoFar" doc:"The payments that have not been due any longer until today, positive."`
	Contracts    []wireSaving `json:"contracts" nullable:"false" doc:"The contracts, the largest yearly saving first."`
}

type wireSaving struct {
	_ struct{} `doc:"A contract that has ended: no debit has come for one and a half periods."`

	SubscriptionID      string        `json:"subscriptionId" format:"uuid" doc:"The contract that was in listRecurringContracts."`
	CancellationID      string        `json:"cancellationId" format:"uuid" doc:"The cancellation that ended it."`
	Merchant            reference     `json:"merchant" doc:"If the merchant is unknown, the ID is empty and the name is the counterparty's."`
	RecurrenceFrequency string        `json:"recurrenceFrequency" enum:"Weekly,BiWeekly,Monthly,Quarterly,SemiAnnually,Annually" doc:"How often a payment was due."`
	EndDate             string        `json:"endDate" format:"date" doc:"Last day of the contract, as far as we know."`
	YearlySaving        amount        `json:"yearlySaving" doc:"What it cost in a year, positive."`
	SavedSoFar          amount        `json:"savedSoFar" doc:"The payments that would have been due since the last debit, at its last price, positive."`
	LastDebit           wireLastDebit `json:"lastDebit" doc:"The last payment that was not paid back."`
}

type wireLastDebit struct {
	_ struct{} `doc:"The last payment for a contract."`

	TransactionID string `json:"transactionId" format:"uuid" doc:"The transaction."`
	Date          string `json:"date" format:"date" doc:"Its day."`
	Amount        amount `json:"amount" doc:"Negative, in major units."`
}

type savingsData struct {
	Savings []wireSavings `json:"savings" nullable:"false" doc:"One element for each currency."`
}

func exampleSavings() wireSavings {
	contract := exampleSubscription()
	return wireSavings{
		CurrencyCode: "EUR", YearlySaving: contract.YearlyCost, SavedSoFar: amount{Amount: money.MustParse("38.97")},
		Contracts: []wireSaving{{
			SubscriptionID: contract.SubscriptionID, CancellationID: "0196f1de-6c1b-7c55-9a0e-3d5c7a1f2b44",
			Merchant: contract.Merchant, RecurrenceFrequency: contract.RecurrenceFrequency, EndDate: "2026-03-02",
			YearlySaving: contract.YearlyCost, SavedSoFar: amount{Amount: money.MustParse("38.97")},
			LastDebit: wireLastDebit{TransactionID: contract.TransactionIDs[2], Date: contract.LastDate, Amount: contract.Amount},
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
		Answer: savingsData{Savings: []wireSavings{exampleSavings()}},
		Faults: []apierror.Code{apierror.TermsNotAccepted},
	}, func(ctx context.Context, _ *struct{}) (*api.Response[savingsData], error) {
		toData := func(list []contract.CurrencySavings) savingsData { return savingsData{api.List(list, toSavings)} }
		return answer(toData)(contracts.Savings(ctx, api.User(ctx)))
	})
}

func toSavings(s contract.CurrencySavings) wireSavings {
	return wireSavings{
		CurrencyCode: s.Currency, YearlySaving: amount{Amount: s.PerYear}, SavedSoFar: amount{Amount: s.UntilNow},
		Contracts: api.List(s.Contracts, func(one contract.Saving) wireSaving {
			c := one.Contract
			return wireSaving{
				SubscriptionID: c.SubscriptionID, CancellationID: one.CancellationID, Merchant: toReference(c.Merchant),
				RecurrenceFrequency: string(c.Frequency), EndDate: string(one.EndedOn),
				YearlySaving: amount{Amount: c.YearlyCost}, SavedSoFar: amount{Amount: one.UntilNow},
				LastDebit: wireLastDebit{
					TransactionID: one.LastDebit.TransactionID, Date: string(one.LastDebit.Date),
					Amount: amount{Amount: one.LastDebit.Amount},
				},
			}
		}),
	}
}

package pfmapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/api"
	"aviso/internal/apierror"
	"aviso/internal/money"
	"aviso/internal/pfm"
)

type wireRecurringContract struct {
	_ struct{} `doc:"A contract found in a user's payments: payments to the same recipient at regular intervals."`

	SubscriptionID      string           `json:"subscriptionId" format:"uuid" doc:"ID of the contract. It stays when payments follow, the price changes or the bank is connected anew."`
	Merchant            reference        `json:"merchant" doc:"If the merchant is unknown, the ID is empty and the name is the counterparty's."`
	Category            wireCategory     `json:"category" doc:"Category of the last payment."`
	Amount              amount           `json:"amount" doc:"Current price of one payment, negative."`
	CurrencyCode        string           `json:"currencyCode" doc:"Currency of both amounts (ISO 4217)."`
	RecurrenceFrequency string           `json:"recurrenceFrequency" enum:"Weekly,BiWeekly,Monthly,Quarterly,SemiAnnually,Annually" doc:"How often a payment is due."`
	FirstDate           string           `json:"firstDate" format:"date" doc:"Day of the first known payment."`
	LastDate            string           `json:"lastDate" format:"date" doc:"Day of the last payment."`
	NextExpectedDate    string           `json:"nextExpectedDate" format:"date" doc:"When the next payment is due; in the past if it is overdue."`
	YearlyCost          amount           `json:"yearlyCost" doc:"Cost of a year at the current price, positive."`
	TransactionIDs      []string         `json:"transactionIds" format:"uuid" nullable:"false" doc:"The latest payments, oldest first. A long series is not listed in full."`
	Cancellable         *wireCancellable `json:"cancellable" doc:"Organization and product for cancelling the contract; null if it cannot be cancelled."`
}

// wireCancellable identifies the catalogue entry for cancelling the contract.
type wireCancellable struct {
	OrganizationID string `json:"organizationId"`
	ProductID      string `json:"productId"`
}

// Schema says that the object may be null, because struct tags cannot.
func (wireCancellable) Schema(schemas huma.Registry) *huma.Schema {
	id := func(doc string) *huma.Schema {
		return &huma.Schema{Type: huma.TypeString, Format: "uuid", Description: doc}
	}
	object := api.Named(schemas, "CancellableContract", &huma.Schema{
		Type: huma.TypeObject, Description: "The catalogue's entry for a contract.",
		Required: []string{"organizationId", "productId"},
		Properties: map[string]*huma.Schema{
			"organizationId": id("The organization to cancel with."), "productId": id("The product to cancel."),
		},
	})
	return &huma.Schema{OneOf: []*huma.Schema{object, {Type: "null"}}}
}

type recurringContractsData struct {
	Subscriptions []wireRecurringContract `json:"subscriptions" nullable:"false" doc:"The contracts, the largest yearly cost first."`
}

func exampleSubscription() wireRecurringContract {
	return wireRecurringContract{
		SubscriptionID: "0b9c1a7e-5a53-5d0f-9c61-6f7f5f0d2a41",
		Merchant:       reference{ID: "5f2c7f0e-11c7-5a10-8a0b-60b0a4f0d501", Name: "Flimmerkiste"},
		Category: wireCategory{
			CategoryID: 570, CategoryName: "MEDIA", SubcategoryID: 571, SubcategoryName: "MEDIA__Streaming",
		},
		Amount: amount{Amount: money.MustParse("-12.99")}, CurrencyCode: "EUR", RecurrenceFrequency: "Monthly",
		FirstDate: "2025-12-03", LastDate: "2026-02-03", NextExpectedDate: "2026-03-03",
		YearlyCost: amount{Amount: money.MustParse("155.88")},
		TransactionIDs: []string{
			"f3a7c0de-3a0c-4a5b-9a57-3d2b1e0f9a01", "f3a7c0de-3a0c-4a5b-9a57-3d2b1e0f9a02",
			"f3a7c0de-3a0c-4a5b-9a57-3d2b1e0f9a03",
		},
	}
}

func registerSubscriptions(r *api.Router, subscriptions *pfm.Subscriptions) {
	api.Register(r, api.Operation{
		ID: "listRecurringContracts", Method: http.MethodGet, Path: prefix + "/insights/subscriptions",
		Tag: "Insights", Scope: api.PFM, ForUser: true,
		Summary: "List a user's recurring contracts",
		Description: "Contracts found in the user's payments, such as phone, streaming, insurance and gym. " +
			"Rent, loans, taxes and transfers between own accounts are left out, and so are contracts " +
			"that have ended. The largest yearly cost comes first; amounts are not converted. Not paginated.",
		Answer: recurringContractsData{Subscriptions: []wireRecurringContract{exampleSubscription()}},
		Faults: []apierror.Code{apierror.TermsNotAccepted},
	}, func(ctx context.Context, _ *struct{}) (*api.Response[recurringContractsData], error) {
		list, err := subscriptions.List(ctx, api.User(ctx))
		if err != nil {
			return nil, err
		}
		return api.OK(recurringContractsData{Subscriptions: api.List(list, toSubscription)}), nil
	})
}

func toSubscription(s pfm.Subscription) wireRecurringContract {
	var cancellable *wireCancellable
	if s.Cancellable != nil {
		c := wireCancellable(*s.Cancellable)
		cancellable = &c
	}
	return wireRecurringContract{
		SubscriptionID: s.ID, Merchant: toReference(s.Merchant),
		Category: wireCategory{
			CategoryID: s.Category.ID, CategoryName: s.Category.Name,
			SubcategoryID: s.Category.SubcategoryID, SubcategoryName: s.Category.SubcategoryName,
		},
		Amount: amount{Amount: s.Amount}, CurrencyCode: s.Currency, RecurrenceFrequency: string(s.Frequency),
		FirstDate: string(s.First), LastDate: string(s.Last), NextExpectedDate: string(s.NextExpected),
		YearlyCost: amount{Amount: s.YearlyCost}, TransactionIDs: s.TransactionIDs, Cancellable: cancellable,
	}
}

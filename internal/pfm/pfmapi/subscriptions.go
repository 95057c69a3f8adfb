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

type wireSubscription struct {
	Merchant            reference        `json:"merchant" doc:"The id is empty where the merchant is not known; the name is then the counterparty's."`
	Category            wireCategory     `json:"category" doc:"That of the last payment."`
	Amount              amount           `json:"amount" doc:"What is paid each time: the current price, negative."`
	CurrencyCode        string           `json:"currencyCode" doc:"ISO 4217."`
	RecurrenceFrequency string           `json:"recurrenceFrequency" enum:"Weekly,BiWeekly,Monthly,Quarterly,SemiAnnually,Annually"`
	FirstDate           string           `json:"firstDate" format:"date" doc:"Day of the first payment that is known."`
	LastDate            string           `json:"lastDate" format:"date" doc:"Day of the last payment."`
	NextExpectedDate    string           `json:"nextExpectedDate" format:"date" doc:"When the next payment is due; in the past while it is overdue."`
	YearlyCost          amount           `json:"yearlyCost" doc:"Positive; what a year costs at the current price."`
	TransactionIDs      []string         `json:"transactionIds" nullable:"false" doc:"The latest payments, oldest first; long series are not told in full."`
	Cancellable         *wireCancellable `json:"cancellable" doc:"What the contract can be cancelled with; null where it cannot be."`
}

// wireCancellable leads to what the contract can be cancelled with.
type wireCancellable struct {
	OrganizationID string `json:"organizationId"`
	ProductID      string `json:"productId"`
}

// Schema says that the object may be null, which tags cannot say of an object.
func (wireCancellable) Schema(huma.Registry) *huma.Schema {
	id := func(doc string) *huma.Schema {
		return &huma.Schema{Type: huma.TypeString, Format: "uuid", Description: doc}
	}
	return &huma.Schema{
		Type: huma.TypeObject, Nullable: true, AdditionalProperties: false, Required: []string{"organizationId", "productId"},
		Properties: map[string]*huma.Schema{"organizationId": id("Whom to cancel with."), "productId": id("What to cancel.")},
	}
}

type subscriptionsData struct {
	Subscriptions []wireSubscription `json:"subscriptions" nullable:"false"`
}

func exampleSubscription() wireSubscription {
	return wireSubscription{
		Merchant: reference{ID: "5f2c7f0e-11c7-5a10-8a0b-60b0a4f0d501", Name: "Flimmerkiste"},
		Category: wireCategory{CategoryID: 570, CategoryName: "MEDIA", SubcategoryID: 571, SubcategoryName: "MEDIA__Streaming"},
		Amount:   amount{Amount: money.MustParse("-12.99")}, CurrencyCode: "EUR", RecurrenceFrequency: "Monthly",
		FirstDate: "2025-12-03", LastDate: "2026-02-03", NextExpectedDate: "2026-03-03", YearlyCost: amount{Amount: money.MustParse("155.88")},
		TransactionIDs: []string{"f3a7c0de-3a0c-4a5b-9a57-3d2b1e0f9a01", "f3a7c0de-3a0c-4a5b-9a57-3d2b1e0f9a02", "f3a7c0de-3a0c-4a5b-9a57-3d2b1e0f9a03"},
	}
}

func registerSubscriptions(r *api.Router, subscriptions *pfm.Subscriptions) {
	api.Register(r, api.Operation{
		ID: "getSubscriptions", Method: http.MethodGet, Path: prefix + "/insights/subscriptions", Tag: "Insights", Scope: api.PFM, ForUser: true,
		Summary:     "Find a user's subscriptions",
		Description: "Contracts that the user's payments show: phone, streaming, insurance, gym and the like; not rent, loans, taxes and transfers between own accounts. Those that have ended are left out. The largest yearly cost comes first; nothing is converted. Unpaged.",
		Answer:      subscriptionsData{Subscriptions: []wireSubscription{exampleSubscription()}}, Faults: []apierror.Code{apierror.TermsNotAccepted},
	}, func(ctx context.Context, _ *struct{}) (*api.Response[subscriptionsData], error) {
		list, err := subscriptions.List(ctx, api.User(ctx))
		if err != nil {
			return nil, err
		}
		return api.OK(subscriptionsData{Subscriptions: api.List(list, toSubscription)}), nil
	})
}

func toSubscription(s pfm.Subscription) wireSubscription {
	var cancellable *wireCancellable
	if s.Cancellable != nil {
		c := wireCancellable(*s.Cancellable)
		cancellable = &c
	}
	return wireSubscription{
		Merchant: reference(s.Merchant),
		Category: wireCategory{
			CategoryID: s.Category.ID, CategoryName: s.Category.Name, SubcategoryID: s.Category.SubcategoryID, SubcategoryName: s.Category.SubcategoryName,
		},
		Amount: amount{Amount: s.Amount}, CurrencyCode: s.Currency, RecurrenceFrequency: string(s.Frequency),
		FirstDate: string(s.First), LastDate: string(s.Last), NextExpectedDate: string(s.NextExpected),
		YearlyCost: amount{Amount: s.YearlyCost}, TransactionIDs: s.TransactionIDs, Cancellable: cancellable,
	}
}

package pfmapi

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
)

type wireRecurringContract struct {
	_ struct{} `doc:"A contract found in a user's payments: payments to the same recipient at regular intervals."`

	SubscriptionID      string                   `json:"subscriptionId" format:"uuid" doc:"ID of the contract. It stays when payments follow, the price changes or the bank is connected again."`
	Merchant            pfm.Reference            `json:"merchant" doc:"The merchant or, if it is unknown, the counterparty."`
	Category            wireCategory             `json:"category" doc:"Category of the last payment."`
	Amount              money.Amount             `json:"amount" doc:"Current price of one payment, negative."`
	CurrencyCode        string                   `json:"currencyCode" doc:"Currency of both amounts (ISO 4217)."`
	RecurrenceFrequency string                   `json:"recurrenceFrequency" enum:"Weekly,BiWeekly,Monthly,Quarterly,SemiAnnually,Annually" doc:"How often a payment is due."`
	FirstDate           string                   `json:"firstDate" format:"date" doc:"Day of the first known payment."`
	LastDate            string                   `json:"lastDate" format:"date" doc:"Day of the last payment."`
	NextExpectedDate    string                   `json:"nextExpectedDate" format:"date" doc:"When the next payment is due; in the past if it is overdue."`
	YearlyCost          money.Amount             `json:"yearlyCost" doc:"Cost of a year at the current price, positive."`
	TransactionIDs      []string                 `json:"transactionIds" format:"uuid" nullable:"false" doc:"The latest payments, oldest first. A long series is not listed in full."`
	Cancellable         *wireCancellableContract `json:"cancellable" doc:"Organization and product for cancelling the contract, those that the user has named if so; null if it cannot be cancelled."`

	ContractStart wireContractStart     `json:"contractStart"`
	Deadline      *pfm.ContractDeadline `json:"deadline,omitempty" doc:"Cancellation deadline. Absent if the product or its terms are unknown, or if a fact is missing without which nothing can be computed."`
}

type wireContractStart struct {
	_ struct{} `doc:"When the contract began."`

	Date   string `json:"date" format:"date" doc:"First day of the contract."`
	Source string `json:"source" enum:"FirstPayment,User" doc:"FirstPayment: a guess, the day of the first known payment. User: what the user said."`
}

type recurringContractData struct {
	Subscription wireRecurringContract `json:"subscription"`
}

type updateRecurringContractInput struct {
	SubscriptionID string `path:"subscriptionId" format:"uuid" doc:"The contract."`
	Body           struct {
		_ struct{} `doc:"What the user says about a contract. Members that you leave out stay as they are."`

		ContractStart  wireSaidDate `json:"contractStart,omitzero" doc:"First day of the contract, from 1900-01-01 to today. Null removes it."`
		ProductID      wireSaidID   `json:"productId,omitzero" doc:"The product in the catalogue that the contract is for. Null removes it."`
		OrganizationID string       `json:"organizationId,omitempty" format:"uuid" doc:"The product's organization. Default: that of cancellable."`
	}
}

// said is a member whose null takes back what the user has said.
type said struct{ text *string }

// UnmarshalJSON implements json.Unmarshaler. It is only called if the member was sent.
func (s *said) UnmarshalJSON(raw []byte) error {
	var text *string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	if text == nil {
		text = new(string)
	}
	s.text = text
	return nil
}

type (
	wireSaidDate struct{ said }
	wireSaidID   struct{ said }
)

func (wireSaidDate) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date"}
}

func (wireSaidID) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "uuid"}
}

// wireCancellableContract identifies the catalogue entry for cancelling the contract.
type wireCancellableContract struct {
	_ struct{} `doc:"The catalogue's entry for a contract."`

	OrganizationID string `json:"organizationId" format:"uuid" doc:"The organization to cancel with."`
	ProductID      string `json:"productId" format:"uuid" doc:"The product to cancel."`
}

type recurringContractsData struct {
	Subscriptions []wireRecurringContract `json:"subscriptions" nullable:"false" doc:"The contracts, the largest yearly cost first."`
}

func exampleSubscription() wireRecurringContract {
	return wireRecurringContract{
		SubscriptionID: "0b9c1a7e-5a53-5d0f-9c61-6f7f5f0d2a41",
		Merchant:       pfm.Reference{ID: "5f2c7f0e-11c7-5a10-8a0b-60b0a4f0d501", Name: "Flimmerkiste"},
		Category: wireCategory{
			CategoryID: 570, CategoryName: "MEDIA", SubcategoryID: 571, SubcategoryName: "MEDIA__Streaming",
		},
		Amount: money.MustParse("-12.99"), CurrencyCode: "EUR", RecurrenceFrequency: "Monthly",
		FirstDate: "2025-12-03", LastDate: "2026-02-03", NextExpectedDate: "2026-03-03",
		YearlyCost: money.MustParse("155.88"),
		TransactionIDs: []string{
			"f3a7c0de-3a0c-4a5b-9a57-3d2b1e0f9a01", "f3a7c0de-3a0c-4a5b-9a57-3d2b1e0f9a02",
			"f3a7c0de-3a0c-4a5b-9a57-3d2b1e0f9a03",
		},
		ContractStart: wireContractStart{Date: "2025-12-03", Source: contract.StartFirstPayment},
	}
}

func registerSubscriptions(r *api.Router, subscriptions *contract.Subscriptions) {
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
		return api.OK(recurringContractsData{api.List(list, toSubscription)}), err
	})

	api.Register(r, api.Operation{
		ID: "updateRecurringContract", Method: http.MethodPatch, Path: prefix + "/insights/subscriptions/{subscriptionId}",
		Tag: "Insights", Scope: api.PFM, ForUser: true,
		Summary: "Say when a contract began, or what it is for",
		Description: "What the user says replaces what was found in the payments, and stays when the bank is read " +
			"again. The deadline is computed from it. You can also change contracts that have ended.",
		Request: map[string]any{"contractStart": "2024-11-15"}, Answer: exampleUpdatedSubscription(),
		Faults: []apierror.Code{apierror.TermsNotAccepted, apierror.NotFound},
	}, func(ctx context.Context, in *updateRecurringContractInput) (*api.Response[recurringContractData], error) {
		change := contract.Change{
			ProductID: in.Body.ProductID.text, OrganizationID: strings.ToLower(in.Body.OrganizationID),
		}
		if id := change.ProductID; id != nil {
			*id = strings.ToLower(*id)
		}
		if start := in.Body.ContractStart.text; start != nil {
			change.Start = (*pfm.Date)(start)
		}
		c, err := subscriptions.Update(ctx, api.User(ctx), strings.ToLower(in.SubscriptionID), change)
		return api.OK(recurringContractData{toSubscription(c)}), err
	})
}

func exampleUpdatedSubscription() recurringContractData {
	c := exampleSubscription()
	c.ContractStart = wireContractStart{Date: "2024-11-15", Source: contract.StartUser}
	c.Cancellable = &wireCancellableContract{
		OrganizationID: "9d3f1c6e-6a0e-5f7b-8a1c-4b1c8f0e2a11", ProductID: "1c0c6a52-0c5e-5d0e-9f0a-2f7b5d1e3c22",
	}
	c.Deadline = &pfm.ContractDeadline{
		EarliestEnd: "2026-11-14", EarliestFreeEnd: "2026-11-14", NextChance: "2027-11-14", Missing: []string{},
		SendBy: []pfm.ContractSendBy{{Channel: "Email", Date: "2026-10-13"}},
	}
	return recurringContractData{Subscription: c}
}

func toSubscription(s contract.Subscription) wireRecurringContract {
	return wireRecurringContract{
		SubscriptionID: s.ID, Merchant: s.Merchant.Reference(),
		Category: toCategory(s.Category), Amount: s.Amount, CurrencyCode: s.Currency,
		RecurrenceFrequency: string(s.Frequency),
		FirstDate:           string(s.First), LastDate: string(s.Last), NextExpectedDate: string(s.NextExpected),
		YearlyCost: s.YearlyCost, TransactionIDs: s.TransactionIDs, Cancellable: cancellable(s.Cancellable),
		ContractStart: wireContractStart{Date: string(s.Start), Source: s.StartSource},
		Deadline:      s.Deadline,
	}
}

func cancellable(c *contract.Cancellable) *wireCancellableContract {
	if c == nil {
		return nil
	}
	return &wireCancellableContract{OrganizationID: c.OrganizationID, ProductID: c.ProductID}
}

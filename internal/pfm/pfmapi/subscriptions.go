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
	SubscriptionID      string                   `json:"subscriptionId" format:"uuid"`
	Merchant            pfm.Reference            `json:"merchant"`
	Category            wireCategory             `json:"category"`
	Amount              money.Amount             `json:"amount"`
	CurrencyCode        string                   `json:"currencyCode"`
	RecurrenceFrequency string                   `json:"recurrenceFrequency" enum:"Weekly,BiWeekly,Monthly,Quarterly,SemiAnnually,Annually"`
	FirstDate           string                   `json:"firstDate" format:"date"`
	LastDate            string                   `json:"lastDate" format:"date"`
	NextExpectedDate    string                   `json:"nextExpectedDate" format:"date"`
	YearlyCost          money.Amount             `json:"yearlyCost"`
	TransactionIDs      []string                 `json:"transactionIds" format:"uuid" nullable:"false"`
	Cancellable         *wireCancellableContract `json:"cancellable"`

	ContractStart wireContractStart     `json:"contractStart"`
	Deadline      *pfm.ContractDeadline `json:"deadline,omitempty"`
}

type wireContractStart struct {
	Date   string `json:"date" format:"date"`
	Source string `json:"source" enum:"FirstPayment,User"`
}

type recurringContractData struct {
	Subscription wireRecurringContract `json:"subscription"`
}

type updateRecurringContractInput struct {
	SubscriptionID string `path:"subscriptionId" format:"uuid"`
	Body           struct {
		ContractStart  wireSaidDate `json:"contractStart,omitzero"`
		ProductID      wireSaidID   `json:"productId,omitzero"`
		OrganizationID string       `json:"organizationId,omitempty" format:"uuid"`
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
	OrganizationID string `json:"organizationId" format:"uuid"`
	ProductID      string `json:"productId" format:"uuid"`
}

type recurringContractsData struct {
	Subscriptions []wireRecurringContract `json:"subscriptions" nullable:"false"`
}

func registerSubscriptions(r *api.Router, subscriptions *contract.Subscriptions) {
	api.Register(r, api.Operation{
		ID: "listRecurringContracts", Method: http.MethodGet, Path: prefix + "/insights/subscriptions",
		Tag: "Insights", Scope: api.PFM, ForUser: true,
		Faults: []apierror.Code{apierror.TermsNotAccepted},
	}, func(ctx context.Context, _ *struct{}) (*api.Response[recurringContractsData], error) {
		list, err := subscriptions.List(ctx, api.User(ctx))
		return api.OK(recurringContractsData{api.List(list, toSubscription)}), err
	})

	api.Register(r, api.Operation{
		ID: "updateRecurringContract", Method: http.MethodPatch, Path: prefix + "/insights/subscriptions/{subscriptionId}",
		Tag: "Insights", Scope: api.PFM, ForUser: true,
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

func toSubscription(s contract.Subscription) wireRecurringContract {
	return wireRecurringContract{
		SubscriptionID: s.ID, Merchant: s.Merchant.Reference(),
		Category: toCategory(s.Category), Amount: s.Amount, CurrencyCode: s.Currency,
		RecurrenceFrequency: string(s.Frequency),
		FirstDate:           string(s.First), LastDate: string(s.Last), NextExpectedDate: string(s.NextExpected),
		YearlyCost: s.YearlyCost, TransactionIDs: s.TransactionIDs, Cancellable: (*wireCancellableContract)(s.Cancellable),
		ContractStart: wireContractStart{Date: string(s.Start), Source: s.StartSource},
		Deadline:      s.Deadline.Shown(),
	}
}

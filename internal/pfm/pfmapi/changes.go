package pfmapi

import (
	"context"
	"net/http"
	"time"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/pfm/transaction"
)

// sinceLifetime is how long a since token is valid.
const sinceLifetime = 30 * 24 * time.Hour

type wireTransactionChange struct {
	_ struct{} `doc:"What happened to one transaction since the previous call."`

	Change        string           `json:"change" enum:"Added,Modified,Removed" doc:"Added and Modified: save the transaction as it is now. Removed: delete your copy."`
	TransactionID string           `json:"transactionId" format:"uuid" doc:"The transaction that changed."`
	Transaction   *WireTransaction `json:"transaction,omitempty" doc:"Current state; absent if change is Removed."`
}

type changesData struct {
	_ struct{} `doc:"The next changes, and where to continue."`

	Changes []wireTransactionChange `json:"changes" nullable:"false" doc:"Changes in the order in which they happened. Empty if there is nothing new."`
	Since   string                  `json:"since" doc:"Pass it as since in the next call. Valid for 30 days."`
}

type changesInput struct {
	Since string `query:"since" maxLength:"2048" doc:"The since of the previous response. Omit it to start from the beginning."`
	Limit int    `query:"limit" minimum:"1" maximum:"2147483647" default:"50" doc:"Maximum number of changes in the response; more than 200 count as 200." example:"50"`
}

func registerChanges(r *api.Router, reading *transaction.Reading) {
	example := exampleTransaction()
	api.Register(r, api.Operation{
		ID: "listTransactionChanges", Method: http.MethodGet, Path: transaction.ChangesPath,
		Tag: "Transactions", Scope: api.PFM, ForUser: true,
		Summary: "Follow changes to a user's transactions",
		Description: "Changes since the previous call, in the order in which they happened. " +
			"If a transaction changed several times, only the last change is listed. " +
			"Call again with the new since until changes is empty.",
		Answer: changesData{Since: "kq3Vt0bS7mC1yQ", Changes: []wireTransactionChange{
			{Change: "Added", TransactionID: example.ID, Transaction: &example},
			{Change: "Removed", TransactionID: "c6a1d6c9-6f0e-4e63-8b1f-5d1a9e0c7b02"},
		}},
		Faults: []apierror.Code{apierror.TermsNotAccepted, apierror.InvalidNextToken},
	}, func(ctx context.Context, in *changesInput) (*api.Response[changesData], error) {
		opened, err := r.OpenToken(ctx, "since", in.Since, sinceLifetime)
		if err != nil {
			return nil, err
		}
		since, err := transaction.ParseChangePosition(opened)
		if err != nil {
			return nil, err
		}
		page, err := reading.Changes(ctx, api.User(ctx), since, in.Limit)
		if err != nil {
			return nil, err
		}
		return api.OK(changesData{
			Changes: api.List(page.Changes, toChange), Since: r.SealPage(ctx, page.Since.String()),
		}), nil
	})
}

func toChange(c transaction.Change) wireTransactionChange {
	w := wireTransactionChange{Change: string(c.Kind), TransactionID: c.TransactionID}
	if c.Kind != transaction.Removed {
		t := toTransaction(c.Transaction)
		w.Transaction = &t
	}
	return w
}

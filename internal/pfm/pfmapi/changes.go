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
	Change        string           `json:"change" enum:"Added,Modified,Removed"`
	TransactionID string           `json:"transactionId" format:"uuid"`
	Transaction   *WireTransaction `json:"transaction,omitempty"`
}

type changesData struct {
	Changes []wireTransactionChange `json:"changes" nullable:"false"`
	Since   string                  `json:"since"`
}

type changesInput struct {
	Since string `query:"since" maxLength:"2048"`
	Limit int    `query:"limit" minimum:"1" maximum:"2147483647" default:"50"`
}

func registerChanges(r *api.Router, reading *transaction.Reading) {
	api.Register(r, api.Operation{
		ID: "listTransactionChanges", Method: http.MethodGet, Path: transaction.ChangesPath,
		Tag: "Transactions", Scope: api.PFM, ForUser: true,
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

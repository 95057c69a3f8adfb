package bank

import (
	"context"
	"time"
)

// Call identifies what the limit of unattended access counts: calls of one endpoint for
// one account on one day.
type Call struct {
	Bank, ConsentID, Account, Endpoint, Day string
	KeepUntil                               time.Time
}

// Record is a Consent, an Authorisation, a Customer, an Approval, OwnRows, a TokenGrant or
// an AppRequest.
type Record interface{ KeepUntil() time.Time }

// Store stores the sandbox banks' records. Reads see every earlier write and return
// outcome.ErrNotFound if there is no such record.
type Store interface {
	Consent(ctx context.Context, bank, id string) (Consent, error)
	Authorisation(ctx context.Context, bank, id string) (Authorisation, error)
	TokenGrant(ctx context.Context, bank, id string) (TokenGrant, error)
	// AppRequest returns what the customer confirms in the bank's app with this code.
	AppRequest(ctx context.Context, bank, code string) (AppRequest, error)
	Customer(ctx context.Context, bank, id string) (Customer, error)
	Approval(ctx context.Context, id string) (Approval, error)
	// Approvals returns the newest approvals whose IDs sort before this one, newest
	// first. An empty ID starts with the newest.
	Approvals(ctx context.Context, before string, limit int) ([]Approval, error)
	// OwnRows returns the rows of an account under the ID that a ledger has for them.
	OwnRows(ctx context.Context, bank, ledger, account string) (OwnRows, error)
	// Save writes all records or none and raises the version of each. It returns
	// outcome.ErrChanged if any of them was written since it was read.
	Save(ctx context.Context, records ...Record) error
	// Count counts a call and returns the number of calls including it.
	Count(ctx context.Context, call Call) (int, error)
}

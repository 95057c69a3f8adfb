package bank

import (
	"context"
	"time"
)

// Call is what the limit of unattended access counts: calls of one endpoint for
// one account on one day.
type Call struct {
	Bank, ConsentID, Account, Endpoint, Day string
	KeepUntil                               time.Time
}

// Record is a Consent, an Authorisation, a Customer or an Approval.
type Record interface{ KeepUntil() time.Time }

// Store keeps what cannot be computed. Reads see every write before them, and
// answer outcome.ErrNotFound for what is not there.
type Store interface {
	Consent(ctx context.Context, bank, id string) (Consent, error)
	Authorisation(ctx context.Context, bank, id string) (Authorisation, error)
	Customer(ctx context.Context, bank, id string) (Customer, error)
	Approval(ctx context.Context, id string) (Approval, error)
	// Approvals lists the newest whose ids come before this one, newest first;
	// an empty id stands for the end.
	Approvals(ctx context.Context, before string, limit int) ([]Approval, error)
	// Save writes all records or none, each one version up, and answers
	// outcome.ErrChanged when any of them was written since it was read.
	Save(ctx context.Context, records ...Record) error
	// Count adds one to the calls and returns how many they are with it.
	Count(ctx context.Context, call Call) (int, error)
}

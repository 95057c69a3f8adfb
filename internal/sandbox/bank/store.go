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

// Store keeps what cannot be computed. Reads see every write before them.
type Store interface {
	ConsentStore
	ApprovalStore
	// Count adds one to the calls and returns how many they are with it.
	Count(ctx context.Context, call Call) (int, error)
}

// ConsentStore keeps consents and all that belongs to them. Its reads answer
// outcome.ErrNotFound for what is not there.
type ConsentStore interface {
	Consent(ctx context.Context, bank, id string) (Consent, error)
	Authorisation(ctx context.Context, bank, id string) (Authorisation, error)
	Customer(ctx context.Context, bank, id string) (Customer, error)
	// Save writes all records or none, each one version up, and answers
	// outcome.ErrChanged when any of them was written since it was read.
	Save(ctx context.Context, records ...Record) error
}

// ApprovalStore finds what was saved for the control page.
type ApprovalStore interface {
	// Approval answers outcome.ErrNotFound for what is not there.
	Approval(ctx context.Context, id string) (Approval, error)
	// Approvals lists the newest whose ids come before this one, newest first;
	// an empty id stands for the end.
	Approvals(ctx context.Context, before string, limit int) ([]Approval, error)
}

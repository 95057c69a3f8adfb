package transaction

import (
	"context"
	"fmt"

	"aviso/internal/owner"
)

// ChangeKind is what happened to a transaction.
type ChangeKind string

// The kinds of change.
const (
	Added    ChangeKind = "Added"
	Modified ChangeKind = "Modified"
	Removed  ChangeKind = "Removed"
)

// Change is a transaction that has changed. A user's changes are numbered in commit
// order. If a transaction changes several times, only its last change is reported.
type Change struct {
	Kind          ChangeKind
	TransactionID string
	// Transaction is the current state; not set if the transaction was removed.
	Transaction Transaction
}

// ChangesPath is the path of the operation that takes a position as a token. Events have such tokens,
// and the functions that send events do not link the operation.
const ChangesPath = "/openbanking/v1/transactions/changes"

// ChangePosition is a reader's position; the zero value is the start.
type ChangePosition struct {
	// Read is the number of the last change that was read.
	Read int64
	// CaughtUp is the number up to which the reader knows every transaction. A row
	// added after it is new to the reader, even if the row has changed again, and so
	// has a later number, by the time the reader gets to it.
	CaughtUp int64
}

// ChangePage is a page of changes, and the position after them.
type ChangePage struct {
	Changes []Change
	Since   ChangePosition
}

// Changes returns the changes to the user's transactions after a position.
func (s *Reading) Changes(ctx context.Context, user owner.User, since ChangePosition, limit int) (ChangePage, error) {
	return owner.Read(ctx, s.gate, user, func(ctx context.Context) (ChangePage, error) {
		return s.store.Changes(ctx, user, since, limit)
	})
}

// String returns the text of a position, which ParseChangePosition reads.
func (p ChangePosition) String() string { return fmt.Sprintf("%d %d", p.Read, p.CaughtUp) }

// ParseChangePosition reads the text of a position. An empty text is the start.
func ParseChangePosition(s string) (p ChangePosition, err error) {
	if s == "" {
		return p, nil
	}
	if _, err = fmt.Sscanf(s, "%d %d", &p.Read, &p.CaughtUp); err != nil {
		return p, fmt.Errorf("change position: %w", err)
	}
	return p, nil
}

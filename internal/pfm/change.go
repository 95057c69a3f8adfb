package pfm

import (
	"context"

	"aviso/internal/authz"
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

// Change is a transaction that has changed. All changes of a user are numbered
// in the order in which they were committed; of several changes of one
// transaction the last alone is told.
type Change struct {
	Kind          ChangeKind
	TransactionID string
	// Transaction is as it is now; not set for one that was removed.
	Transaction Transaction
}

// ChangePosition is how far a reader has come; the zero value is the beginning.
type ChangePosition struct {
	// Read is the number of the last change that was read.
	Read int64
	// CaughtUp is the number up to which the reader knows every transaction: a
	// row that was added since is new, also where it has moved on from its first
	// number before the reader came to it.
	CaughtUp int64
}

// ChangePage is some changes, and the position after them.
type ChangePage struct {
	Changes []Change
	Since   ChangePosition
}

// Changes are those of the user's transactions after a position.
func (s *Reading) Changes(ctx context.Context, user owner.User, since ChangePosition, limit int) (ChangePage, error) {
	return authz.Read(ctx, s.gate, user, func(ctx context.Context) (ChangePage, error) {
		return s.store.Changes(ctx, user, since, limit)
	})
}

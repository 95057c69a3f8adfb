package pfm

import (
	"context"

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

// ChangePage is some changes, and the number after which the next ones come.
type ChangePage struct {
	Changes []Change
	Since   int64
}

// Changes are those of the user's transactions after a number; 0 is the
// beginning.
func (s *Reading) Changes(ctx context.Context, user owner.User, since int64, limit int) (ChangePage, error) {
	return admitted(ctx, s.gate, user, func(ctx context.Context) (ChangePage, error) {
		return s.store.Changes(ctx, user, since, limit)
	})
}

package dynamo

import (
	"context"

	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// UserKey returns the key of the user's row.
func UserKey(user owner.User) Key { return Key{PK: user.Key(), SK: "USER"} }

// Guard commits transactions only for users who exist: each one checks the user's row in the identity table. Erasing
// a user starts with deleting that row. After that, no such transaction commits, however late it arrives. The zero
// Guard checks nothing; it is for functions that start nothing for a user.
type Guard struct{ table *Table }

// GuardIn returns a Guard that looks for users in the identity table.
func GuardIn(identity Table) Guard { return Guard{&identity} }

// Exists returns outcome.ErrNotFound if the user does not exist.
func (g Guard) Exists(ctx context.Context, user owner.User) error {
	if g.table == nil {
		return nil
	}
	_, err := g.table.Row(ctx, UserKey(user), Attributes("pk"))
	return err
}

// Commit commits x if the user exists, and returns outcome.ErrNotFound otherwise. x must not have another action on
// the user's row.
func (g Guard) Commit(ctx context.Context, x *Transaction, user owner.User) error {
	exists := g.Check(x, user)
	err := x.Commit(ctx)
	if Refused(err, exists) {
		return outcome.ErrNotFound
	}
	return err
}

// Check makes x depend on the user's existence and returns the index of the action. The zero Guard adds none.
func (g Guard) Check(x *Transaction, user owner.User) int {
	if g.table == nil {
		return -1
	}
	return x.Check(*g.table, UserKey(user), IfExists)
}

// Package userrow makes the areas' transactions depend on the user's row in the
// identity table. The call that erases a user deletes that row, so from its answer on
// no such transaction commits, whoever began it and however late it arrives.
package userrow

import (
	"context"

	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
)

// Key returns the key of the user's row.
func Key(user owner.User) dynamo.Key { return dynamo.Key{PK: user.Key(), SK: "USER"} }

// Guard commits transactions for users who exist. The zero Guard checks nothing: it is
// for functions that start nothing for a user.
type Guard struct{ table *dynamo.Table }

// In returns a Guard that looks for users in the identity table.
func In(identity dynamo.Table) Guard { return Guard{&identity} }

// Exists returns outcome.ErrNotFound if the user does not exist.
func (g Guard) Exists(ctx context.Context, user owner.User) error {
	if g.table == nil {
		return nil
	}
	_, err := g.table.Row(ctx, Key(user), dynamo.Attributes("pk"))
	return err
}

// Commit commits x if the user exists. It returns outcome.ErrNotFound if not. The check
// must be the only action of x on the user's row.
func (g Guard) Commit(ctx context.Context, x *dynamo.Transaction, user owner.User) error {
	if g.table == nil {
		return x.Commit(ctx)
	}
	exists := x.Check(*g.table, Key(user), dynamo.IfExists)
	err := x.Commit(ctx)
	if dynamo.Refused(err, exists) {
		return outcome.ErrNotFound
	}
	return err
}

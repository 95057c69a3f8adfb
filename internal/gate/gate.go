// Package gate lets reads for a user pass.
package gate

import (
	"context"

	"golang.org/x/sync/errgroup"

	"aviso/internal/owner"
)

// Gate tells whether a call for a user may pass. Its refusals are *fault.Error.
type Gate interface {
	Admit(ctx context.Context, user owner.User) error
}

// Read runs a read side by side with the question whether it is allowed, which
// saves a round trip. What was read is given out only when it is; the gate's
// refusal comes before any error of the read.
func Read[T any](ctx context.Context, g Gate, user owner.User, read func(context.Context) (T, error)) (T, error) {
	var (
		out     T
		readErr error
		both    errgroup.Group
	)
	both.Go(func() error { return g.Admit(ctx, user) })
	both.Go(func() error {
		out, readErr = read(ctx)
		return nil
	})
	if err := both.Wait(); err != nil {
		var none T
		return none, err
	}
	return out, readErr
}

package pfm

import (
	"context"

	"golang.org/x/sync/errgroup"

	"aviso/internal/owner"
)

// admitted runs a read side by side with the question whether it is allowed,
// which saves a round trip. What was read is given out only when it is; the
// gate's refusal comes before any error of the read.
func admitted[T any](ctx context.Context, gate Gate, user owner.User, read func(context.Context) (T, error)) (T, error) {
	var (
		out     T
		readErr error
		both    errgroup.Group
	)
	both.Go(func() error { return gate.Admit(ctx, user) })
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

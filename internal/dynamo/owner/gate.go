package owner

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// Gate decides whether a call for a user is allowed. A refusal is an *apierror.Error.
type Gate interface {
	Admit(ctx context.Context, user User) error
}

// Read runs a read and the gate in parallel, which saves a round trip. It returns what
// was read only if the call is allowed. The gate's refusal takes precedence over an
// error of the read.
func Read[T any](ctx context.Context, g Gate, user User, read func(context.Context) (T, error)) (T, error) {
	var admitting errgroup.Group
	admitting.Go(func() error { return g.Admit(ctx, user) })
	out, err := read(ctx)
	if refusal := admitting.Wait(); refusal != nil {
		return *new(T), refusal
	}
	return out, err
}

// Package gate lets reads for a user pass.
package gate

import (
	"context"
	"runtime"

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
	var gate errgroup.Group
	gate.Go(func() error {
		growStack()
		return g.Admit(ctx, user)
	})
	out, err := read(ctx)
	if refusal := gate.Wait(); refusal != nil {
		var none T
		return none, refusal
	}
	return out, err
}

// growStack makes a new goroutine's stack as large as a call to AWS needs it. A
// stack begins with 2 KB and doubles, and each time all frames on it are walked
// and moved; now there are few.
//
//go:noinline
func growStack() {
	var room [16 << 10]byte
	runtime.KeepAlive(&room)
}

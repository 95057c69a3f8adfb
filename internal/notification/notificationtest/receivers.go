package notificationtest

import (
	"context"
	"slices"
	"sync"
	"time"

	"aviso/internal/notification"
)

// Receivers are partners' servers that do as they are told.
type Receivers struct {
	// Answer says how a call ends and how long that takes.
	Answer func(c notification.Call) (notification.Outcome, time.Duration)
	// Now is the clock.
	Now func() time.Time

	mu    sync.Mutex
	calls []notification.Call
}

// Call implements notification.Caller.
func (r *Receivers) Call(ctx context.Context, c notification.Call) notification.Result {
	started := r.Now()
	r.mu.Lock()
	r.calls = append(r.calls, c)
	r.mu.Unlock()
	outcome, takes := r.Answer(c)
	if takes > 0 {
		select {
		case <-time.After(takes):
		case <-ctx.Done():
			outcome = notification.OutcomeTimeout
		}
	}
	return notification.Result{Outcome: outcome, Duration: r.Now().Sub(started)}
}

// Calls are those that were begun, in order.
func (r *Receivers) Calls() []notification.Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.calls)
}

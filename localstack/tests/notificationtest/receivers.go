package notificationtest

import (
	"context"
	"slices"
	"sync"
	"time"

	"aviso/internal/notification"
)

// Receivers simulates partners' servers. Its Call is a notification.Caller.
type Receivers struct {
	// Answer decides the outcome of a call and its duration.
	Answer func(c notification.Call) (notification.Outcome, time.Duration)
	Now    func() time.Time

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
	result := notification.Result{Outcome: outcome, Milliseconds: r.Now().Sub(started).Milliseconds()}
	if c.KeepAnswer && outcome != notification.OutcomeAcknowledged {
		result.Answer = "no disk"
	}
	return result
}

// Calls returns all started calls, in order.
func (r *Receivers) Calls() []notification.Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.calls)
}

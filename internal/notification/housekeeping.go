package notification

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// dueBatch is how many deliveries one run wakes.
const dueBatch = 100

// Housekeeping wakes webhook-delivery for deliveries whose message was lost.
type Housekeeping struct {
	store Store
	now   func() time.Time
}

// NewHousekeeping wires the service.
func NewHousekeeping(store Store, now func() time.Time) *Housekeeping {
	return &Housekeeping{store: store, now: now}
}

// Run wakes webhook-delivery for what is due and returns the number of deliveries.
// It continues after a failure and returns all failures.
func (h *Housekeeping) Run(ctx context.Context) (int, error) {
	now := clock.Read(h.now)
	due, err := h.store.DueDeliveries(ctx, now, dueBatch)
	if err != nil {
		return 0, fmt.Errorf("find due deliveries: %w", err)
	}
	woken, failed := 0, error(nil)
	for _, d := range due {
		if d.Status != DeliveryPending || d.WakeAt.IsZero() || d.WakeAt.After(now) {
			continue // the index is eventually consistent
		}
		d.WakeAt = now.Add(wakeAfter)
		switch _, err := h.store.SaveDelivery(ctx, d, true); {
		case errors.Is(err, outcome.ErrChanged): // somebody else is working on it
		case err != nil:
			failed = errors.Join(failed, fmt.Errorf("wake delivery %s: %w", d.DeliveryID, err))
		default:
			woken++
		}
	}
	return woken, failed
}

// CountNotifications is the count in an erasure's receipt of deliveries that were
// pending.
const CountNotifications = "notifications"

// Eraser erases users from the area: it deletes the pending deliveries of events
// about them.
type Eraser struct{ store Store }

// NewEraser wires the service.
func NewEraser(store Store) *Eraser { return &Eraser{store: store} }

// Close does nothing: no delivery is created for a user who is gone.
func (e *Eraser) Close(context.Context, owner.User) (bool, error) { return true, nil }

// Count returns the number of pending deliveries.
func (e *Eraser) Count(ctx context.Context, user owner.User) (map[string]int, error) {
	pending, err := e.store.PendingDeliveries(ctx, user)
	if err != nil {
		return nil, fmt.Errorf("find pending deliveries: %w", err)
	}
	return map[string]int{CountNotifications: len(pending)}, nil
}

// Erase deletes the pending deliveries.
func (e *Eraser) Erase(ctx context.Context, user owner.User) (bool, error) {
	pending, err := e.store.PendingDeliveries(ctx, user)
	if err != nil {
		return false, fmt.Errorf("find pending deliveries: %w", err)
	}
	for _, k := range pending {
		if err := e.store.DeleteDelivery(ctx, k); err != nil {
			return false, fmt.Errorf("delete delivery: %w", err)
		}
	}
	return true, nil
}

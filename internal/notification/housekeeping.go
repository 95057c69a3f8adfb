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

// dueBatch is how many deliveries are woken at once.
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

// Run wakes what is due and tells how many deliveries that were. It goes on
// after a failure, and reports all of them.
func (h *Housekeeping) Run(ctx context.Context) (int, error) {
	now := clock.Read(h.now)
	due, err := h.store.DueDeliveries(ctx, now, dueBatch)
	if err != nil {
		return 0, fmt.Errorf("find due deliveries: %w", err)
	}
	woken, failed := 0, error(nil)
	for _, d := range due {
		if d.Status != DeliveryPending || d.WakeAt.IsZero() || d.WakeAt.After(now) {
			continue // the index was behind
		}
		d.WakeAt = now.Add(wakeAfter)
		switch _, err := h.store.SaveDelivery(ctx, d, true); {
		case errors.Is(err, outcome.ErrChanged): // somebody has it in hand
		case err != nil:
			failed = errors.Join(failed, fmt.Errorf("wake delivery %s: %w", d.DeliveryID, err))
		default:
			woken++
		}
	}
	return woken, failed
}

// CountNotifications is what an erasure counts: events that wait to be told.
const CountNotifications = "notifications"

// Eraser erases users from the area: what has not been told about them yet is
// told to nobody.
type Eraser struct{ store Store }

// NewEraser wires the service.
func NewEraser(store Store) *Eraser { return &Eraser{store: store} }

// Close has nothing to do: events follow from changes, and the areas that make
// them are closed themselves.
func (e *Eraser) Close(context.Context, owner.User) error { return nil }

// Count counts what waits.
func (e *Eraser) Count(ctx context.Context, user owner.User) (map[string]int, error) {
	pending, err := e.store.PendingDeliveries(ctx, user)
	if err != nil {
		return nil, fmt.Errorf("find pending deliveries: %w", err)
	}
	return map[string]int{CountNotifications: len(pending)}, nil
}

// Erase deletes what waits.
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

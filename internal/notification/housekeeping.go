package notification

import (
	"context"
	"fmt"
	"iter"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo/owner"
	"aviso/internal/messaging/overdue"
)

// Housekeeping wakes webhook-delivery for deliveries whose message was lost.
type Housekeeping struct {
	store  Store
	now    func() time.Time
	onLate func(kind string, late time.Duration)
}

// NewHousekeeping wires the service.
func NewHousekeeping(store Store, now func() time.Time) *Housekeeping {
	return &Housekeeping{store: store, now: now, onLate: func(string, time.Duration) {}}
}

// OnLate sets a function that is called with how long the oldest overdue delivery has
// waited, once for each shard that has some, at the same time for several.
func (h *Housekeeping) OnLate(note func(kind string, late time.Duration)) { h.onLate = note }

// Run wakes webhook-delivery for all deliveries that are due, for as long as ctx lasts, and
// returns their number. It continues after an error, and returns the errors.
func (h *Housekeeping) Run(ctx context.Context) (int, error) {
	return overdue.Work[Delivery]{
		Shards: overdue.Range(h.store.DueShards()),
		Due: func(ctx context.Context, shard int) iter.Seq2[Delivery, error] {
			return h.store.DueDeliveries(ctx, shard, clock.Read(h.now))
		},
		Owner:  Delivery.Owner,
		Late:   h.late,
		Do:     h.wake,
		OnLate: func(late time.Duration) { h.onLate("Delivery", late) },
	}.Run(ctx)
}

// late returns for how long the delivery should have been woken; less than 0 if it should
// not.
func (h *Housekeeping) late(_ context.Context, d Delivery) time.Duration {
	if d.Status != DeliveryPending || d.WakeAt.IsZero() {
		return -1
	}
	return clock.Read(h.now).Sub(d.WakeAt)
}

func (h *Housekeeping) wake(ctx context.Context, d Delivery) error {
	d.WakeAt = clock.Read(h.now).Add(wakeAfter)
	if _, err := h.store.SaveDelivery(ctx, d, true); err != nil {
		return fmt.Errorf("wake delivery %s: %w", d.DeliveryID, err)
	}
	return nil
}

// CountNotifications is the count in an erasure's receipt of deliveries that were
// pending.
const CountNotifications = "notifications"

// Eraser erases users from the area: it deletes the pending deliveries of events
// about them, and what attempts keep of such events.
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

// Erase erases, and is done once it finds nothing: an attempt may have been written just
// before its delivery was deleted.
func (e *Eraser) Erase(ctx context.Context, user owner.User) (bool, error) {
	found, err := e.store.EraseUser(ctx, user)
	if err != nil {
		return false, fmt.Errorf("erase user: %w", err)
	}
	return found == 0, nil
}

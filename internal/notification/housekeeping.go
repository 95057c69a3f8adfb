package notification

import (
	"context"
	"fmt"
	"iter"
	"time"

	"aviso/internal/clock"
	"aviso/internal/messaging/overdue"
	"aviso/internal/owner"
)

// HousekeepingStore is the part of the store that housekeeping needs.
type HousekeepingStore interface {
	// DueShards returns the number of shards of the pending deliveries, for housekeeping.
	DueShards() int
	// DueDeliveries iterates over the deliveries of a shard with a WakeAt up to until, the longest overdue first. An
	// error concerns one delivery that cannot be read, or it comes last.
	DueDeliveries(ctx context.Context, shard int, until time.Time) iter.Seq2[Delivery, error]
	SaveDelivery(ctx context.Context, d Delivery, wake bool) (Delivery, error)
}

// NewHousekeeping returns the housekeeping that wakes webhook-delivery for deliveries with a lost message.
func NewHousekeeping(store HousekeepingStore, now func() time.Time) *overdue.Housekeeping {
	return overdue.New(store.DueShards, now, overdue.Work[Delivery]{
		Kind: "Delivery", Due: store.DueDeliveries, Owner: Delivery.Owner,
		At: func(d Delivery) time.Time {
			if d.Status != DeliveryPending {
				return time.Time{}
			}
			return d.WakeAt.Time()
		},
		IsLost: func(Delivery) bool { return true },
		Do: func(ctx context.Context, d Delivery) error {
			d.wake(clock.Read(now))
			if _, err := store.SaveDelivery(ctx, d, true); err != nil {
				return fmt.Errorf("wake delivery %s: %w", d.DeliveryID, err)
			}
			return nil
		},
	})
}

// CountNotifications is the number of pending deliveries in an erasure's receipt.
const CountNotifications = "notifications"

// EraserStore is the part of the store that an Eraser needs.
type EraserStore interface {
	// PendingDeliveries returns the pending deliveries of events about the user.
	PendingDeliveries(ctx context.Context, user owner.User) ([]DeliveryKey, error)
	// EraseUser deletes the user's pending deliveries, and removes user and payload from attempts. It returns how many
	// rows it found.
	EraseUser(ctx context.Context, user owner.User) (int, error)
}

// Eraser erases users from the area. It deletes pending deliveries of events about them, and the payloads of such
// events in attempts.
type Eraser struct{ store EraserStore }

// NewEraser wires the service.
func NewEraser(store EraserStore) *Eraser { return &Eraser{store: store} }

// Close does nothing: no delivery is created for an erased user.
func (e *Eraser) Close(context.Context, owner.User) (bool, error) { return true, nil }

// Count returns the number of pending deliveries.
func (e *Eraser) Count(ctx context.Context, user owner.User) (map[string]int, error) {
	pending, err := e.store.PendingDeliveries(ctx, user)
	if err != nil {
		return nil, fmt.Errorf("find pending deliveries: %w", err)
	}
	return map[string]int{CountNotifications: len(pending)}, nil
}

// Erase erases, and is done once it finds nothing: an attempt may have been written just before its delivery was
// deleted.
func (e *Eraser) Erase(ctx context.Context, user owner.User) (bool, error) {
	found, err := e.store.EraseUser(ctx, user)
	if err != nil {
		return false, fmt.Errorf("erase user: %w", err)
	}
	return found == 0, nil
}

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

// DueWorkStore is the part of the store that DueWork needs.
type DueWorkStore interface {
	PendingDeliveries(ctx context.Context, user owner.User) ([]DeliveryKey, error)
	Delivery(ctx context.Context, k DeliveryKey) (Delivery, error)
	SaveDelivery(ctx context.Context, d Delivery, wake bool) (Delivery, error)
}

// DueWork retries failed callbacks about a user while the user's clock is being advanced. It is for one user and one
// goroutine.
type DueWork struct {
	store DueWorkStore
	now   func() time.Time
	// woken has the last attempt of each delivery for which webhook-delivery was woken.
	woken map[DeliveryKey]int
}

// NewDueWork returns the work of one user.
func NewDueWork(store DueWorkStore, now func() time.Time) *DueWork {
	return &DueWork{store: store, now: now, woken: map[DeliveryKey]int{}}
}

// NextDue returns when the next attempt is due.
func (w *DueWork) NextDue(ctx context.Context, user owner.User, _ time.Time) (time.Time, error) {
	var first time.Time
	err := w.each(ctx, user, func(d Delivery) error {
		if due := d.NextAttemptAt.Time(); first.IsZero() || due.Before(first) {
			first = due
		}
		return nil
	})
	return first, err
}

// DoDue wakes webhook-delivery once for each due attempt. It skips first attempts, whose messages are already on
// their way.
func (w *DueWork) DoDue(ctx context.Context, user owner.User) error {
	now := clock.UserNow(ctx, w.now)
	return w.each(ctx, user, func(d Delivery) error {
		if d.NextAttemptAt.After(now) || d.Attempt == 1 || w.woken[d.DeliveryKey] == d.Attempt {
			return nil
		}
		d.WakeAt = clock.Read(w.now).Add(wakeAfter)
		_, err := w.store.SaveDelivery(ctx, d, true)
		if errors.Is(err, outcome.ErrChanged) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("wake delivery: %w", err)
		}
		w.woken[d.DeliveryKey] = d.Attempt
		return nil
	})
}

// each calls do for the user's pending deliveries.
func (w *DueWork) each(ctx context.Context, user owner.User, do func(Delivery) error) error {
	keys, err := w.store.PendingDeliveries(ctx, user)
	if err != nil {
		return fmt.Errorf("find pending deliveries: %w", err)
	}
	for _, k := range keys {
		d, err := w.store.Delivery(ctx, k)
		if errors.Is(err, outcome.ErrNotFound) || err == nil && d.Status != DeliveryPending {
			continue
		}
		if err != nil {
			return fmt.Errorf("read delivery: %w", err)
		}
		if err := do(d); err != nil {
			return err
		}
	}
	return nil
}

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

// DueWork lets happen what the time brings to the callbacks about one user, whose clock is
// being advanced: those that failed are tried again. It is for one user and one goroutine.
type DueWork struct {
	store Store
	now   func() time.Time
	// woken are the attempts for which webhook-delivery has been woken, by delivery.
	woken map[DeliveryKey]int
}

// NewDueWork returns the work of one user.
func NewDueWork(store Store, now func() time.Time) *DueWork {
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

// DoDue wakes webhook-delivery for the attempts that are due, once each. Nobody needs to be
// woken for a first attempt: its message is on its way.
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

// each calls do for the pending deliveries about the user.
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

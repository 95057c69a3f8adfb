package notification

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/outcome"
)

// A subscription disables itself after so many exhausted deliveries, when for so
// long nothing was acknowledged.
const (
	disableAfter  = 20
	disableWithin = 5 * 24 * time.Hour
)

// noteHealth counts how the subscription fares, and disables one that is dead.
func (d *Deliverer) noteHealth(ctx context.Context, delivery Delivery, now time.Time) error {
	k := delivery.DeliveryKey
	if delivery.Status == DeliveryAcknowledged {
		if err := d.store.NoteAcknowledged(ctx, k.Partner, k.SubscriptionID, now); err != nil && !errors.Is(err, outcome.ErrNotFound) {
			return fmt.Errorf("note acknowledgement: %w", err)
		}
		return nil
	}
	s, err := d.store.NoteExhausted(ctx, k.Partner, k.SubscriptionID)
	if errors.Is(err, outcome.ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("note exhausted delivery: %w", err)
	}
	if !s.dead(now) {
		return nil
	}
	s.Status, s.Reason, s.UpdatedAt = SubscriptionDisabled, ReasonTooManyFailures, now
	if err := d.store.SaveSubscription(ctx, s); err != nil && !errors.Is(err, outcome.ErrChanged) {
		return fmt.Errorf("disable subscription: %w", err)
	}
	return nil
}

// dead tells whether nobody seems to be there any more.
func (s Subscription) dead(now time.Time) bool {
	alive := s.ActiveSince
	if s.AcknowledgedAt.After(alive) {
		alive = s.AcknowledgedAt
	}
	return s.Status == SubscriptionActive && s.Exhausted >= disableAfter && now.Sub(alive) >= disableWithin
}

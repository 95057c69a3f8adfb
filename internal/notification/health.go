package notification

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/outcome"
)

// We disable a subscription after this many exhausted deliveries, if nothing was
// acknowledged for this long.
const (
	disableAfter   = 20
	disableSilence = 5 * 24 * time.Hour
)

// AcknowledgedPrecision is how old the stored time of the last acknowledgement may be, so
// that not every delivery writes it.
const AcknowledgedPrecision = time.Hour

// recordHealth records how the delivery ended and disables a dead subscription. s was read
// before the call.
func (d *Deliverer) recordHealth(ctx context.Context, delivery Delivery, s Subscription, now time.Time) error {
	k := delivery.DeliveryKey
	if delivery.Status == DeliveryAcknowledged {
		// Even a refused write costs as much as a write, and all go to the same row.
		if s.Exhausted == 0 && now.Sub(s.AcknowledgedAt) < AcknowledgedPrecision {
			return nil
		}
		err := d.store.NoteAcknowledged(ctx, k.Partner, k.SubscriptionID, now)
		if err != nil && !errors.Is(err, outcome.ErrNotFound) {
			return fmt.Errorf("record acknowledgement: %w", err)
		}
		return nil
	}
	s, err := d.store.NoteExhausted(ctx, k.Partner, k.SubscriptionID)
	if errors.Is(err, outcome.ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("count exhausted delivery: %w", err)
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

// dead reports whether the receiver seems to be gone for good.
func (s Subscription) dead(now time.Time) bool {
	lastSeen := s.ActiveSince
	if s.AcknowledgedAt.After(lastSeen) {
		lastSeen = s.AcknowledgedAt
	}
	return s.Status == SubscriptionActive && s.Exhausted >= disableAfter && now.Sub(lastSeen) >= disableSilence
}

package notification

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/clock"
	"aviso/internal/messaging/outbox"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// A subscription is disabled after this many exhausted deliveries, if it has acknowledged nothing for this long.
const (
	disableAfter   = 20
	disableSilence = 5 * 24 * time.Hour
)

// AcknowledgedPrecision is how old the stored time of the last acknowledgement may be. Otherwise every delivery would
// write it.
const AcknowledgedPrecision = time.Hour

// EventSubscriptionFailing tells a partner that a receiver is failing.
const EventSubscriptionFailing = "subscription.failing"

// saveAttempt saves an attempt. The first exhausted delivery also starts the subscription's failure, in the same
// transaction, so that there is exactly one event about it. saveAttempt reports whether it has counted the delivery.
func (d *Deliverer) saveAttempt(
	ctx context.Context, delivery Delivery, s Subscription, a Attempt, now clock.Real,
) (counted bool, err error) {
	if delivery.Status == DeliveryExhausted && s.FailingSince.IsZero() {
		failing := s
		failing.FailingSince, failing.FailingReason, failing.FailingDetail = now, a.Outcome, a.Detail
		e, err := d.failingEvent(failing, now)
		if err != nil {
			return false, err
		}
		if err = d.health.SaveFailing(ctx, failing, delivery, a, e); !errors.Is(err, ErrNotWell) {
			return err == nil, err
		}
	}
	if delivery.Status == DeliveryAcknowledged && a.Number == 1 && a.User == "" {
		return false, d.store.SaveAcknowledged(ctx, s, delivery, a)
	}
	return false, d.store.SaveAttempt(ctx, s, delivery, a)
}

// recordHealth counts a delivery that ended with r, and disables a dead subscription. s was read before the call.
func (d *Deliverer) recordHealth(
	ctx context.Context, delivery Delivery, s Subscription, r Result, now clock.Real,
) error {
	k := delivery.DeliveryKey
	if delivery.Status == DeliveryAcknowledged {
		// A refused write costs as much as a write, and all of these go to the same row.
		if s.Exhausted == 0 && now.Sub(s.AcknowledgedAt) < AcknowledgedPrecision {
			return nil
		}
		return d.health.NoteAcknowledged(ctx, k.Partner, k.SubscriptionID, now)
	}
	s, err := d.health.NoteExhausted(ctx, k.Partner, k.SubscriptionID, r)
	switch {
	case errors.Is(err, outcome.ErrNotFound):
		return nil
	case err != nil:
		return fmt.Errorf("count exhausted delivery: %w", err)
	case !s.dead(now):
		return nil
	}
	s.Status, s.Reason, s.UpdatedAt = SubscriptionDisabled, ReasonTooManyFailures, now
	e, err := d.failingEvent(s, now)
	if err != nil {
		return err
	}
	if err := d.health.SaveSubscription(ctx, s, e); err != nil && !errors.Is(err, outcome.ErrChanged) {
		return fmt.Errorf("disable subscription: %w", err)
	}
	return nil
}

// dead reports whether the receiver seems to be gone for good.
func (s Subscription) dead(now clock.Real) bool {
	lastSeen := s.ActiveSince
	if s.AcknowledgedAt.After(lastSeen) {
		lastSeen = s.AcknowledgedAt
	}
	return s.Status == SubscriptionActive && s.Exhausted >= disableAfter && now.Sub(lastSeen) >= disableSilence
}

// failingData is the data of EventSubscriptionFailing.
type failingData struct {
	SubscriptionID string             `json:"subscriptionId"`
	Status         SubscriptionStatus `json:"status"`
	StatusReason   SubscriptionReason `json:"statusReason"`
	FailingSince   clock.Real         `json:"failingSince"`
	FailingReason  Outcome            `json:"failingReason"`
	FailingDetail  string             `json:"failingDetail"`
}

// failingEvent returns the event about s for the partner's other subscriptions. It omits the URL, which may hold a
// password and which they need not know.
func (d *Deliverer) failingEvent(s Subscription, now clock.Real) (outbox.Event, error) {
	e, err := outbox.NewEvent(d.newID(), EventSubscriptionFailing, clock.Setting{}.At(now), owner.User{Partner: s.Partner}, failingData{
		SubscriptionID: s.ID, Status: s.Status, StatusReason: s.Reason, FailingSince: s.FailingSince,
		FailingReason: s.FailingReason, FailingDetail: s.FailingDetail,
	})
	e.ExceptSubscriptionID = s.ID
	return e, err
}

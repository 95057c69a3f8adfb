package notification

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"aviso/internal/api/apierror"
	"aviso/internal/clock"
	"aviso/internal/messaging/outbox"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// SupervisionStore is the part of the store that Supervision needs.
type SupervisionStore interface {
	SubscriptionReader

	SaveSubscription(ctx context.Context, s Subscription, events ...outbox.Event) error
	Delivery(ctx context.Context, k DeliveryKey) (Delivery, error)
	SaveDelivery(ctx context.Context, d Delivery, wake bool) (Delivery, error)
}

// Supervision lets the operator manage subscriptions and inspect deliveries.
type Supervision struct {
	store SupervisionStore
	now   func() time.Time
}

// NewSupervision wires the service.
func NewSupervision(store SupervisionStore, now func() time.Time) *Supervision {
	return &Supervision{store: store, now: now}
}

// Disable disables a subscription, whatever its status. The partner cannot undo it.
func (s *Supervision) Disable(ctx context.Context, partner owner.PartnerID, id string) (Subscription, error) {
	return changeSubscription(ctx, s.store, partner, id, s.now, func(sub *Subscription) error {
		sub.Status, sub.Reason = SubscriptionDisabled, ReasonByOperator
		return nil
	})
}

// Enable reactivates a Disabled subscription, whoever disabled it. Only the partner
// can end a pause.
func (s *Supervision) Enable(ctx context.Context, partner owner.PartnerID, id string) (Subscription, error) {
	return changeSubscription(ctx, s.store, partner, id, s.now, func(sub *Subscription) error {
		if sub.Status == SubscriptionPaused {
			return apierror.New(apierror.Conflict,
				"The partner has paused the subscription. Only the partner can reactivate it.")
		}
		if sub.Status == SubscriptionDisabled {
			sub.ActiveSince = clock.Read(s.now)
		}
		sub.Status, sub.Reason = SubscriptionActive, ReasonNone
		return nil
	})
}

// Resume restarts the time without acknowledgements for a partner's active subscriptions, as when a pause ends.
func (s *Supervision) Resume(ctx context.Context, partner owner.PartnerID) error {
	all, failed := s.store.Subscriptions(ctx, partner)
	for _, sub := range all {
		_, err := changeSubscription(ctx, s.store, partner, sub.ID, s.now, func(sub *Subscription) error {
			if sub.Status == SubscriptionActive {
				sub.ActiveSince = clock.Read(s.now)
			}
			return nil
		})
		if !apierror.Is(err, apierror.NotFound) { // the subscription may have been deleted meanwhile
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// OfEvent returns the deliveries of an event to the partner's subscriptions, with all attempts.
func (s *Supervision) OfEvent(ctx context.Context, partner owner.PartnerID, eventID string) ([]Delivery, error) {
	subscriptions, err := s.store.Subscriptions(ctx, partner)
	if err != nil {
		return nil, fmt.Errorf("read subscriptions: %w", err)
	}
	found := make([]Delivery, len(subscriptions))
	var reading errgroup.Group
	for i, sub := range subscriptions {
		reading.Go(func() (err error) {
			found[i], err = s.Delivery(ctx, partner, sub.ID, eventID)
			if apierror.Is(err, apierror.NotFound) {
				return nil
			}
			return err
		})
	}
	err = reading.Wait()
	return slices.DeleteFunc(found, func(d Delivery) bool { return d.DeliveryID == "" }), err
}

// Delivery returns the delivery of an event to a subscription, with all attempts.
func (s *Supervision) Delivery(
	ctx context.Context, partner owner.PartnerID, subscriptionID, eventID string,
) (Delivery, error) {
	k := DeliveryKey{Partner: partner, SubscriptionID: subscriptionID, DeliveryID: DeliveryID(subscriptionID, eventID)}
	return s.Inspect(ctx, k)
}

// RetryNow makes a waiting delivery's next attempt due. It refuses a finished delivery: exhausted deliveries are not
// sent again.
func (s *Supervision) RetryNow(ctx context.Context, partner owner.PartnerID, subscriptionID, eventID string) error {
	sub, err := s.store.Subscription(ctx, partner, subscriptionID)
	if err != nil {
		return subscriptionError(err)
	}
	d, err := s.Delivery(ctx, partner, subscriptionID, eventID)
	if err != nil {
		return err
	}
	now := clock.Read(s.now)
	if d.Status != DeliveryPending || d.LeaseUntil.After(now) {
		return apierror.New(apierror.Conflict, "The event does not wait for another attempt.")
	}
	if sub.Status != SubscriptionActive {
		return apierror.New(apierror.Conflict,
			"The subscription is "+string(sub.Status)+". An attempt now would give the event up.")
	}
	d.schedule(d.Attempt, now, clock.Setting{}.At(now), 0) // a user's clock is never behind
	if _, err = s.store.SaveDelivery(ctx, d, true); errors.Is(err, outcome.ErrChanged) {
		return apierror.New(apierror.Conflict, "The attempt has just begun.")
	}
	return err
}

// Inspect returns a delivery with all attempts.
func (s *Supervision) Inspect(ctx context.Context, k DeliveryKey) (Delivery, error) {
	d, err := s.store.Delivery(ctx, k)
	if errors.Is(err, outcome.ErrNotFound) {
		return Delivery{}, apierror.New(apierror.NotFound,
			"There is no such delivery: the event has not been dispatched, the subscription did not want it, "+
				"or the delivery ended more than 30 days ago.")
	}
	if err != nil {
		return Delivery{}, fmt.Errorf("read delivery: %w", err)
	}
	return d, nil
}

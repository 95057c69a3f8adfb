package notification

import (
	"context"
	"errors"

	"aviso/internal/owner"
)

// Pausing changes what is read for sending: active subscriptions of disabled partners are Paused. It stores none of
// that.
type Pausing struct {
	Disabled owner.Disabled
}

// FanOut returns the store for a FanOut.
func (p Pausing) FanOut(store FanOutStore) FanOutStore { return pausingFanOut{store, p} }

type pausingFanOut struct {
	FanOutStore
	Pausing
}

func (p pausingFanOut) Subscriptions(ctx context.Context, partner owner.PartnerID) ([]Subscription, error) {
	all, err := p.FanOutStore.Subscriptions(ctx, partner)
	for i := range all {
		err = errors.Join(err, p.pause(ctx, &all[i]))
	}
	return all, err
}

// Deliveries returns the store for a Deliverer.
func (p Pausing) Deliveries(store DeliveryStore) DeliveryStore { return pausingDeliveries{store, p} }

type pausingDeliveries struct {
	DeliveryStore
	Pausing
}

func (p pausingDeliveries) Target(ctx context.Context, partner owner.PartnerID, subscriptionID string) (Target, error) {
	to, err := p.DeliveryStore.Target(ctx, partner, subscriptionID)
	return to, errors.Join(err, p.pause(ctx, &to.Subscription))
}

func (p Pausing) pause(ctx context.Context, s *Subscription) error {
	shut, err := p.Disabled.Has(ctx, s.Partner)
	if shut && s.Status == SubscriptionActive {
		s.Status = SubscriptionPaused
	}
	return err
}

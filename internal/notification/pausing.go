package notification

import (
	"context"
	"errors"

	"aviso/internal/owner"
)

// Pausing returns store as senders see it: active subscriptions of disabled partners are Paused. It stores none of
// this.
func Pausing(store Store, disabled owner.Disabled) Store { return pausing{store, disabled} }

type pausing struct {
	Store

	disabled owner.Disabled
}

// Subscriptions implements Store.
func (p pausing) Subscriptions(ctx context.Context, partner owner.PartnerID) ([]Subscription, error) {
	all, err := p.Store.Subscriptions(ctx, partner)
	for i := range all {
		err = errors.Join(err, p.pause(ctx, &all[i]))
	}
	return all, err
}

// Target implements Store.
func (p pausing) Target(ctx context.Context, partner owner.PartnerID, subscriptionID string) (Target, error) {
	to, err := p.Store.Target(ctx, partner, subscriptionID)
	return to, errors.Join(err, p.pause(ctx, &to.Subscription))
}

func (p pausing) pause(ctx context.Context, s *Subscription) error {
	shut, err := p.disabled(ctx, s.Partner)
	if shut && s.Status == SubscriptionActive {
		s.Status = SubscriptionPaused
	}
	return err
}

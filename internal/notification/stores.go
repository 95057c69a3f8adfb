package notification

import (
	"context"
	"time"

	"aviso/internal/event"
	"aviso/internal/owner"
)

// SubscriptionStore keeps subscriptions and their secrets.
type SubscriptionStore interface {
	// CreateSubscription writes a new subscription with its first secret.
	CreateSubscription(ctx context.Context, s Subscription, secret Secret) error
	// Subscription is outcome.ErrNotFound when the partner has none of this id.
	Subscription(ctx context.Context, partner owner.PartnerID, id string) (Subscription, error)
	// Subscriptions are all of the partner's, by id.
	Subscriptions(ctx context.Context, partner owner.PartnerID) ([]Subscription, error)
	// SaveSubscription writes over the version it was read as. outcome.ErrChanged when
	// that is no longer there. What is counted of deliveries stays.
	SaveSubscription(ctx context.Context, s Subscription) error
	// DeleteSubscription deletes it with its secrets; one that is gone is no
	// error.
	DeleteSubscription(ctx context.Context, partner owner.PartnerID, id string) error
	// Secrets are those of a subscription, the newest first; those that have
	// ended stay for 30 days.
	Secrets(ctx context.Context, partner owner.PartnerID, subscriptionID string) ([]Secret, error)
	// SaveSecrets writes secrets, all or none. outcome.ErrNotFound when the subscription
	// is gone.
	SaveSecrets(ctx context.Context, partner owner.PartnerID, subscriptionID string, secrets ...Secret) error
}

// AttemptStore tells what was tried.
type AttemptStore interface {
	// Attempts is a page, newest first, of the last 30 days.
	Attempts(ctx context.Context, partner owner.PartnerID, subscriptionID string, limit int, position string) (page []Attempt, next string, err error)
}

// EventStore writes events that are simulated.
type EventStore interface {
	PutEvent(ctx context.Context, e event.Event) error
}

// FanOutStore finds who is to be told of an event.
type FanOutStore interface {
	// Subscriptions is that of SubscriptionStore.
	Subscriptions(ctx context.Context, partner owner.PartnerID) ([]Subscription, error)
	// CreateDelivery writes a new delivery. One that is there already, also one
	// that has ended, stays as it is and is given back.
	CreateDelivery(ctx context.Context, d Delivery) (Delivery, error)
}

// DeliveryStore is what an attempt reads and writes.
type DeliveryStore interface {
	// Delivery is outcome.ErrNotFound when there is none.
	Delivery(ctx context.Context, k DeliveryKey) (Delivery, error)
	// Target is the subscription with its secrets; outcome.ErrNotFound when it is gone.
	Target(ctx context.Context, partner owner.PartnerID, subscriptionID string) (Subscription, []Secret, error)
	// SaveDelivery writes over the version it was read as. outcome.ErrChanged when that
	// is no longer there. With wake, a message for webhook-delivery goes into
	// the same transaction.
	SaveDelivery(ctx context.Context, d Delivery, wake bool) (Delivery, error)
	// SaveAttempt is SaveDelivery together with what was tried.
	SaveAttempt(ctx context.Context, d Delivery, a Attempt, wake bool) error
	// DeleteDelivery deletes it; one that is gone is no error.
	DeleteDelivery(ctx context.Context, k DeliveryKey) error
	SlotStore
	HealthStore
}

// SlotStore bounds how many calls of one subscription are under way.
type SlotStore interface {
	// TakeSlot takes one of the subscription's slots until `until`. outcome.ErrChanged
	// when all are taken.
	TakeSlot(ctx context.Context, partner owner.PartnerID, subscriptionID string, slots int, now, until time.Time) (slot string, err error)
	// GiveSlot gives it back.
	GiveSlot(ctx context.Context, partner owner.PartnerID, subscriptionID, slot string, until time.Time) error
}

// HealthStore counts how a subscription fares.
type HealthStore interface {
	// NoteAcknowledged notes that something was acknowledged.
	NoteAcknowledged(ctx context.Context, partner owner.PartnerID, subscriptionID string, at time.Time) error
	// NoteExhausted counts a delivery that was given up, and gives the
	// subscription as it is then. outcome.ErrNotFound when it is gone.
	NoteExhausted(ctx context.Context, partner owner.PartnerID, subscriptionID string) (Subscription, error)
	// SaveSubscription is that of SubscriptionStore.
	SaveSubscription(ctx context.Context, s Subscription) error
}

// DueStore finds deliveries that nobody has woken webhook-delivery for.
type DueStore interface {
	// DueDeliveries are up to limit whose WakeAt has come.
	DueDeliveries(ctx context.Context, until time.Time, limit int) ([]Delivery, error)
	// SaveDelivery is that of DeliveryStore.
	SaveDelivery(ctx context.Context, d Delivery, wake bool) (Delivery, error)
}

// ErasureStore finds and deletes what waits to be told about a user.
type ErasureStore interface {
	// PendingDeliveries are those of events about the user.
	PendingDeliveries(ctx context.Context, user owner.User) ([]DeliveryKey, error)
	// DeleteDelivery is that of DeliveryStore.
	DeleteDelivery(ctx context.Context, k DeliveryKey) error
}

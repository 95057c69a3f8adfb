package notification

import (
	"context"
	"time"

	"aviso/internal/event"
	"aviso/internal/owner"
)

// Store keeps all of the area. What is not there is outcome.ErrNotFound; a lost
// race is outcome.ErrChanged. Deleting what is gone is no error.
type Store interface {
	// CreateSubscription writes a new subscription with its first secret.
	CreateSubscription(ctx context.Context, s Subscription, secret Secret) error
	Subscription(ctx context.Context, partner owner.PartnerID, id string) (Subscription, error)
	// Subscriptions returns all of the partner's, by id.
	Subscriptions(ctx context.Context, partner owner.PartnerID) ([]Subscription, error)
	// SaveSubscription writes over the version it was read as. What is counted of
	// deliveries stays.
	SaveSubscription(ctx context.Context, s Subscription) error
	// DeleteSubscription deletes it with its secrets.
	DeleteSubscription(ctx context.Context, partner owner.PartnerID, id string) error
	// Secrets returns those of a subscription, the newest first; those that have
	// ended stay for 30 days.
	Secrets(ctx context.Context, partner owner.PartnerID, subscriptionID string) ([]Secret, error)
	// SaveSecrets writes secrets, all or none. outcome.ErrNotFound when the
	// subscription is gone.
	SaveSecrets(ctx context.Context, partner owner.PartnerID, subscriptionID string, secrets ...Secret) error
	// Target returns the subscription with its secrets.
	Target(ctx context.Context, partner owner.PartnerID, subscriptionID string) (Subscription, []Secret, error)

	// PutEvent writes an event that is simulated.
	PutEvent(ctx context.Context, e event.Event) error

	// CreateDelivery writes a new delivery. One that is there already, also one
	// that has ended, stays as it is and is returned.
	CreateDelivery(ctx context.Context, d Delivery) (Delivery, error)
	Delivery(ctx context.Context, k DeliveryKey) (Delivery, error)
	// SaveDelivery writes over the version it was read as. With wake, a message for
	// webhook-delivery goes into the same transaction.
	SaveDelivery(ctx context.Context, d Delivery, wake bool) (Delivery, error)
	// SaveAttempt is SaveDelivery together with what was tried.
	SaveAttempt(ctx context.Context, d Delivery, a Attempt, wake bool) error
	DeleteDelivery(ctx context.Context, k DeliveryKey) error
	// DueDeliveries returns up to limit whose WakeAt has come.
	DueDeliveries(ctx context.Context, until time.Time, limit int) ([]Delivery, error)
	// PendingDeliveries returns those of events about the user.
	PendingDeliveries(ctx context.Context, user owner.User) ([]DeliveryKey, error)
	// Attempts returns a page, newest first, of the last 30 days.
	Attempts(
		ctx context.Context, partner owner.PartnerID, subscriptionID string, limit int, position string,
	) (page []Attempt, next string, err error)

	// TakeSlot takes one of the subscription's slots until `until`, which bounds
	// how many calls are under way. outcome.ErrChanged when all are taken.
	TakeSlot(
		ctx context.Context, partner owner.PartnerID, subscriptionID string, slots int, now, until time.Time,
	) (slot string, err error)
	// GiveSlot gives it back.
	GiveSlot(ctx context.Context, partner owner.PartnerID, subscriptionID, slot string, until time.Time) error

	// NoteAcknowledged notes that something was acknowledged.
	NoteAcknowledged(ctx context.Context, partner owner.PartnerID, subscriptionID string, at time.Time) error
	// NoteExhausted counts a delivery that was given up, and returns the
	// subscription as it is then.
	NoteExhausted(ctx context.Context, partner owner.PartnerID, subscriptionID string) (Subscription, error)
}

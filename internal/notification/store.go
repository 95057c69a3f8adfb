package notification

import (
	"context"
	"errors"

	"aviso/internal/api/idempotency"
	"aviso/internal/clock"
	"aviso/internal/messaging/outbox"
	"aviso/internal/owner"
)

// ErrTooManySubscriptions is returned by Store.CreateSubscription.
var ErrTooManySubscriptions = errors.New("notification: the partner has the maximum of subscriptions")

// ErrNotWell is returned by Store.SaveFailing.
var ErrNotWell = errors.New("notification: the subscription fails already, or it is gone")

// The methods of the stores of this area return outcome.ErrNotFound for a missing row and outcome.ErrChanged after a
// lost race. Deleting a missing row is not an error.

// SubscriptionReader reads subscriptions.
type SubscriptionReader interface {
	Subscription(ctx context.Context, partner owner.PartnerID, id string) (Subscription, error)
	// Subscriptions returns all of the partner's subscriptions, ordered by ID.
	Subscriptions(ctx context.Context, partner owner.PartnerID) ([]Subscription, error)
}

// SubscriptionStore stores subscriptions, and reads their attempts.
type SubscriptionStore interface {
	SubscriptionReader

	// CreateSubscription writes a new subscription with its first secret. It returns
	// ErrTooManySubscriptions if the partner has MaxSubscriptions.
	CreateSubscription(ctx context.Context, s Subscription, secret Secret, also idempotency.Effect[NewSubscription]) error
	// SaveSubscription saves s if its version is current and no delivery was acknowledged since. It does not
	// change the delivery counts. The same transaction writes the events.
	SaveSubscription(ctx context.Context, s Subscription, events ...outbox.Event) error
	// DeleteSubscription deletes a subscription and its secrets, unless secrets were written since s was read.
	DeleteSubscription(ctx context.Context, s Subscription) error
	// SaveSecrets writes all secrets or none; also is about the first. It returns outcome.ErrChanged if other secrets
	// were written since s was read, or if s was deleted.
	SaveSecrets(ctx context.Context, s Subscription, also idempotency.Effect[Secret], secrets ...Secret) error
	// Target returns a subscription with its secrets, newest first. Expired secrets are kept for 30 days. If secrets
	// are written between the two reads, SaveSecrets refuses the subscription.
	Target(ctx context.Context, partner owner.PartnerID, subscriptionID string) (Target, error)
	// KeptAnswer returns the Kept of an attempt. It returns outcome.ErrNotFound if there is none, or no longer one.
	KeptAnswer(ctx context.Context, s Subscription, attemptID string) (string, error)
	// Attempts returns a page of the attempts of the last 30 days, newest first. With a position, it returns only
	// attempts whose IDs sort before it.
	Attempts(
		ctx context.Context, s Subscription, limit int, position string,
	) (page []Attempt, next string, err error)
}

// DeliveryStore stores what a Deliverer does.
type DeliveryStore interface {
	Target(ctx context.Context, partner owner.PartnerID, subscriptionID string) (Target, error)
	FetchDelivery(ctx context.Context, k DeliveryKey) (Delivery, error)
	// SaveDelivery saves d if its version is current. With wake, the same transaction sends a message to
	// webhook-delivery.
	SaveDelivery(ctx context.Context, d Delivery, wake bool) (Delivery, error)
	// SaveAttempt saves a delivery to s and an attempt.
	SaveAttempt(ctx context.Context, s Subscription, d Delivery, a Attempt) error
	// SaveAcknowledged is SaveAttempt for an acknowledged first attempt. It overwrites what another worker has written
	// about the attempt. The rows must hold no data of a user.
	SaveAcknowledged(ctx context.Context, s Subscription, d Delivery, a Attempt) error
	DeleteDelivery(ctx context.Context, k DeliveryKey) error
	// AcquireSlot takes one of the concurrency limit's slots, until `until`. It returns outcome.ErrChanged if none is
	// free.
	AcquireSlot(ctx context.Context, s Subscription, limit int, now, until clock.Real) (Slot, error)
	// ReleaseSlot releases a slot. until is its value in AcquireSlot.
	ReleaseSlot(ctx context.Context, s Subscription, slot int, until clock.Real) error
	// SetLimit changes the subscription's concurrency limit, unless it has changed since s was read.
	SetLimit(ctx context.Context, s Subscription, limit int) error
}

// HealthStore stores whether subscriptions fail.
type HealthStore interface {
	// SaveFailing is SaveAttempt for the exhausted delivery with which s begins to fail. The same transaction counts
	// the delivery and writes the event e and an Alert. If s is already failing or was deleted, SaveFailing saves
	// nothing and returns ErrNotWell.
	SaveFailing(ctx context.Context, s Subscription, d Delivery, a Attempt, e outbox.Event) error
	// NoteAcknowledged records an acknowledged delivery, which ends a failure.
	NoteAcknowledged(ctx context.Context, partner owner.PartnerID, subscriptionID string, at clock.Real) error
	// NoteExhausted counts an exhausted delivery, whose last attempt ended with r, and returns the updated
	// subscription.
	NoteExhausted(ctx context.Context, partner owner.PartnerID, subscriptionID string, r Result) (Subscription, error)
	SaveSubscription(ctx context.Context, s Subscription, events ...outbox.Event) error
}

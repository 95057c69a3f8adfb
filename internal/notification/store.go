package notification

import (
	"context"
	"errors"
	"iter"
	"time"

	"aviso/internal/clock"
	"aviso/internal/messaging/outbox"
	"aviso/internal/owner"
)

// ErrTooManySubscriptions is returned by Store.CreateSubscription.
var ErrTooManySubscriptions = errors.New("notification: the partner has the maximum of subscriptions")

// ErrNotWell is returned by Store.SaveFailing.
var ErrNotWell = errors.New("notification: the subscription fails already, or it is gone")

// Store stores the whole area. Its methods return outcome.ErrNotFound if there is no
// such row and outcome.ErrChanged after a lost race. Deleting what does not exist is
// not an error.
type Store interface {
	// CreateSubscription writes a new subscription with its first secret. It returns
	// ErrTooManySubscriptions if the partner has MaxSubscriptions.
	CreateSubscription(ctx context.Context, s Subscription, secret Secret) error
	Subscription(ctx context.Context, partner owner.PartnerID, id string) (Subscription, error)
	// Subscriptions returns all of the partner's subscriptions, ordered by ID.
	Subscriptions(ctx context.Context, partner owner.PartnerID) ([]Subscription, error)
	// SaveSubscription replaces the version that s was read as, unless a delivery was
	// acknowledged since. It does not change the delivery counts. The events go into the same
	// transaction.
	SaveSubscription(ctx context.Context, s Subscription, events ...outbox.Event) error
	// DeleteSubscription deletes a subscription and its secrets, unless secrets were
	// written since s was read.
	DeleteSubscription(ctx context.Context, s Subscription) error
	// SaveSecrets writes all secrets or none. It returns outcome.ErrChanged if other
	// secrets were written since s was read, or s is gone.
	SaveSecrets(ctx context.Context, s Subscription, secrets ...Secret) error
	// Target returns a subscription with its secrets, newest first. Expired ones are kept for 30 days. If
	// secrets are written between the two reads, SaveSecrets refuses the subscription.
	Target(ctx context.Context, partner owner.PartnerID, subscriptionID string) (Target, error)

	// PutEvent writes a simulated event.
	PutEvent(ctx context.Context, e outbox.Event) error

	// CreateDelivery writes a new delivery. If it already exists, finished or not,
	// CreateDelivery returns the existing one unchanged. If the delivery has a User who
	// does not exist, it returns outcome.ErrNotFound.
	CreateDelivery(ctx context.Context, d Delivery) (Delivery, error)
	Delivery(ctx context.Context, k DeliveryKey) (Delivery, error)
	// LeaseDelivery leases the first start of an attempt: it counts it and sets LeaseUntil, if the
	// delivery is pending and due by then (now), and nobody is to be woken for it before until.
	// Otherwise the delivery stays as it is. LeaseDelivery returns it in either case.
	LeaseDelivery(ctx context.Context, k DeliveryKey, now, until clock.Real) (d Delivery, leased bool, err error)
	// SaveDelivery replaces the version that d was read as. With wake, a message for
	// webhook-delivery goes into the same transaction.
	SaveDelivery(ctx context.Context, d Delivery, wake bool) (Delivery, error)
	// SaveAttempt saves a delivery to s together with an attempt.
	SaveAttempt(ctx context.Context, s Subscription, d Delivery, a Attempt) error
	// SaveFailing is SaveAttempt for a delivery that was given up and with which s begins to
	// fail. It counts the delivery and writes the event e and an Alert in the same transaction.
	// It returns ErrNotWell, and has saved nothing, if s fails already or is gone.
	SaveFailing(ctx context.Context, s Subscription, d Delivery, a Attempt, e outbox.Event) error
	DeleteDelivery(ctx context.Context, k DeliveryKey) error
	// DueShards is how many shards pending deliveries are spread over for housekeeping.
	DueShards() int
	// DueDeliveries iterates over the deliveries of a shard whose WakeAt is not after
	// until, the longest overdue first. An error concerns one delivery that cannot be
	// read, or it comes last.
	DueDeliveries(ctx context.Context, shard int, until time.Time) iter.Seq2[Delivery, error]
	// PendingDeliveries returns the pending deliveries of events about the user.
	PendingDeliveries(ctx context.Context, user owner.User) ([]DeliveryKey, error)
	// EraseUser deletes those, and removes user and payload from attempts. It returns how
	// many rows it found.
	EraseUser(ctx context.Context, user owner.User) (int, error)
	// Attempts returns a page of the attempts of the last 30 days, newest first: of those
	// whose IDs sort before the position, if it is not empty.
	Attempts(
		ctx context.Context, s Subscription, limit int, position string,
	) (page []Attempt, next string, err error)

	// AcquireSlot takes one of the slots that the concurrency limit allows, until `until`. It returns
	// outcome.ErrChanged if none is free.
	AcquireSlot(ctx context.Context, s Subscription, limit int, now, until clock.Real) (Slot, error)
	// ReleaseSlot releases a slot that was taken until `until`.
	ReleaseSlot(ctx context.Context, s Subscription, slot int, until clock.Real) error
	// SetLimit changes the subscription's concurrency limit, unless somebody has since s was read.
	SetLimit(ctx context.Context, s Subscription, limit int) error

	// NoteAcknowledged records that a delivery was acknowledged: the subscription does not fail.
	NoteAcknowledged(ctx context.Context, partner owner.PartnerID, subscriptionID string, at clock.Real) error
	// NoteExhausted counts a delivery that was given up, after an attempt that ended with r,
	// and returns the updated subscription.
	NoteExhausted(ctx context.Context, partner owner.PartnerID, subscriptionID string, r Result) (Subscription, error)
}

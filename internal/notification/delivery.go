package notification

import (
	"crypto/sha256"
	"slices"
	"time"

	"github.com/google/uuid"

	"aviso/internal/clock"
	"aviso/internal/owner"
)

// DeliveryStatus is the status of a delivery.
type DeliveryStatus string

// The states.
const (
	DeliveryPending      DeliveryStatus = "Pending"
	DeliveryAcknowledged DeliveryStatus = "Acknowledged"
	// DeliveryExhausted: given up. The payload has been deleted.
	DeliveryExhausted DeliveryStatus = "Exhausted"
)

// DeliveryReason says why a delivery was given up.
type DeliveryReason string

// The reasons.
const (
	ReasonAttemptsUsed         DeliveryReason = "AttemptsUsed"
	ReasonSubscriptionPaused   DeliveryReason = "SubscriptionPaused"
	ReasonSubscriptionDisabled DeliveryReason = "SubscriptionDisabled"
)

// DeliveryKey identifies a delivery.
type DeliveryKey struct {
	Partner        owner.PartnerID `dynamodbav:"partner" json:"partner"`
	SubscriptionID string          `dynamodbav:"subscriptionId" json:"subscriptionId"`
	DeliveryID     string          `dynamodbav:"id" json:"deliveryId"`
}

// Delivery is the delivery of one event to one subscription.
type Delivery struct {
	DeliveryKey
	// User is the event's user while the delivery is pending, so that an erasure finds it. It is empty for events
	// without a user, and for EventUserErased.
	User      owner.UserID `dynamodbav:"user,omitempty"`
	EventID   string       `dynamodbav:"eventId"`
	EventType string       `dynamodbav:"eventType"`
	// Payload is the body of the callback; kept while the delivery is pending.
	Payload []byte `dynamodbav:"payload,omitempty"`
	// Peers is the number of the partner's active subscriptions, including this one.
	Peers     int            `dynamodbav:"peers"`
	Status    DeliveryStatus `dynamodbav:"status"`
	Reason    DeliveryReason `dynamodbav:"reason,omitempty"`
	CreatedAt clock.Real     `dynamodbav:"createdAt"`
	// Attempt is the number of the due or current attempt, from 1. NextAttemptAt is when it is due. Users share a
	// subscription, so its other times are real.
	Attempt       int          `dynamodbav:"attempt"`
	NextAttemptAt clock.OfUser `dynamodbav:"nextAttemptAt,omitempty"`
	// Sends is how often that attempt may have been started. LeaseUntil is when the last start stops counting as in
	// flight. Neither is written for the first start of a first attempt.
	Sends      int        `dynamodbav:"sends,omitempty"`
	LeaseUntil clock.Real `dynamodbav:"leaseUntil,omitempty"`
	// WakeAt is when housekeeping wakes webhook-delivery, if nothing else has.
	WakeAt clock.Real `dynamodbav:"wakeAt,omitempty"`
	// Attempts are the finished attempts, without payloads and answers.
	Attempts []Attempt `dynamodbav:"attempts,omitempty"`
	Version  int64     `dynamodbav:"version"`
}

// Owner returns the event's user, if any.
func (d Delivery) Owner() owner.User { return owner.User{Partner: d.Partner, ID: d.User} }

// Attempt is one callback and its result.
type Attempt struct {
	// ID is a UUIDv7, so later attempts have greater IDs. All attempts of a delivery have the same event.
	ID        string `dynamodbav:"id"`
	EventID   string `dynamodbav:"-"`
	EventType string `dynamodbav:"-"`
	Number    int    `dynamodbav:"number"`
	Result
	StartedAt clock.Real `dynamodbav:"startedAt"`
	// NextAttemptAt is zero after the last attempt.
	NextAttemptAt clock.Real `dynamodbav:"nextAttemptAt,omitempty"`
	// Payload is the body of the callback, in environments that store it. User is the event's user, if any, so that an
	// erasure finds it.
	Payload []byte       `dynamodbav:"payload,omitempty"`
	User    owner.UserID `dynamodbav:"user,omitempty"`
	// Kept is the Answer where the store keeps it apart, sealed and for KeepAnswer only.
	Kept string `dynamodbav:"-"`
}

// KeepAnswer is how long production keeps an answer.
const KeepAnswer = 7 * 24 * time.Hour

// DeliveryID returns the ID of the delivery of an event to a subscription. It is derived from both, so that a second
// dispatch finds the same delivery.
func DeliveryID(subscriptionID, eventID string) string {
	name := []byte("https://aviso.example/deliveries/" + subscriptionID + "/" + eventID)
	return uuid.NewHash(sha256.New(), uuid.NameSpaceURL, name, 8).String()
}

// wakeAfter is how long after its due time a delivery's message counts as lost.
const wakeAfter = 2 * time.Minute

// schedule makes an attempt due after a wait.
func (d *Delivery) schedule(attempt int, now clock.Real, userNow clock.OfUser, wait time.Duration) {
	d.Attempt, d.NextAttemptAt, d.Sends, d.LeaseUntil = attempt, userNow.Add(wait), 0, clock.Real{}
	d.WakeAt = now.Add(wait + wakeAfter)
}

// correctLast corrects when the last finished attempt says that the next one is: somebody moved the user's clock, or
// made the attempt at once. The store then corrects its row, too.
func (d *Delivery) correctLast(started clock.Real) {
	if n := len(d.Attempts); n > 0 && started.Before(d.Attempts[n-1].NextAttemptAt) {
		d.Attempts = slices.Clone(d.Attempts)
		d.Attempts[n-1].NextAttemptAt = started
	}
}

// wake prepares the delivery for a new message, because the last one seems lost. It may have started the attempt.
func (d *Delivery) wake(now clock.Real) {
	d.Sends, d.WakeAt = max(d.Sends, 1), now.Add(wakeAfter)
}

// finish ends the delivery and drops its payload and user, so that no personal data is left.
func (d *Delivery) finish(status DeliveryStatus, reason DeliveryReason) {
	d.Status, d.Reason, d.Payload, d.User = status, reason, nil, ""
	d.NextAttemptAt, d.LeaseUntil, d.WakeAt = clock.OfUser{}, clock.Real{}, clock.Real{}
}

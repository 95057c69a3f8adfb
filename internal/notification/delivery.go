package notification

import (
	"crypto/sha256"
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
	// User is whom the event is about, while the delivery is pending: an erasure finds
	// it by that. It is empty for events that concern no user, and for EventUserErased.
	User      owner.UserID `dynamodbav:"user,omitempty"`
	EventID   string       `dynamodbav:"eventId"`
	EventType string       `dynamodbav:"eventType"`
	// Payload is the body of the callback; kept while the delivery is pending.
	Payload []byte `dynamodbav:"payload,omitempty"`
	// Peers is how many active subscriptions the partner had, this one included.
	Peers     int            `dynamodbav:"peers"`
	Status    DeliveryStatus `dynamodbav:"status"`
	Reason    DeliveryReason `dynamodbav:"reason,omitempty"`
	CreatedAt clock.Real     `dynamodbav:"createdAt"`
	// Attempt is the number of the attempt that is due or in progress, from 1.
	// NextAttemptAt is when it is due. Users share a subscription, so its other times are real.
	Attempt       int          `dynamodbav:"attempt"`
	NextAttemptAt clock.OfUser `dynamodbav:"nextAttemptAt,omitempty"`
	// Sends is how often that attempt has been started. LeaseUntil is how long the
	// last start counts as in progress.
	Sends      int        `dynamodbav:"sends,omitempty"`
	LeaseUntil clock.Real `dynamodbav:"leaseUntil,omitempty"`
	// WakeAt is when housekeeping wakes webhook-delivery if nobody else has.
	WakeAt clock.Real `dynamodbav:"wakeAt,omitempty"`
	// Attempts are those made, without payloads and answers.
	Attempts []Attempt `dynamodbav:"attempts,omitempty"`
	Version  int64     `dynamodbav:"version"`
}

// Owner returns the user whom the event is about, if any.
func (d Delivery) Owner() owner.User { return owner.User{Partner: d.Partner, ID: d.User} }

// Attempt is one callback and its result.
type Attempt struct {
	// ID is a UUIDv7, so later attempts have greater IDs. A delivery has the event for all of its attempts.
	ID        string `dynamodbav:"id"`
	EventID   string `dynamodbav:"-"`
	EventType string `dynamodbav:"-"`
	Number    int    `dynamodbav:"number"`
	Result
	StartedAt clock.Real `dynamodbav:"startedAt"`
	// NextAttemptAt is zero after the last attempt.
	NextAttemptAt clock.Real `dynamodbav:"nextAttemptAt,omitempty"`
	// Payload is the body of the callback, in environments that keep it. User is whom it is
	// about, if anybody: an erasure finds it by that.
	Payload []byte       `dynamodbav:"payload,omitempty"`
	User    owner.UserID `dynamodbav:"user,omitempty"`
}

// DeliveryID returns the ID of the delivery of an event to a subscription. It is
// derived from both, so dispatching the event again finds the same delivery.
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

// finish ends the delivery and drops its payload and user, so that nothing is left that
// names anybody.
func (d *Delivery) finish(status DeliveryStatus, reason DeliveryReason) {
	d.Status, d.Reason, d.Payload, d.User = status, reason, nil, ""
	d.NextAttemptAt, d.LeaseUntil, d.WakeAt = clock.OfUser{}, clock.Real{}, clock.Real{}
}

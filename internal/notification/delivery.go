package notification

import (
	"time"

	"github.com/google/uuid"

	"aviso/internal/owner"
)

// DeliveryStatus is where the way of one event to one subscription stands.
type DeliveryStatus string

// The states.
const (
	DeliveryPending      DeliveryStatus = "Pending"
	DeliveryAcknowledged DeliveryStatus = "Acknowledged"
	// DeliveryExhausted: it is not tried any more. The payload is gone.
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

// DeliveryKey names a delivery.
type DeliveryKey struct {
	Partner        owner.PartnerID `json:"partner"`
	SubscriptionID string          `json:"subscriptionId"`
	DeliveryID     string          `json:"deliveryId"`
}

// Delivery is the way of one event to one subscription.
type Delivery struct {
	DeliveryKey
	// User is empty for events that are about nobody.
	User      owner.UserID
	EventID   string
	EventType string
	// Payload is the body of the callback, while the delivery is pending.
	Payload   []byte
	Status    DeliveryStatus
	Reason    DeliveryReason
	CreatedAt time.Time
	// Attempt is the number of the attempt that is due or under way, from 1, and
	// NextAttemptAt when it is due.
	Attempt       int
	NextAttemptAt time.Time
	// Sends is how often that attempt has been begun, and LeaseUntil until when
	// the last of these is under way.
	Sends      int
	LeaseUntil time.Time
	// WakeAt is when housekeeping wakes webhook-delivery, should nobody else have
	// done so.
	WakeAt  time.Time
	Version int64
}

// Attempt is one callback that was made, and how it ended.
type Attempt struct {
	// ID is a UUIDv7: later attempts have greater ids.
	ID                 string
	EventID, EventType string
	Number             int
	Result
	StartedAt time.Time
	// NextAttemptAt is zero after the last one.
	NextAttemptAt time.Time
}

// deliveryID is that of an event for a subscription: the same however often the
// event is handed out.
func deliveryID(subscriptionID, eventID string) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://aviso.example/deliveries/"+subscriptionID+"/"+eventID)).String()
}

// wakeAfter is how long after a delivery is due its message counts as lost.
const wakeAfter = 2 * time.Minute

// due makes an attempt due at a time.
func (d *Delivery) due(attempt int, at time.Time) {
	d.Attempt, d.NextAttemptAt, d.Sends, d.LeaseUntil = attempt, at, 0, time.Time{}
	d.WakeAt = at.Add(wakeAfter)
}

// end gives the delivery up, or closes it; its payload goes.
func (d *Delivery) end(status DeliveryStatus, reason DeliveryReason) {
	d.Status, d.Reason, d.Payload = status, reason, nil
	d.NextAttemptAt, d.LeaseUntil, d.WakeAt = time.Time{}, time.Time{}, time.Time{}
}

package notification

import (
	"slices"

	"aviso/internal/clock"
	"aviso/internal/owner"
)

// SubscriptionStatus says whether a subscription receives events.
type SubscriptionStatus string

// The states.
const (
	SubscriptionActive SubscriptionStatus = "Active"
	// SubscriptionPaused: by the partner.
	SubscriptionPaused SubscriptionStatus = "Paused"
	// SubscriptionDisabled: by the operator, or automatically after failures.
	SubscriptionDisabled SubscriptionStatus = "Disabled"
)

// SubscriptionReason is why a subscription is Disabled; otherwise empty.
type SubscriptionReason string

// The reasons.
const (
	ReasonNone SubscriptionReason = ""
	// ReasonByOperator: the operator disabled it.
	ReasonByOperator SubscriptionReason = "DisabledByOperator"
	// ReasonTooManyFailures: 20 deliveries were exhausted and nothing was
	// acknowledged for five days.
	ReasonTooManyFailures SubscriptionReason = "TooManyFailures"
)

// AllEvents subscribes to every type, including future ones.
const AllEvents = "*"

// Subscription is a partner's subscription to events, posted to a URL.
type Subscription struct {
	ID      string          `dynamodbav:"id"`
	Partner owner.PartnerID `dynamodbav:"partner"`
	// ServerURL is the URL that events are posted to.
	ServerURL string `dynamodbav:"serverUrl"`
	// Events are event types, or AllEvents alone.
	Events      []string           `dynamodbav:"events"`
	Description string             `dynamodbav:"description,omitempty"`
	Status      SubscriptionStatus `dynamodbav:"status"`
	Reason      SubscriptionReason `dynamodbav:"reason,omitempty"`
	// KeepsAnswers: production keeps the receiver's answers, too.
	KeepsAnswers bool       `dynamodbav:"keepsAnswers,omitempty"`
	CreatedAt    clock.Real `dynamodbav:"createdAt"`
	UpdatedAt    clock.Real `dynamodbav:"updatedAt"`
	// ActiveSince is when the subscription was created or last reactivated.
	ActiveSince clock.Real `dynamodbav:"activeSince"`
	// Exhausted counts the deliveries exhausted since the last acknowledgement, at AcknowledgedAt. AcknowledgedAt is
	// zero before the first one.
	Exhausted      int        `dynamodbav:"exhausted"`
	AcknowledgedAt clock.Real `dynamodbav:"acknowledgedAt"`
	// FailingSince is when the first of them was exhausted; zero while the receiver works. FailingReason and
	// FailingDetail are the last result of the latest one.
	FailingSince  clock.Real `dynamodbav:"failingSince,omitempty"`
	FailingReason Outcome    `dynamodbav:"failingReason,omitempty"`
	FailingDetail string     `dynamodbav:"failingDetail,omitempty"`
	// AlertedAt is when the last mail about a failure was sent. AlertLease is the end of the lease for sending one.
	AlertedAt  clock.Real `dynamodbav:"alertedAt,omitempty"`
	AlertLease clock.Real `dynamodbav:"alertLease,omitempty"`
	Version    int64      `dynamodbav:"version"`
	// SecretsVersion counts the writes of secrets. It is separate from Version, so that changes of the subscription and
	// of its secrets do not conflict.
	SecretsVersion int64 `dynamodbav:"secretsVersion,omitempty"`
	// Limit is the concurrency limit; 0 if it has never changed. PeakLimit is its highest value so far.
	Limit     int `dynamodbav:"slots,omitempty"`
	PeakLimit int `dynamodbav:"peakSlots,omitempty"`
}

// Wants reports whether the subscription receives events of this type now.
func (s Subscription) Wants(eventType string) bool {
	return s.Status == SubscriptionActive &&
		(slices.Contains(s.Events, AllEvents) || slices.Contains(s.Events, eventType))
}

// SecretStatus says whether a secret signs.
type SecretStatus string

// The states. Active and Expiring secrets sign.
const (
	SecretActive   SecretStatus = "Active"
	SecretExpiring SecretStatus = "Expiring"
	SecretRevoked  SecretStatus = "Revoked"
)

// Secret is a key that signs the callbacks of one subscription.
type Secret struct {
	ID string `dynamodbav:"id"`
	// Key is whsec_ and the base64 of 32 random bytes, as in the Standard Webhooks specification. Partners see it only
	// once.
	Key       Key        `dynamodbav:"-"`
	CreatedAt clock.Real `dynamodbav:"createdAt"`
	// ExpiresAt is when the secret stops signing; zero for the newest one.
	ExpiresAt clock.Real `dynamodbav:"endsAt,omitempty"`
	Revoked   bool       `dynamodbav:"revoked,omitempty"`
}

// Target is a subscription with all of its secrets.
type Target struct {
	Subscription
	Secrets []Secret
}

// NewSubscription is a subscription with its first secret.
type NewSubscription struct {
	Subscription Subscription
	Secret       Secret
}

// Status returns the status at a time.
func (s Secret) Status(now clock.Real) SecretStatus {
	switch {
	case s.Revoked, !s.ExpiresAt.IsZero() && !now.Before(s.ExpiresAt):
		return SecretRevoked
	case !s.ExpiresAt.IsZero():
		return SecretExpiring
	default:
		return SecretActive
	}
}

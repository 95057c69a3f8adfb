package notification

import (
	"slices"
	"time"

	"aviso/internal/owner"
)

// SubscriptionStatus is whether a subscription is told of events.
type SubscriptionStatus string

// The states.
const (
	SubscriptionActive SubscriptionStatus = "Active"
	// SubscriptionPaused: by the partner.
	SubscriptionPaused SubscriptionStatus = "Paused"
	// SubscriptionDisabled: by the operator, or by itself after failures.
	SubscriptionDisabled SubscriptionStatus = "Disabled"
)

// SubscriptionReason tells why a subscription is Disabled; else empty.
type SubscriptionReason string

// The reasons.
const (
	ReasonNone SubscriptionReason = ""
	// ReasonByOperator: somebody at the operator has disabled it.
	ReasonByOperator SubscriptionReason = "DisabledByOperator"
	// ReasonTooManyFailures: 20 deliveries were exhausted, and for five days
	// nothing was acknowledged.
	ReasonTooManyFailures SubscriptionReason = "TooManyFailures"
)

// AllEvents subscribes to every type, also to those to come.
const AllEvents = "*"

// Subscription is a partner's wish to be told of events at an address.
type Subscription struct {
	ID      string
	Partner owner.PartnerID
	// ServerURL is where events are posted to.
	ServerURL string
	// Events are event types, or AllEvents alone.
	Events      []string
	Description string
	Status      SubscriptionStatus
	Reason      SubscriptionReason
	CreatedAt   time.Time
	UpdatedAt   time.Time
	// ActiveSince is when it was made, or last made active again.
	ActiveSince time.Time
	// Exhausted counts the deliveries that were given up since the last
	// acknowledgement, which was at AcknowledgedAt; zero before the first.
	Exhausted      int
	AcknowledgedAt time.Time
	Version        int64
}

// Wants tells whether the subscription is to be told of events of this type now.
func (s Subscription) Wants(eventType string) bool {
	return s.Status == SubscriptionActive && (slices.Contains(s.Events, AllEvents) || slices.Contains(s.Events, eventType))
}

// SecretStatus is whether a secret signs.
type SecretStatus string

// The states. Active and Expiring ones sign.
const (
	SecretActive   SecretStatus = "Active"
	SecretExpiring SecretStatus = "Expiring"
	SecretRevoked  SecretStatus = "Revoked"
)

// Secret is a key that signs the callbacks of one subscription.
type Secret struct {
	ID string
	// Key is whsec_ and the base64 of 32 random bytes, after the Standard
	// Webhooks specification. Partners see it once.
	Key       Key
	CreatedAt time.Time
	// ExpiresAt is when it ends to sign; zero for the newest one.
	ExpiresAt time.Time
	Revoked   bool
}

// Status is that at a time.
func (s Secret) Status(now time.Time) SecretStatus {
	switch {
	case s.Revoked, !s.ExpiresAt.IsZero() && !now.Before(s.ExpiresAt):
		return SecretRevoked
	case !s.ExpiresAt.IsZero():
		return SecretExpiring
	default:
		return SecretActive
	}
}

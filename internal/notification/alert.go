package notification

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

const (
	// alertInterval is the minimum time between two mails about a subscription. Without it, a receiver that fails and
	// recovers in turn would use up the service's mail quota.
	alertInterval = time.Hour
	// alertLease is longer than sending a mail takes. So the mail is sent twice only if the function crashes before it
	// records the mail.
	alertLease = time.Minute
)

// Alert is a message that asks for a mail about a failing subscription.
type Alert struct {
	Partner        owner.PartnerID `json:"partner"`
	SubscriptionID string          `json:"subscriptionId"`
	FailingSince   clock.Real      `json:"failingSince"`
}

// AlertStore is the part of the store that Alerts needs. Its methods return outcome.ErrNotFound and
// outcome.ErrChanged like those of the others.
type AlertStore interface {
	Subscription(ctx context.Context, partner owner.PartnerID, id string) (Subscription, error)
	// LeaseAlert leases the mail about s to one caller. It requires that nobody has leased the mail since s was read,
	// and that s is still in the same failure.
	LeaseAlert(ctx context.Context, s Subscription, until clock.Real) error
	// NoteAlerted records that the mail about s was sent, and ends the lease.
	NoteAlerted(ctx context.Context, s Subscription, at clock.Real) error
}

// Alerts mails a partner when one of its subscriptions begins to fail.
type Alerts struct {
	store AlertStore
	// address returns the partner's address for alerts, or "".
	address func(ctx context.Context, partner owner.PartnerID) (string, error)
	mail    func(ctx context.Context, to string, s Subscription) error
	now     func() time.Time
}

// NewAlerts wires the service.
func NewAlerts(
	store AlertStore, address func(context.Context, owner.PartnerID) (string, error),
	mail func(ctx context.Context, to string, s Subscription) error, now func() time.Time,
) *Alerts {
	return &Alerts{store: store, address: address, mail: mail, now: now}
}

// Send sends the mail, unless it was already sent or the receiver has recovered. It is idempotent and safe for
// concurrent calls. It returns outcome.Later while another call sends the mail.
func (a *Alerts) Send(ctx context.Context, alert Alert) error {
	s, err := a.store.Subscription(ctx, alert.Partner, alert.SubscriptionID)
	if errors.Is(err, outcome.ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read subscription: %w", err)
	}
	now := clock.Read(a.now)
	alerted := !s.AlertedAt.Before(s.FailingSince) || now.Sub(s.AlertedAt) < alertInterval
	if s.FailingSince.Compare(alert.FailingSince) != 0 || alerted {
		return nil
	}
	if wait := s.AlertLease.Sub(now); wait > 0 {
		return &outcome.Later{After: wait}
	}
	to, err := a.address(ctx, alert.Partner)
	if err != nil {
		return fmt.Errorf("read address of alerts: %w", err)
	}
	if to == "" {
		return nil
	}
	if err := a.store.LeaseAlert(ctx, s, now.Add(alertLease)); errors.Is(err, outcome.ErrChanged) {
		return &outcome.Later{After: alertLease}
	} else if err != nil {
		return fmt.Errorf("lease alert: %w", err)
	}
	if err := a.mail(ctx, to, s); err != nil {
		return fmt.Errorf("send alert: %w", err)
	}
	if err := a.store.NoteAlerted(ctx, s, now); err != nil {
		return fmt.Errorf("note alert: %w", err)
	}
	return nil
}

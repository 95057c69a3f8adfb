package notification

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/clock"
	"aviso/internal/messaging/outbox"
	"aviso/internal/owner"
)

// SimulatorStore is the part of the store that a Simulator needs.
type SimulatorStore interface {
	SubscriptionReader

	// PutEvent writes a simulated event.
	PutEvent(ctx context.Context, e outbox.Event, also idempotency.Effect[outbox.Event]) error
}

// Simulator creates test events for partners.
type Simulator struct {
	// Clocks, if set, finds the clocks of users.
	Clocks clock.Users

	store      SimulatorStore
	admit      func(ctx context.Context, user owner.User) error
	production bool
	now        func() time.Time
	newID      func() string
}

// NewSimulator wires the service. admit returns nil for a partner's users. In production the Simulator refuses every
// call.
func NewSimulator(
	store SimulatorStore, admit func(ctx context.Context, user owner.User) error, production bool, now func() time.Time,
	newID func() string,
) *Simulator {
	return &Simulator{store: store, admit: admit, production: production, now: now, newID: newID}
}

// Simulation is the event that a partner requests. Without SubscriptionID it goes to every subscription. Without User
// it is about nobody. Without Data it has the type's example.
type Simulation struct {
	EventType      string
	SubscriptionID string
	User           owner.UserID
	Data           json.RawMessage
}

// Simulate creates the event, which is delivered like any other.
func (s *Simulator) Simulate(
	ctx context.Context, partner owner.PartnerID, in Simulation, also idempotency.Effect[outbox.Event],
) (outbox.Event, error) {
	if s.production {
		return outbox.Event{}, apierror.New(apierror.NotAvailableInProd,
			"Events can be simulated outside production only.")
	}
	kind, ok := FindEventType(in.EventType)
	if !ok {
		return outbox.Event{}, apierror.Invalid(unknownType("/eventType"))
	}
	data := kind.Example
	if len(in.Data) > 0 {
		if err := ValidateData(in.EventType, in.Data); err != nil {
			return outbox.Event{}, err
		}
		data = in.Data
	}
	if in.User != "" {
		if err := s.admit(ctx, owner.User{Partner: partner, ID: in.User}); err != nil {
			return outbox.Event{}, err
		}
	}
	if err := s.listening(ctx, partner, in); err != nil {
		return outbox.Event{}, err
	}
	ctx, err := clock.For(ctx, s.Clocks, owner.User{Partner: partner, ID: in.User})
	if err != nil {
		return outbox.Event{}, err
	}
	e := outbox.Event{
		ID: s.newID(), Type: in.EventType, OccurredAt: clock.UserNow(ctx, s.now), Partner: partner, User: in.User,
		Data: data, IsSimulated: true, SubscriptionID: in.SubscriptionID,
	}
	if err := s.store.PutEvent(ctx, e, also); err != nil {
		return outbox.Event{}, fmt.Errorf("put event: %w", err)
	}
	return e, nil
}

// listening returns an error if no subscription would get the event.
func (s *Simulator) listening(ctx context.Context, partner owner.PartnerID, in Simulation) error {
	if in.SubscriptionID == "" {
		all, err := s.store.Subscriptions(ctx, partner)
		if err != nil {
			return fmt.Errorf("read subscriptions: %w", err)
		}
		if slices.ContainsFunc(all, func(sub Subscription) bool { return sub.Wants(in.EventType) }) {
			return nil
		}
		return apierror.New(apierror.SubscriptionNotListening,
			"You have no Active subscription to events of this type.")
	}
	sub, err := s.store.Subscription(ctx, partner, in.SubscriptionID)
	switch {
	case err != nil:
		return subscriptionError(err)
	case sub.Status != SubscriptionActive:
		return apierror.New(apierror.SubscriptionNotListening, "The subscription is "+string(sub.Status)+".")
	case !sub.Wants(in.EventType):
		return apierror.New(apierror.SubscriptionNotListening,
			"The subscription does not include events of this type.")
	}
	return nil
}

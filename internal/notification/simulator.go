package notification

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"aviso/internal/apierror"
	"aviso/internal/authz"
	"aviso/internal/clock"
	"aviso/internal/event"
	"aviso/internal/owner"
)

// Simulator makes events that nothing has caused.
type Simulator struct {
	store      Store
	users      authz.Gate
	production bool
	now        func() time.Time
	newID      func() string
}

// NewSimulator wires the service. users admits a partner's users. In production
// it refuses.
func NewSimulator(store Store, users authz.Gate, production bool, now func() time.Time, newID func() string) *Simulator {
	return &Simulator{store: store, users: users, production: production, now: now, newID: newID}
}

// Simulation is the event that a partner asks for. Empty members mean: to every
// subscription, about nobody, with the type's example as data.
type Simulation struct {
	EventType      string
	SubscriptionID string
	User           owner.UserID
	Data           json.RawMessage
}

// Simulate makes the event. It is delivered as any other.
func (s *Simulator) Simulate(ctx context.Context, partner owner.PartnerID, w Simulation) (event.Event, error) {
	if s.production {
		return event.Event{}, apierror.New(apierror.NotAvailableInProd, "Events are simulated in the other environments only.")
	}
	kind, ok := FindEventType(w.EventType)
	if !ok {
		return event.Event{}, apierror.Invalid(
			apierror.Field{Pointer: "/eventType", Code: "unknown", Detail: "GET /webhooks/v1/event-types lists the types."},
		)
	}
	data := kind.Example
	if len(w.Data) > 0 {
		if err := ValidateData(w.EventType, w.Data); err != nil {
			return event.Event{}, err
		}
		data = w.Data
	}
	if w.SubscriptionID != "" {
		if _, err := s.store.Subscription(ctx, partner, w.SubscriptionID); err != nil {
			return event.Event{}, asFault(err)
		}
	}
	if w.User != "" {
		if err := s.users.Admit(ctx, owner.User{Partner: partner, ID: w.User}); err != nil {
			return event.Event{}, err
		}
	}
	e := event.Event{
		ID: s.newID(), Type: w.EventType, OccurredAt: clock.Read(s.now), Partner: partner, User: w.User,
		Data: data, IsSimulated: true, SubscriptionID: w.SubscriptionID,
	}
	if err := s.store.PutEvent(ctx, e); err != nil {
		return event.Event{}, fmt.Errorf("put event: %w", err)
	}
	return e, nil
}

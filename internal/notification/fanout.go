package notification

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"aviso/internal/clock"
	"aviso/internal/messaging/outbox"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// FanOutStore is the part of the store that FanOut needs.
type FanOutStore interface {
	Subscriptions(ctx context.Context, partner owner.PartnerID) ([]Subscription, error)
	// CreateDelivery writes a new delivery. If the delivery already exists, finished or not, CreateDelivery returns it
	// unchanged. It returns outcome.ErrNotFound if the User does not exist.
	CreateDelivery(ctx context.Context, d Delivery) (Delivery, error)
}

// FanOut creates a delivery for each subscription that matches an event.
type FanOut struct {
	store FanOutStore
	// subscriptions reads a partner's subscriptions.
	subscriptions func(ctx context.Context, partner owner.PartnerID) ([]Subscription, error)
	// environment is part of every payload.
	environment string
	now         func() time.Time
}

// NewFanOut wires the service.
func NewFanOut(store FanOutStore, environment string, now func() time.Time) *FanOut {
	return &FanOut{store: store, subscriptions: store.Subscriptions, environment: environment, now: now}
}

// Batch returns a FanOut that reads each partner's subscriptions only once. It is for events that are already
// committed: all events of a busy partner would read the same rows.
func (f *FanOut) Batch() *FanOut {
	batch, known := *f, sync.Map{} // by owner.PartnerID
	batch.subscriptions = func(ctx context.Context, partner owner.PartnerID) ([]Subscription, error) {
		read, _ := known.LoadOrStore(partner, sync.OnceValues(func() ([]Subscription, error) {
			return f.subscriptions(ctx, partner)
		}))
		return read.(func() ([]Subscription, error))() //nolint:forcetypeassert // nothing else is stored
	}
	return &batch
}

// payload is the body of a callback.
type payload struct {
	EventID     string          `json:"eventId"`
	EventType   string          `json:"eventType"`
	OccurredAt  clock.OfUser    `json:"occurredAt"`
	Environment string          `json:"environment"`
	IsSimulated bool            `json:"isSimulated"`
	UserID      owner.UserID    `json:"userId"`
	Data        json.RawMessage `json:"data"`
}

// Dispatch creates the deliveries of an event and returns the ones that need a message to webhook-delivery, even
// after an error. It is idempotent: a second call creates no deliveries, but returns the pending ones again, because
// the first message may have been lost. It drops events about an erased user, except EventUserErased.
func (f *FanOut) Dispatch(ctx context.Context, e outbox.Event) (wake []DeliveryKey, err error) {
	subscriptions, err := f.subscriptions(ctx, e.Partner)
	if err != nil {
		return nil, fmt.Errorf("read subscriptions: %w", err)
	}
	body, err := json.Marshal(payload{
		EventID: e.ID, EventType: e.Type, OccurredAt: e.OccurredAt, Environment: f.environment,
		IsSimulated: e.IsSimulated, UserID: e.User, Data: e.Data,
	})
	if err != nil {
		return nil, fmt.Errorf("marshal payload: %w", err)
	}
	peers := 0
	for _, s := range subscriptions {
		if s.Status == SubscriptionActive {
			peers++
		}
	}
	for _, s := range subscriptions {
		if !s.Wants(e.Type) || s.ID == e.ExceptSubscriptionID || e.SubscriptionID != "" && e.SubscriptionID != s.ID {
			continue
		}
		d, err := f.createDelivery(ctx, s, peers, e, body)
		if err != nil && !errors.Is(err, outcome.ErrNotFound) {
			return wake, fmt.Errorf("create delivery: %w", err)
		}
		if err == nil && d.Status == DeliveryPending {
			wake = append(wake, d.DeliveryKey)
		}
	}
	return wake, nil
}

func (f *FanOut) createDelivery(
	ctx context.Context, s Subscription, peers int, e outbox.Event, body []byte,
) (Delivery, error) {
	now, userNow := clock.Read(f.now), clock.UserNow(ctx, f.now)
	d := Delivery{
		DeliveryKey: DeliveryKey{Partner: s.Partner, SubscriptionID: s.ID, DeliveryID: DeliveryID(s.ID, e.ID)},
		User:        e.User, EventID: e.ID, EventType: e.Type, Payload: body, Peers: peers,
		Status: DeliveryPending, CreatedAt: now,
	}
	if e.Type == EventUserErased {
		d.User = ""
	}
	d.schedule(1, now, userNow, 0)
	return f.store.CreateDelivery(ctx, d)
}

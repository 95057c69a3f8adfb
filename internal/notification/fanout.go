package notification

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
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
	// CreateDelivery saves a new delivery. If there is one, or the user does not exist, it returns outcome.ErrChanged.
	CreateDelivery(ctx context.Context, d Delivery) error
}

// FanOut makes a delivery for each subscription that matches an event.
type FanOut struct {
	store FanOutStore
	// environment is part of every payload.
	environment string
	clocks      clock.Users
	now         func() time.Time
}

// NewFanOut wires the service. clocks finds the clocks of users; it may be nil.
func NewFanOut(store FanOutStore, environment string, clocks clock.Users, now func() time.Time) *FanOut {
	return &FanOut{store: store, environment: environment, clocks: clocks, now: now}
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

// Dispatch returns the deliveries of committed events, and an error or nil for each event. The caller sends them to
// webhook-delivery. It may dispatch an event again: the deliveries are the same ones. An event with deliveries that are
// not only keys stays in the outbox.
func (f *FanOut) Dispatch(ctx context.Context, events []outbox.Event) (all [][]Delivery, errs []error) {
	all, errs = make([][]Delivery, len(events)), make([]error, len(events))
	subscriptions := map[owner.PartnerID]*subscriptionsRead{}
	var working sync.WaitGroup
	for _, e := range events {
		if subscriptions[e.Partner] == nil {
			read := &subscriptionsRead{err: errNotRead}
			subscriptions[e.Partner] = read
			working.Go(func() { read.all, read.err = f.store.Subscriptions(ctx, e.Partner) })
		}
	}
	working.Wait()
	for i, e := range events {
		all[i], errs[i] = f.deliveries(ctx, e, *subscriptions[e.Partner])
	}
	return all, errs
}

// subscriptionsRead has the subscriptions of a partner, or the error of reading them.
type subscriptionsRead struct {
	all []Subscription
	err error
}

// errNotRead is the error of a read that has not ended.
var errNotRead = errors.New("the read was cut off")

// deliveries returns the new deliveries of an event.
func (f *FanOut) deliveries(ctx context.Context, e outbox.Event, subscriptions subscriptionsRead) ([]Delivery, error) {
	if subscriptions.err != nil {
		return nil, fmt.Errorf("read subscriptions: %w", subscriptions.err)
	}
	ctx, err := clock.For(ctx, f.clocks, owner.User{Partner: e.Partner, ID: e.User})
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(payload{
		EventID: e.ID, EventType: e.Type, OccurredAt: e.OccurredAt, Environment: f.environment,
		IsSimulated: e.IsSimulated, UserID: e.User, Data: e.Data,
	})
	if err != nil {
		return nil, fmt.Errorf("marshal payload: %w", err)
	}
	peers := 0
	for _, s := range subscriptions.all {
		if s.Status == SubscriptionActive {
			peers++
		}
	}
	all, ids := []Delivery{}, []string{}
	for _, s := range subscriptions.all {
		if !s.Wants(e.Type) || s.ID == e.ExceptSubscriptionID || e.SubscriptionID != "" && e.SubscriptionID != s.ID {
			continue
		}
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
		if clock.From(ctx) != (clock.Setting{}) { // the clock stops for the deliveries in the store
			if err := f.store.CreateDelivery(ctx, d); err != nil && !errors.Is(err, outcome.ErrChanged) {
				return nil, fmt.Errorf("create delivery: %w", err)
			}
			d = Delivery{DeliveryKey: d.DeliveryKey}
		}
		all, ids = append(all, d), append(ids, s.ID)
	}
	for i := range all {
		all[i].Others = slices.Concat(ids[:i], ids[i+1:])
	}
	return all, nil
}

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
	// CreateDeliveries writes new deliveries, if possible together. A delivery that already exists, finished or not, is
	// returned unchanged. It returns an error or nil for each: outcome.ErrNotFound if the User does not exist.
	CreateDeliveries(ctx context.Context, all []Delivery) ([]Delivery, []error)
}

// FanOut creates a delivery for each subscription that matches an event.
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

// Dispatch creates the deliveries of committed events. For each event it returns an error or nil, and the deliveries
// that need a message to webhook-delivery, even after an error. It is idempotent: a second call creates no deliveries,
// but returns the pending ones again, because the first message may have been lost. It drops events about an erased
// user, except EventUserErased.
func (f *FanOut) Dispatch(ctx context.Context, events []outbox.Event) (wake [][]DeliveryKey, errs []error) {
	wake, errs = make([][]DeliveryKey, len(events)), make([]error, len(events))
	wanted, subscriptions := make([][]Delivery, len(events)), map[owner.PartnerID]*subscriptionsRead{}
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
		errs[i] = errNotRead
		working.Go(func() { wanted[i], errs[i] = f.deliveries(ctx, e, *subscriptions[e.Partner]) })
	}
	working.Wait()
	var of []int // of[n] is the index of the event of the delivery n
	for i := range wanted {
		of = append(of, slices.Repeat([]int{i}, len(wanted[i]))...)
	}
	created, failed := f.store.CreateDeliveries(ctx, slices.Concat(wanted...))
	for n, err := range failed {
		i := of[n]
		if err == nil && created[n].Status == DeliveryPending {
			wake[i] = append(wake[i], created[n].DeliveryKey)
		} else if err != nil && !errors.Is(err, outcome.ErrNotFound) {
			errs[i] = errors.Join(errs[i], fmt.Errorf("create delivery: %w", err))
		}
	}
	return wake, errs
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
	var all []Delivery
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
		all = append(all, d)
	}
	return all, nil
}

package notification

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/internal/messaging/outbox"
)

// Wake sends webhook-delivery a message for the delivery.
type Wake func(ctx context.Context, k DeliveryKey) error

// FanOut creates a delivery of an event for each subscription that wants it.
type FanOut struct {
	store Store
	// known are the subscriptions of the partners whose events this batch had so far; nil
	// outside of a batch.
	known *sync.Map // of owner.PartnerID and *known
	// environment is part of every payload.
	environment string
	now         func() time.Time
}

// NewFanOut wires the service.
func NewFanOut(store Store, environment string, now func() time.Time) *FanOut {
	return &FanOut{store: store, environment: environment, now: now}
}

// known are a partner's subscriptions, once somebody has read them.
type known struct {
	mu   sync.Mutex
	read bool
	all  []Subscription
}

// Batch returns a FanOut that reads a partner's subscriptions once, for events that were
// committed before: all events of a busy partner would read the same rows.
func (f *FanOut) Batch() *FanOut {
	batch := *f
	batch.known = &sync.Map{}
	return &batch
}

func (f *FanOut) subscriptions(ctx context.Context, partner owner.PartnerID) (all []Subscription, err error) {
	if f.known == nil {
		return f.store.Subscriptions(ctx, partner)
	}
	found, _ := f.known.LoadOrStore(partner, &known{})
	k := found.(*known) //nolint:forcetypeassert // nothing else is stored
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.read {
		if k.all, err = f.store.Subscriptions(ctx, partner); err != nil {
			return nil, err
		}
		k.read = true
	}
	return k.all, nil
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

// Dispatch creates the deliveries of an event and calls wake for each.
// It is idempotent: a second call creates no deliveries, but calls wake
// again for the pending ones, because the earlier message may have been lost. It drops
// the events about a user who has been erased, except EventUserErased.
func (f *FanOut) Dispatch(ctx context.Context, e outbox.Event, wake Wake) error {
	subscriptions, err := f.subscriptions(ctx, e.Partner)
	if err != nil {
		return fmt.Errorf("read subscriptions: %w", err)
	}
	var body []byte
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
		if body == nil {
			if body, err = json.Marshal(payload{
				EventID: e.ID, EventType: e.Type, OccurredAt: e.OccurredAt, Environment: f.environment,
				IsSimulated: e.IsSimulated, UserID: e.User, Data: e.Data,
			}); err != nil {
				return fmt.Errorf("marshal payload: %w", err)
			}
		}
		err := f.createDelivery(ctx, s, peers, e, body, wake)
		if err != nil && !errors.Is(err, outcome.ErrNotFound) {
			return err
		}
	}
	return nil
}

// lateEvent is how old an event is that may have been fanned out before.
const lateEvent = time.Minute

func (f *FanOut) createDelivery(
	ctx context.Context, s Subscription, peers int, e outbox.Event, body []byte, wake Wake,
) error {
	now, userNow := clock.Read(f.now), clock.UserNow(ctx, f.now)
	k := DeliveryKey{Partner: s.Partner, SubscriptionID: s.ID, DeliveryID: DeliveryID(s.ID, e.ID)}
	if userNow.Sub(e.OccurredAt) > lateEvent {
		shared := k
		shared.DeliveryID = sharedDeliveryID(s.ID, e.ID)
		if d, err := f.store.Delivery(ctx, shared); !errors.Is(err, outcome.ErrNotFound) {
			return wakePending(ctx, d, err, wake)
		}
	}
	d := Delivery{
		DeliveryKey: k,
		User:        e.User, EventID: e.ID, EventType: e.Type, Payload: body, Peers: peers,
		Status: DeliveryPending, CreatedAt: now,
	}
	if e.Type == EventUserErased {
		d.User = ""
	}
	d.schedule(1, now, userNow, 0)
	d, err := f.store.CreateDelivery(ctx, d)
	return wakePending(ctx, d, err, wake)
}

// wakePending wakes a delivery that was read or created, with err.
func wakePending(ctx context.Context, d Delivery, err error, wake Wake) error {
	if err != nil {
		return fmt.Errorf("create delivery: %w", err)
	}
	if d.Status != DeliveryPending {
		return nil
	}
	if err := wake(ctx, d.DeliveryKey); err != nil {
		return fmt.Errorf("wake delivery: %w", err)
	}
	return nil
}

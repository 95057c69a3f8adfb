// Package notificationtest has shared parts for tests of the notification area.
package notificationtest

import (
	"context"
	"time"

	"github.com/google/uuid"

	"aviso/internal/clock"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
)

// Noon is the time at which tests start.
func Noon() time.Time { return time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC) }

// SampleSubscription returns a subscription of partner p to all events.
func SampleSubscription() notification.Subscription {
	noon := clock.Real(Noon())
	return notification.Subscription{
		ID: uuid.NewString(), Partner: "p", ServerURL: "https://partner.example/hook",
		Events: []string{notification.AllEvents}, Description: "d", Status: notification.SubscriptionActive,
		CreatedAt: noon, UpdatedAt: noon, ActiveSince: noon,
	}
}

// SampleSecret returns a secret that was created at a time.
func SampleSecret(at time.Time) notification.Secret {
	return notification.Secret{
		ID: uuid.Must(uuid.NewV7()).String(), Key: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
		CreatedAt: clock.Real(at),
	}
}

// SampleDelivery returns a delivery to the subscription, due at noon.
func SampleDelivery(s notification.Subscription) notification.Delivery {
	eventID, noon := uuid.NewString(), clock.Real(Noon())
	id := notification.DeliveryID(s.ID, eventID)
	return notification.Delivery{
		DeliveryKey: notification.DeliveryKey{Partner: s.Partner, SubscriptionID: s.ID, DeliveryID: id},
		User:        "u", EventID: eventID, EventType: "webhook.ping", Payload: []byte(`{}`),
		Status: notification.DeliveryPending, CreatedAt: noon, Attempt: 1, NextAttemptAt: clock.OfUser(Noon()),
		WakeAt: noon.Add(time.Minute),
	}
}

// Sealer does not seal.
type Sealer struct{}

// Seal returns plain.
func (Sealer) Seal(plain []byte, _ string) []byte { return plain }

// Open returns sealed.
func (Sealer) Open(sealed []byte, _ string) ([]byte, error) { return sealed, nil }

// Create writes a delivery.
func Create(
	ctx context.Context, store notification.FanOutStore, d notification.Delivery,
) (notification.Delivery, error) {
	created, errs := store.CreateDeliveries(ctx, []notification.Delivery{d})
	return created[0], errs[0]
}

// Dispatch dispatches one event.
func Dispatch(ctx context.Context, f *notification.FanOut, e outbox.Event) ([]notification.DeliveryKey, error) {
	wake, errs := f.Dispatch(ctx, []outbox.Event{e})
	return wake[0], errs[0]
}

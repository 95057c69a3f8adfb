// Package notificationapi is the HTTP side of the notification area.
package notificationapi

import (
	"context"

	"aviso/internal/api"
	"aviso/internal/event"
	"aviso/internal/notification"
	"aviso/internal/owner"
)

// Services is what the operations call.
type Services struct {
	Subscriptions SubscriptionService
	Simulator     SimulationService
}

// SubscriptionService manages subscriptions, their secrets, and tells what was
// tried.
type SubscriptionService interface {
	Create(ctx context.Context, partner owner.PartnerID, w notification.Wish) (notification.Subscription, notification.Secret, error)
	List(ctx context.Context, partner owner.PartnerID) ([]notification.Subscription, error)
	Get(ctx context.Context, partner owner.PartnerID, id string) (notification.Subscription, error)
	Update(ctx context.Context, partner owner.PartnerID, id string, w notification.Wish) (notification.Subscription, error)
	SetStatus(ctx context.Context, partner owner.PartnerID, id string, status notification.SubscriptionStatus) (notification.Subscription, error)
	Delete(ctx context.Context, partner owner.PartnerID, id string) error
	Secrets(ctx context.Context, partner owner.PartnerID, id string) ([]notification.Secret, error)
	AddSecret(ctx context.Context, partner owner.PartnerID, id string) (notification.Secret, error)
	RevokeSecret(ctx context.Context, partner owner.PartnerID, id, secretID string) error
	Attempts(ctx context.Context, partner owner.PartnerID, id string, limit int, position string) ([]notification.Attempt, string, error)
}

// SimulationService makes events that nothing has caused.
type SimulationService interface {
	Simulate(ctx context.Context, partner owner.PartnerID, w notification.Simulation) (event.Event, error)
}

// The prefix of the area's operations.
const prefix = "/webhooks/v1"

// Register adds the area's operations.
func Register(r *api.Router, s Services) {
	registerSubscriptions(r, s.Subscriptions)
	registerSecrets(r, s.Subscriptions)
	registerAttempts(r, s.Subscriptions)
	registerEvents(r, s.Simulator)
}

// Package notificationapi is the HTTP side of the notification area.
package notificationapi

import (
	"aviso/internal/api"
	"aviso/internal/notification"
)

// Services is what the operations call.
type Services struct {
	Subscriptions *notification.Subscriptions
	Simulator     *notification.Simulator
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

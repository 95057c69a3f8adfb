// Package notificationapi is the HTTP API of the notification area.
package notificationapi

import (
	"aviso/internal/api"
	"aviso/internal/notification"
)

// Services are the services that the operations call.
type Services struct {
	Subscriptions *notification.Subscriptions
	Simulator     *notification.Simulator
}

// prefix is the path prefix of the area's operations.
const prefix = "/webhooks/v1"

// Register adds the area's operations to the router.
func Register(r *api.Router, s Services) {
	registerSubscriptions(r, s.Subscriptions)
	registerSecrets(r, s.Subscriptions)
	registerAttempts(r, s.Subscriptions)
	registerEvents(r, s.Simulator)
}

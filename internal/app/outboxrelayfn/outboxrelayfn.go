// Package outboxrelayfn builds the function outbox-relay, which reads the outbox
// table's stream and sends messages to their queues and events to subscriptions.
package outboxrelayfn

import (
	"context"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/app/bootstrap"
	"aviso/internal/app/relay"
	"aviso/internal/aws/config"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification/notificationdb"
)

// New builds the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	r := config.NewReader(env)
	sender, err := relay.New(ctx, env, r)
	if err != nil {
		return nil, err
	}
	notices := notificationdb.New(sender.Dynamo, r.Required("NOTIFICATION_TABLE"), "", nil, time.Now, bootstrap.NewID)
	defer bootstrap.WarmUp(ctx, notices.Subscriptions)()
	defer bootstrap.StartWarmUp(ctx, func(ctx context.Context) error {
		return sender.Queues.Warm(ctx, outbox.DeliveryQueue)
	})()
	return bootstrap.EndingEarly(sender.HandleStream), nil
}

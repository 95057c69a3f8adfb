// Package outboxrelayfn builds the function outbox-relay, which reads the outbox
// table's stream and sends messages to their queues and events to subscriptions.
package outboxrelayfn

import (
	"context"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/app/bootstrap"
	"aviso/internal/app/relay"
	"aviso/internal/aws/config"
	"aviso/internal/messaging/queue"
	"aviso/internal/notification/notificationdb"
)

// New builds the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	r := config.NewReader(env)
	sender, err := relay.New(ctx, env, r)
	if err != nil {
		return nil, err
	}
	client, url := sqs.NewFromConfig(sender.Config), r.Required("DELIVERY_QUEUE_URL")
	notices := notificationdb.New(sender.Dynamo, r.Required("NOTIFICATION_TABLE"), "", nil, time.Now, bootstrap.NewID)
	defer bootstrap.WarmUp(ctx, notices.Subscriptions)()
	defer bootstrap.StartWarmUp(ctx, func(ctx context.Context) error {
		_, err := queue.Visible(ctx, client, url)
		return err
	})()
	return bootstrap.EndingEarly(sender.HandleStream), nil
}

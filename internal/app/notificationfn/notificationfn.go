// Package notificationfn builds the function notification, which serves event
// subscriptions, their signing keys and simulated events.
package notificationfn

import (
	"context"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/api/apigateway"
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/httpapi"
	"aviso/internal/aws/config"
	"aviso/internal/identity"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationapi"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/notification/webhook"
	"aviso/internal/secret/keyring"
)

// New builds the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return keyring.Reloading(ctx, env, time.Now, Build)
}

// Build builds the function once. New also rebuilds it when its secrets change.
func Build(ctx context.Context, env config.Env, cache *keyring.Cache) (lambda.Handler, error) {
	r := config.NewReader(env)
	table, outboxTable := r.Required("NOTIFICATION_TABLE"), r.Required("OUTBOX_TABLE")
	webhookSecret := r.Required("WEBHOOK_SECRET")
	var root keyring.Root
	e, err := httpapi.New(ctx, "notification", httpapi.UserAndData, env, r, cache,
		func(ctx context.Context, _ bootstrap.Clients, secrets keyring.SecretReader) (err error) {
			root, err = keyring.Load(ctx, secrets, webhookSecret)
			return err
		})
	if err != nil {
		return nil, err
	}
	keys, err := root.Sealer(keyring.WebhookKeys)
	if err != nil {
		return nil, err
	}
	store := notificationdb.New(e.Dynamo, table, outboxTable, keys, time.Now, bootstrap.NewID)
	simulator := notification.NewSimulator(store, identity.NewAgreements(e.Identity, time.Now).AdmitAny,
		e.Stage == config.Production, time.Now, bootstrap.NewID)
	simulator.Clocks = e.Clocks
	notificationapi.Register(e.Router, notificationapi.Services{
		Subscriptions: notification.NewSubscriptions(
			store, webhook.NewForStage(e.Stage, env, time.Now).Check, time.Now, bootstrap.NewSortableID),
		Simulator: simulator,
	})
	return apigateway.HandlerBehind(apigateway.EdgeOf(env, time.Now), e.Router.Handler()), nil
}

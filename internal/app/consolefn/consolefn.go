// Package consolefn builds the function console, the partners' console.
package consolefn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"aviso/internal/api/apigateway"
	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"

	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/console"
	"aviso/internal/console/consoledb"
	"aviso/internal/console/feed"
	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/notification/webhook"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/secret/keyring"
)

// The credentials that the local stack is seeded with, filled in on its sign-in page.
const localClientID, localSecret = "sandbox", "sandbox-secret"

// New builds the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return keyring.Reloading(ctx, env, time.Now, build)
}

func build(ctx context.Context, env config.Env, cache *keyring.Cache) (lambda.Handler, error) {
	r := config.NewReader(env)
	stage, baseURL, signIn := r.Stage(), r.Optional("BASE_URL", ""), r.Optional("CONSOLE_SIGN_IN", "")
	identityTable, consoleTable := r.Required("IDENTITY_TABLE"), r.Required("CONSOLE_TABLE")
	pfmTable, cancellationTable := r.Required("PFM_TABLE"), r.Required("CANCELLATION_TABLE")
	sealingSecret, webhookSecret := r.Required("SEALING_SECRET"), r.Required("WEBHOOK_SECRET")
	notificationTable, outboxTable := r.Required("NOTIFICATION_TABLE"), r.Required("OUTBOX_TABLE")
	c, err := bootstrap.NewClients(ctx, env, r)
	if err != nil {
		return nil, err
	}
	secrets := cache.Reader(c.Config)
	root, err := keyring.Load(ctx, secrets, sealingSecret)
	webhookRoot, webhookErr := keyring.Load(ctx, secrets, webhookSecret)
	provider, providerErr := provider(ctx, secrets, signIn)
	if err := errors.Join(err, webhookErr, providerErr); err != nil {
		return nil, err
	}
	keys, err := webhookRoot.Sealer(keyring.WebhookKeys)
	if err != nil {
		return nil, err
	}
	sealer, err := root.Sealer("console")
	if err != nil {
		return nil, err
	}
	store := consoledb.New(c.Dynamo, consoleTable, identityTable, time.Now)
	people := identitydb.New(c.Dynamo, identityTable)
	hooks := notificationdb.New(c.Dynamo, notificationTable, outboxTable, keys, time.Now, bootstrap.NewID)
	agreements := identity.NewAgreements(people, time.Now)
	simulator := notification.NewSimulator(
		hooks, agreements.AdmitAny, stage == config.Production, time.Now, bootstrap.NewID)
	simulator.Clocks = dynamo.NewClocks(c.Dynamo, r)
	banking := pfmdb.New(c.Dynamo, pfmTable, outboxTable, time.Now, bootstrap.NewID)
	banking.RequireUsers(identityTable)
	// The console only reads cancellations, so they need no outbox.
	letters := cancellationdb.New(c.Dynamo, cancellationTable, "", time.Now, bootstrap.NewSortableID)
	users := identity.NewUsers(people, time.Now, bootstrap.NewID)
	options := console.Options{
		BaseURL: baseURL, Stage: stage, Sealer: sealer, Provider: provider,
		Partners: identity.NewRegistrar(people, time.Now, keyring.RandomToken),
		Store:    store,
		Webhooks: console.Webhooks{
			Subscriptions: notification.NewSubscriptions(
				hooks, webhook.NewForStage(stage, env, time.Now).Check, time.Now, bootstrap.NewSortableID),
			Deliveries: notification.NewSupervision(hooks, time.Now), Sign: webhook.Sign, Simulator: simulator,
		},
		Users: users, Connections: banking, Cancellations: letters,
		Connecting: connection.New(connection.Deps{
			Store: banking, Gate: agreements.Gate(identity.PFMTerms()...), AnyUser: agreements.Gate(),
			ReturnURL: identity.NewPartners(people).ReturnURL, Now: time.Now,
			NewID: bootstrap.NewID, NewSecret: keyring.RandomToken,
		}),
		Product: catalogue.New(letters).OrganizationProduct,
		Now:     time.Now, NewID: bootstrap.NewSortableID, Log: slog.Default(),
	}
	if stage == config.Local {
		options.Example = console.Example{ClientID: localClientID, Secret: localSecret}
	}
	if stage != config.Production {
		clocks := identitydb.NewClockStore(people, outboxTable, time.Now, bootstrap.NewID)
		options.Clocks = identity.NewUserClocks(clocks, users, time.Now)
	}
	pages := apigateway.HandlerBehind(apigateway.EdgeOf(env, time.Now), console.New(options))
	return byEvent{requests: pages, feed: feed.New(store, slog.Default())}, nil
}

// provider returns the sign-in provider that a secret describes, or nil if there is none.
func provider(ctx context.Context, secrets keyring.SecretReader, id string) (*console.Provider, error) {
	if id == "" {
		return nil, nil //nolint:nilnil // no provider is configured
	}
	out, err := secrets.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &id})
	if err != nil {
		return nil, fmt.Errorf("read console sign-in: %w", err)
	}
	if out.SecretString == nil {
		return nil, errors.New("read console sign-in: it has no text value")
	}
	return console.ParseProvider(*out.SecretString, time.Now)
}

// byEvent separates API Gateway's requests from stream records and log events.
type byEvent struct {
	requests lambda.Handler
	feed     *feed.Feed
}

// Invoke implements lambda.Handler.
func (h byEvent) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var shape struct {
		Version string          `json:"version"`
		AWSLogs json.RawMessage `json:"awslogs"`
		Records json.RawMessage `json:"Records"`
	}
	err := json.Unmarshal(payload, &shape)
	switch {
	case err == nil && shape.Version != "":
		return h.requests.Invoke(ctx, payload)
	case err == nil && shape.AWSLogs != nil:
		return bootstrap.EndingEarly(h.logs).Invoke(ctx, payload)
	case err == nil && shape.Records != nil:
		return bootstrap.EndingEarly(h.feed.HandleStream).Invoke(ctx, payload)
	}
	return nil, errors.New("console: an event that is not a request and not of a stream or log")
}

func (h byEvent) logs(ctx context.Context, e events.CloudwatchLogsEvent) (struct{}, error) {
	return struct{}{}, h.feed.HandleLogs(ctx, e)
}

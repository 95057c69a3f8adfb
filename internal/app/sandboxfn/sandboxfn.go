// Package sandboxfn builds the function sandbox, which simulates banks, a post office,
// a fax gateway and the organizations that answer letters.
package sandboxfn

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/api/apigateway"
	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"
	"aviso/internal/messaging/queue"
	"aviso/internal/sandbox"
	"aviso/internal/sandbox/mailroom"
	"aviso/internal/secret/keyring"
)

// New builds the function, which serves requests and processes delayed steps from its
// own queue. New fails in production, whatever the template says.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return keyring.Reloading(ctx, env, time.Now, build)
}

func build(ctx context.Context, env config.Env, cache *keyring.Cache) (lambda.Handler, error) {
	r := config.NewReader(env)
	stage, table, baseURL := r.Stage(), r.Required("SANDBOX_TABLE"), r.Optional("BASE_URL", "")
	queueURL, secret := r.Required("SANDBOX_QUEUE_URL"), r.Required("CARRIER_SECRET")
	if stage == config.Production {
		return nil, errors.New("the sandbox does not run in production")
	}
	c, err := bootstrap.NewClients(ctx, env, r)
	if err != nil {
		return nil, err
	}
	root, err := keyring.Load(ctx, cache.Reader(c.Config), secret)
	if err != nil {
		return nil, err
	}
	credentials, err := keyring.DeriveCarriers(root)
	if err != nil {
		return nil, err
	}
	var sessionKey []byte
	if stage != config.Local { // on a developer's machine nobody else sees the letters
		sessionKey = []byte(credentials.SessionKey)
	}
	client := sqs.NewFromConfig(c.Config)
	s := sandbox.New(sandbox.Options{
		DynamoDB: c.Dynamo, Table: table, BaseURL: baseURL, Stage: stage,
		Scheduler: laterQueue{queue.NewSender(client, map[string]string{ownQueue: queueURL})},
		Post: mailroom.PostCredentials{
			ClientID: credentials.PostClientID, ClientSecret: credentials.PostClientSecret,
			OrganisationID: credentials.PostOrganisationID, WebhookSecret: credentials.PostWebhookSecret,
		},
		Fax: mailroom.FaxCredentials{
			ProjectID: credentials.FaxProjectID, KeyID: credentials.FaxKeyID, KeySecret: credentials.FaxKeySecret,
		},
		ReplyToken: credentials.ReplyToken, MailToken: credentials.MailToken, SessionKey: sessionKey,
		Now: time.Now, Log: slog.Default(),
	})
	worker := &queue.Worker[mailroom.Step]{
		Service: "sandbox", Client: client, URL: queueURL, Log: slog.Default(), Now: time.Now,
		Work: func(ctx context.Context, step mailroom.Step, _ int) error { return s.Advance(ctx, step) },
	}
	return bootstrap.Either{
		Requests: apigateway.HandlerBehind(apigateway.EdgeOf(env, time.Now), s),
		Messages: bootstrap.Handler[events.SQSEvent, events.SQSEventResponse](worker.Handle),
	}, nil
}

// ownQueue is the queue for the delayed steps of the sandbox's carriers.
const ownQueue = "sandbox"

// laterQueue delays steps through the sandbox's queue.
type laterQueue struct{ sender *queue.Sender }

// Schedule implements mailroom.Scheduler.
func (q laterQueue) Schedule(ctx context.Context, after time.Duration, step mailroom.Step) error {
	return q.sender.SendJSON(ctx, ownQueue, step, after)
}

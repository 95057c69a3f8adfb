// Package letterdispatchfn builds the function letter-dispatch, which receives letters
// from their queue and sends them through carriers.
package letterdispatchfn

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/carrier"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/dynamo"
	"aviso/internal/messaging/queue"
	"aviso/internal/outcome"
	"aviso/internal/secret/keyring"
)

// New builds the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return keyring.Reloading(ctx, env, time.Now, build)
}

func build(ctx context.Context, env config.Env, cache *keyring.Cache) (lambda.Handler, error) {
	r := config.NewReader(env)
	table, outboxTable := r.Required("CANCELLATION_TABLE"), r.Required("OUTBOX_TABLE")
	identityTable, notificationTable := r.Required("IDENTITY_TABLE"), r.Required("NOTIFICATION_TABLE")
	queueURL, baseURL := r.Required("LETTER_QUEUE_URL"), r.Required("BASE_URL")
	console := r.Optional("CONSOLE_URL", "")
	settings := carrier.ReadSettings(r, time.Now)
	c, err := bootstrap.NewClients(ctx, env, r)
	if err != nil {
		return nil, err
	}
	store := cancellationdb.New(c.Dynamo, table, outboxTable, time.Now, bootstrap.NewID)
	store.RequireUsers(identityTable)
	store.OnSave(dispatch.LogWait(slog.Default(), time.Now))
	defer bootstrap.WarmUp(ctx, store.CancellationOwner)()
	carriers, erasers, err := newCarriers(ctx, c, cache.Reader(c.Config), settings, baseURL)
	if err != nil {
		return nil, err
	}
	clocks := dynamo.NewClocks(c.Dynamo, r)
	dispatcher := &dispatch.Dispatcher{
		Store: store, Carriers: carriers, Erasers: erasers, Now: time.Now, NewID: bootstrap.NewID,
		Outcomes: &dispatch.Feedback{Store: store, Now: time.Now, Clocks: clocks},
		Disabled: dynamo.DisabledIn(dynamo.NewTable(c.Dynamo, identityTable), time.Now),
	}
	worker := &queue.Worker[Message]{
		Service: "letter-dispatch", Client: sqs.NewFromConfig(c.Config), URL: queueURL,
		Log: slog.Default(), Now: time.Now,
		Work:  Work(Retryable(dispatcher.Do), newAlerts(c, settings, notificationTable, identityTable, console)),
		Owner: Message.Owner, Clocks: clocks,
	}
	return bootstrap.Handler[events.SQSEvent, events.SQSEventResponse](worker.Handle), nil
}

// A letter that will be retried soon keeps its message, until the message has used up its receives. For all others
// housekeeping sends a new message.
const (
	soon         = 10 * time.Minute
	fewAttempts  = 4
	shortestWait = time.Second
)

// Retryable decides who retries a job that asks for it: the queue or housekeeping.
func Retryable(
	do func(context.Context, cancellation.Job, int) error,
) func(context.Context, cancellation.Job, int) error {
	return func(ctx context.Context, job cancellation.Job, attempt int) error {
		err := do(ctx, job, attempt)
		var later *outcome.Later
		if !errors.As(err, &later) {
			return err
		}
		if later.After > soon || attempt >= fewAttempts && job.Kind == cancellation.JobSend {
			slog.InfoContext(ctx, "letter waits", "cancellation", job.CancellationID,
				"seconds", later.After.Seconds(), "cause", later.Error())
			return nil
		}
		return &outcome.Later{After: max(later.After, shortestWait), Err: later.Err, Normal: later.Normal}
	}
}

// Package banksyncfn builds the function bank-sync, which syncs connections with
// their banks and deletes them.
package banksyncfn

import (
	"context"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/app/bankclient"
	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"
	"aviso/internal/dynamo"
	"aviso/internal/messaging/queue"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/enrich"
	"aviso/internal/secret/keyring"
)

// New builds the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return keyring.Reloading(ctx, env, time.Now, build)
}

func build(ctx context.Context, env config.Env, cache *keyring.Cache) (lambda.Handler, error) {
	r := config.NewReader(env)
	queueURL, waitURL := r.Required("SYNC_QUEUE_URL"), r.Required("SYNC_WAIT_QUEUE_URL")
	s, err := bankclient.NewSync(ctx, env, r, cache, enrich.Transaction)
	if err != nil {
		return nil, err
	}
	client := sqs.NewFromConfig(s.Config)
	breaker := &connection.Breaker{
		Jobs: s.Jobs, Store: s.Store, Note: logOutage,
		Resend: resend(queue.NewSender(client, map[string]string{waitQueue: waitURL})),
	}
	clocks := dynamo.NewClocks(s.Dynamo, r)
	worker := func(url string) *queue.Worker[connection.SyncJob] {
		return &queue.Worker[connection.SyncJob]{
			Service: "bank-sync", Client: client, URL: url, Log: slog.Default(), Now: time.Now, Work: breaker.Do,
			Owner: connection.SyncJob.Owner, Clocks: clocks, About: connection.SyncJob.About,
		}
	}
	first, waited := worker(queueURL), worker(waitURL)
	return bootstrap.EndingEarly(func(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
		if len(e.Records) > 0 && queue.IsFrom(e.Records[0], waitURL) {
			return waited.Handle(ctx, e)
		}
		return first.Handle(ctx, e)
	}), nil
}

// waitQueue is the sender's name for the queue of jobs whose bank is down.
const waitQueue = "waiting"

// resend returns the function for connection.Breaker.Resend.
func resend(sender *queue.Sender) func(context.Context, connection.SyncJob, time.Duration) error {
	return func(ctx context.Context, job connection.SyncJob, after time.Duration) error {
		return sender.SendJSON(ctx, waitQueue, job, after) // the supplier has sealed the job's secret
	}
}

// logOutage is the function for connection.Breaker.Note.
func logOutage(ctx context.Context, providerID string, down bool, err error) {
	switch {
	case err != nil:
		slog.WarnContext(ctx, "outage not stored", "provider", providerID, "error", err.Error())
	case down:
		slog.WarnContext(ctx, "bank is down", "provider", providerID)
	default:
		slog.InfoContext(ctx, "bank answers again", "provider", providerID)
	}
}

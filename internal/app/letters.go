package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/config"
	"aviso/internal/queue"
)

// LetterDispatch is the function that hands letters to carriers.
func LetterDispatch(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return renewed(ctx, env, time.Now, buildLetterDispatch)
}

func buildLetterDispatch(ctx context.Context, env config.Env, held *heldSecrets) (lambda.Handler, error) {
	r := config.NewReader(env)
	table, outboxTable, queueURL, baseURL := r.Required("CANCELLATION_TABLE"), r.Required("OUTBOX_TABLE"), r.Required("LETTER_QUEUE_URL"), r.Required("BASE_URL")
	settings := readCarrierSettings(r)
	if err := r.Err(); err != nil {
		return nil, err
	}
	c, err := newClients(env)
	if err != nil {
		return nil, err
	}
	store := observedLetters{cancellationdb.New(c.dynamo, table, outboxTable, time.Now, newID), slog.Default(), time.Now}
	defer warmed(ctx, func(ctx context.Context) error { _, err := store.CancellationOwner(ctx, nothing); return err })()
	carriers, erasers, err := settings.carriers(ctx, c, c.reader(held), baseURL)
	if err != nil {
		return nil, err
	}
	jobs := cancellation.NewJobs(
		cancellation.NewDispatcher(store, carriers, time.Now, newID), cancellation.NewCarrierErasure(store, erasers))
	worker := &queue.Worker[cancellation.Job]{
		Service: "letter-dispatch", Client: c.sqs(), URL: queueURL, Log: slog.Default(), Now: time.Now, Work: lettersRetryable(jobs.Do),
	}
	return handlerFunc[events.SQSEvent, events.SQSEventResponse](worker.Handle), nil
}

// A letter that is to be tried again soon keeps its message, as long as that has
// deliveries left; for all others housekeeping leaves a new one.
const (
	soon         = 10 * time.Minute
	fewAttempts  = 4
	shortestWait = time.Second
)

// lettersRetryable translates the area's wish for another attempt into the
// queue's.
func lettersRetryable(do func(context.Context, cancellation.Job, int) error) func(context.Context, cancellation.Job, int) error {
	return func(ctx context.Context, job cancellation.Job, attempt int) error {
		err := do(ctx, job, attempt)
		var later *cancellation.RetryLater
		if !errors.As(err, &later) {
			return err
		}
		if later.After > soon || attempt >= fewAttempts && job.Kind == cancellation.JobSend {
			slog.InfoContext(ctx, "letter waits", "cancellation", job.CancellationID, "seconds", later.After.Seconds(), "cause", later.Err.Error())
			return nil
		}
		return &queue.Retry{After: max(later.After, shortestWait), Err: later.Err}
	}
}

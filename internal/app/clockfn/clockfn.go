// Package clockfn builds the function clock, which advances the clocks of sandbox users. Production does not have it.
package clockfn

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/app/bankclient"
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/contractterms"
	"aviso/internal/app/relay"
	"aviso/internal/aws/config"

	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/carrier"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/queue"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/owner"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/enrich"
	"aviso/internal/secret/keyring"
)

// New builds the function. It fails in production, whatever the template says.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return keyring.Reloading(ctx, env, time.Now, build)
}

func build(ctx context.Context, env config.Env, cache *keyring.Cache) (lambda.Handler, error) {
	r := config.NewReader(env)
	if r.Stage() == config.Production {
		return nil, errors.New("nobody's clock can be moved in production")
	}
	identityTable, outboxTable := r.Required("IDENTITY_TABLE"), r.Required("OUTBOX_TABLE")
	cancellationTable, notificationTable := r.Required("CANCELLATION_TABLE"), r.Required("NOTIFICATION_TABLE")
	queueURL, baseURL := r.Required("CLOCK_QUEUE_URL"), r.Required("BASE_URL")
	retention := r.Int("ENDED_DATA_DAYS", connection.DefaultRetention, connection.MinRetention)
	carriers := carrier.ReadSettings(r, time.Now)
	sender, err := relay.New(ctx, env, r)
	if err != nil {
		return nil, err
	}
	bank, err := bankclient.NewSync(ctx, env, r, cache, enrich.Transaction)
	if err != nil {
		return nil, err
	}
	accounts, err := carriers.Accounts(ctx, cache.Reader(bank.Config), baseURL)
	if err != nil {
		return nil, err
	}
	mail := carrier.NewLetterClock(*accounts.Sandbox)
	letters := cancellationdb.New(bank.Dynamo, cancellationTable, outboxTable, time.Now, bootstrap.NewID)
	notices := notificationdb.New(bank.Dynamo, notificationTable, outboxTable, nil, time.Now, bootstrap.NewID)
	bank.Store.HoldMessages()
	letters.HoldMessages()
	notices.HoldMessages()
	people := identitydb.New(bank.Dynamo, identityTable)
	disabled := dynamo.DisabledIn(dynamo.NewTable(bank.Dynamo, identityTable), time.Now)
	terms := contractterms.New(letters.FirstProducts, letters.Products, time.Now)
	contracts := contract.NewDeadlineWatch(bank.Store, terms.Cancellables, terms.Deadlines, time.Now)
	runner := identity.NewClockRunner(
		identitydb.NewClockStore(people, outboxTable, time.Now, bootstrap.NewID), time.Now,
		func() []identity.TimedArea {
			return []identity.TimedArea{
				dispatch.NewDueWork(letters, mail, time.Now),
				notification.NewDueWork(notices, time.Now),
				connection.NewDueWork(bank.Store, bank.Syncer, contracts, retention),
				messages{sender.Relay},
			}
		})
	worker := &queue.Worker[owner.User]{
		Service: "clock", Client: sqs.NewFromConfig(bank.Config), URL: queueURL, Log: slog.Default(), Now: time.Now,
		Work: queue.Again(func(ctx context.Context, job owner.User, _ int) error {
			if shut, err := disabled(ctx, job.Partner); err != nil || shut {
				return err // housekeeping sends another job every minute
			}
			return runner.Run(ctx, job)
		}, outbox.ClockQueue, sender.Queues.SendJSON),
	}
	return bootstrap.EndingEarly(worker.Handle), nil
}

// messages sends the user's messages from the outbox on time: those that this function holds (outbox.Box), which
// nobody else sends, and other messages about the user.
type messages struct{ relay *outbox.Relay }

// NextDue implements identity.TimedArea: messages are due at once.
func (m messages) NextDue(ctx context.Context, user owner.User, _ time.Time) (time.Time, error) {
	found, err := m.relay.WaitsFor(ctx, user.ID)
	if err != nil || !found {
		return time.Time{}, err
	}
	return clock.Now(ctx, time.Now), nil
}

// DoDue implements identity.TimedArea.
func (m messages) DoDue(ctx context.Context, user owner.User) error {
	return m.relay.SendFor(ctx, user.ID)
}

// Package banksyncfn builds the function bank-sync, which syncs connections with
// their banks and deletes them.
package banksyncfn

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/app/bankclient"
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/secretreload"
	"aviso/internal/config"
	"aviso/internal/keyring"
	"aviso/internal/outbound"
	"aviso/internal/pfm"
	"aviso/internal/pfm/changetoken"
	"aviso/internal/pfm/enrich"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/queue"
	"aviso/internal/userrow"
)

// New builds the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return secretreload.New(ctx, env, time.Now, build)
}

func build(ctx context.Context, env config.Env, cache *secretreload.Cache) (lambda.Handler, error) {
	r := config.NewReader(env)
	table, outboxTable, queueURL := r.Required("PFM_TABLE"), r.Required("OUTBOX_TABLE"), r.Required("SYNC_QUEUE_URL")
	waitURL := r.Required("SYNC_WAIT_QUEUE_URL")
	stage, sealingSecret, identityTable := r.Stage(), r.Required("SEALING_SECRET"), r.Required("IDENTITY_TABLE")
	if err := r.Err(); err != nil {
		return nil, err
	}
	c, err := bootstrap.NewClients(env)
	if err != nil {
		return nil, err
	}
	store := pfmdb.New(c.Dynamo, table, outboxTable, time.Now, bootstrap.NewID)
	store.RequireUsers(identityTable)
	store.PaceRows()
	defer bootstrap.StartWarmUp(ctx, func(ctx context.Context) error {
		_, err := store.Provider(ctx, bootstrap.MissingID)
		return err
	})()
	rules, err := enrich.New()
	if err != nil {
		return nil, err
	}
	sealing, err := keyring.Load(ctx, cache.Reader(c.Config), sealingSecret)
	if err != nil {
		return nil, fmt.Errorf("sealing secret: %w", err)
	}
	bank, _, err := bankclient.New(c, stage, sealing, outbound.Timeouts{
		Connect: 5 * time.Second, Header: 15 * time.Second, Total: 30 * time.Second,
	})
	if err != nil {
		return nil, err
	}
	pages, err := sealing.Sealer(keyring.PageTokens)
	if err != nil {
		return nil, err
	}
	tokens := changetoken.Maker{Sealer: pages, Now: time.Now}
	syncer := pfm.NewSyncer(store, bank, enricher(rules), tokens.ChangesToken, time.Now, bootstrap.NewID)
	client := sqs.NewFromConfig(c.Config)
	breaker := pfm.NewBreaker(pfm.NewJobs(syncer, pfm.NewDeleter(store, bank)), pfm.BreakerDeps{
		Store: store, Now: time.Now, Note: logOutage,
		Resend: resend(queue.NewSender(client, map[string]string{waitQueue: waitURL})),
	})
	clocks := userrow.NewClocks(c.Dynamo, r)
	worker := func(url string) *queue.Worker[pfm.SyncJob] {
		return &queue.Worker[pfm.SyncJob]{
			Service: "bank-sync", Client: client, URL: url, Log: slog.Default(), Now: time.Now, Work: breaker.Do,
			Owner: pfm.SyncJob.Owner, Clocks: clocks,
		}
	}
	first, waited := worker(queueURL), worker(waitURL)
	return bootstrap.Handler[events.SQSEvent, events.SQSEventResponse](
		func(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
			ctx, cancel := bootstrap.EndEarly(ctx)
			defer cancel()
			if len(e.Records) > 0 && queue.IsFrom(e.Records[0], waitURL) {
				return waited.Handle(ctx, e)
			}
			return first.Handle(ctx, e)
		}), nil
}

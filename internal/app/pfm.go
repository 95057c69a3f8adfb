package app

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/api"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/config"
	"aviso/internal/identity"
	"aviso/internal/keyring"
	"aviso/internal/outbound"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/changetoken"
	"aviso/internal/pfm/enrich"
	"aviso/internal/pfm/pfmapi"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/queue"
)

// pfmGate admits calls of the PFM area: they need two sets of terms.
type pfmGate struct{ agreements *identity.Agreements }

func (g pfmGate) Admit(ctx context.Context, user owner.User) error {
	return g.agreements.Admit(ctx, user, identity.TermsOperator, identity.TermsBankingSupplier)
}

// PFM is the function of banks, connections, accounts and transactions.
func PFM(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return renewed(ctx, env, time.Now, buildPFM)
}

func buildPFM(ctx context.Context, env config.Env, held *heldSecrets) (lambda.Handler, error) {
	r := config.NewReader(env)
	table, outboxTable, cancellationTable := r.Required("PFM_TABLE"), r.Required("OUTBOX_TABLE"), r.Required("CANCELLATION_TABLE")
	e, err := newEdge(ctx, "pfm", env, r, held)
	if err != nil {
		return nil, err
	}
	store := pfmdb.New(e.dynamo, table, outboxTable, time.Now, newID)
	gate := pfmGate{identity.NewAgreements(e.identity, time.Now)}
	pfmapi.Register(e.router, pfmapi.Services{
		Providers: pfm.NewProviders(store),
		Connections: pfm.NewConnections(pfm.ConnectionDeps{
			// A user is waiting, and the function ends after 20 s.
			Store: store, Providers: store, Bank: newBank(e.clients, e.stage, outbound.Timeouts{Connect: 3 * time.Second, Header: 10 * time.Second, Total: 12 * time.Second}),
			Gate: gate, ReturnURLs: identity.NewPartners(e.identity), Now: time.Now, NewID: newID, NewSecret: keyring.RandomToken,
		}),
		Clients:  pfm.NewClients(gate),
		Reading:  pfm.NewReading(store, gate, time.Now),
		Insights: pfm.NewInsights(store, gate),
		Subscriptions: pfm.NewSubscriptions(store,
			newCancellables(cancellationdb.New(e.dynamo, cancellationTable, outboxTable, time.Now, newID), time.Now), gate, time.Now),
	})
	return api.LambdaHandler(e.router.Handler()), nil
}

// BankSync is the function that reads connections from their banks, and deletes
// them.
func BankSync(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return renewed(ctx, env, time.Now, buildBankSync)
}

func buildBankSync(ctx context.Context, env config.Env, held *heldSecrets) (lambda.Handler, error) {
	r := config.NewReader(env)
	table, outboxTable, queueURL := r.Required("PFM_TABLE"), r.Required("OUTBOX_TABLE"), r.Required("SYNC_QUEUE_URL")
	stage, sealingSecret := r.Stage(), r.Required("SEALING_SECRET")
	if err := r.Err(); err != nil {
		return nil, err
	}
	c, err := newClients(env)
	if err != nil {
		return nil, err
	}
	store := pfmdb.New(c.dynamo, table, outboxTable, time.Now, newID)
	bank := newBank(c, stage, outbound.Timeouts{Connect: 5 * time.Second, Header: 15 * time.Second, Total: 30 * time.Second})
	defer warmed(ctx, func(ctx context.Context) error { _, err := store.Provider(ctx, nothing); return err })()
	rules, err := enrich.New()
	if err != nil {
		return nil, err
	}
	sealing, err := keyring.Load(ctx, c.reader(held), sealingSecret)
	if err != nil {
		return nil, fmt.Errorf("sealing secret: %w", err)
	}
	pages, err := pageSealer(sealing)
	if err != nil {
		return nil, err
	}
	tokens := changetoken.Maker{Sealer: pages, Now: time.Now}
	syncer := pfm.NewSyncer(store, store, bank, enricher{rules}, tokens, time.Now, newID)
	jobs := pfm.NewJobs(syncer, pfm.NewDeleter(store, store, bank))
	worker := &queue.Worker[pfm.SyncJob]{
		Service: "bank-sync", Client: c.sqs(), URL: queueURL, Log: slog.Default(), Now: time.Now, Work: retryable(jobs.Do),
	}
	return handlerFunc[events.SQSEvent, events.SQSEventResponse](worker.Handle), nil
}

package bankclient

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"

	"aviso/internal/api/token"
	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"
	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/outbound"
	"aviso/internal/owner"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/pfm/transaction"
	"aviso/internal/secret/keyring"
)

// Sync has the jobs of bank-sync and the parts they were built from.
type Sync struct {
	*connection.Jobs
	bootstrap.Clients
	Store *pfmdb.Store
}

// NewSync builds the syncer of bank-sync and clock. It reads the variables of the connections, the users and the
// sealing secret. The rules are a parameter so that other functions do not link them.
func NewSync(
	ctx context.Context, env config.Env, r *config.Reader, cache *keyring.Cache, rules transaction.Enrich,
) (Sync, error) {
	table, outboxTable := r.Required("PFM_TABLE"), r.Required("OUTBOX_TABLE")
	stage, sealingSecret, identityTable := r.Stage(), r.Required("SEALING_SECRET"), r.Required("IDENTITY_TABLE")
	c, err := bootstrap.NewClients(ctx, env, r)
	if err != nil {
		return Sync{}, err
	}
	store := pfmdb.New(c.Dynamo, table, outboxTable, time.Now, bootstrap.NewID)
	store.RequireUsers(identityTable)
	store.PaceRows()
	defer bootstrap.WarmUp(ctx, store.Provider)()
	sealing, err := keyring.Load(ctx, cache.Reader(c.Config), sealingSecret)
	if err != nil {
		return Sync{}, fmt.Errorf("sealing secret: %w", err)
	}
	bank, err := New(c, stage, sealing, outbound.Timeouts{
		Connect: 5 * time.Second, Header: 15 * time.Second, Total: 30 * time.Second,
	}, nil)
	if err != nil {
		return Sync{}, err
	}
	pages, err := sealing.Sealer(keyring.PageTokens)
	if err != nil {
		return Sync{}, err
	}
	watches := contract.NewWatches(store, time.Now)
	watches.OrganizationOf = organizations()
	syncer := connection.NewSyncer(
		store, watches, bank, rules, ChangesToken(pages, time.Now), time.Now, bootstrap.NewID,
	)
	syncer.Disabled = dynamo.DisabledIn(dynamo.NewTable(c.Dynamo, identityTable), time.Now)
	syncer.Terms = identity.NewAgreements(identitydb.New(c.Dynamo, identityTable), time.Now).Gate(identity.PFMTerms()...)
	return Sync{Jobs: connection.NewJobs(store, syncer), Clients: c, Store: store}, nil
}

// ChangesToken returns the function that makes the `since` of transactions.updated events. Like any `since`, it is
// sealed as a page token and valid for 30 days.
func ChangesToken(sealer *keyring.Sealer, now func() time.Time) connection.ChangesToken {
	return func(user owner.User, since transaction.ChangePosition) string {
		return token.SealPage(sealer, now(), since.String(), token.BindPage(http.MethodGet+" "+transaction.ChangesPath, user))
	}
}

// organizations returns the function that finds a merchant's organization in the cancellation catalogue by their
// common slug. catalogue.OrganizationID would return the same ID, but it would link letters and deadlines.
func organizations() func(merchantID string) string {
	merchants := sync.OnceValue(contract.CancellableMerchants)
	return func(merchantID string) string {
		slug, ok := merchants()[merchantID]
		if !ok {
			return ""
		}
		return uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://aviso.example/organizations/"+slug)).String()
	}
}

// Package httpapi builds the router that all functions behind the API share, with
// authentication, page tokens and idempotency keys.
package httpapi

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"aviso/internal/api"
	"aviso/internal/api/idempotency"
	"aviso/internal/api/token"
	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"
	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/identity/identitydb"
	"aviso/internal/owner"
	"aviso/internal/secret/keyring"
)

// Base has the router and its parts.
type Base struct {
	bootstrap.Clients
	Stage    config.Stage
	Router   *api.Router
	Identity *identitydb.Store
	Keys     *token.KeyStore
	Sealing  keyring.Root
	Clocks   clock.Users
	Disabled owner.Disabled
}

// UserAndData is how many concurrent calls to DynamoDB most requests make: one for the user and one for the data.
const UserAndData = 2

// Read reads what only some functions need at startup.
type Read func(ctx context.Context, c bootstrap.Clients, secrets keyring.SecretReader) error

// New reads the common variables from r, and the secrets through the cache. It runs more concurrently with its own
// reads. It opens one connection to DynamoDB for each concurrent call of a request, at most UserAndData.
func New(
	ctx context.Context, service string, connections int, env config.Env, r *config.Reader,
	cache *keyring.Cache, more ...Read,
) (Base, error) {
	stage := r.Stage()
	baseURL := r.Optional("BASE_URL", "")
	rate := r.Int("RATE_LIMIT_PER_MINUTE", 3000, 1)
	identityTable, idempotencyTable := r.Required("IDENTITY_TABLE"), r.Required("IDEMPOTENCY_TABLE")
	sealingSecret := r.Required("SEALING_SECRET")
	c, err := bootstrap.NewClients(ctx, env, r)
	if err != nil {
		return Base{}, err
	}
	e := Base{
		Clients: c, Stage: stage,
		Identity: identitydb.New(c.Dynamo, identityTable), Keys: token.NewKeyStore(c.Dynamo, identityTable),
		Clocks:   dynamo.NewClocks(c.Dynamo, r),
		Disabled: dynamo.DisabledIn(dynamo.NewTable(c.Dynamo, identityTable), time.Now),
	}
	secrets := cache.Reader(c.Config)
	verifier := token.NewVerifier(e.Keys.PublicKeys, e.Disabled, token.Audience(string(stage)), time.Now)

	var start errgroup.Group // reads the secrets and the key set concurrently
	for _, read := range more {
		start.Go(func() error { return read(ctx, c, secrets) })
	}
	start.Go(func() (err error) {
		e.Sealing, err = keyring.Load(ctx, secrets, sealingSecret)
		return err
	})
	reads := []func(context.Context) error{verifier.Warm, func(ctx context.Context) error {
		_, err := e.Disabled(ctx, bootstrap.MissingID)
		return err
	}}
	for _, read := range reads[:connections] {
		start.Go(func() error {
			warm, cancel := context.WithTimeout(ctx, bootstrap.WarmUpTimeout)
			defer cancel()
			if err := read(warm); err != nil {
				slog.WarnContext(ctx, "keys or disabled partners not read at startup", "error", err.Error())
			}
			return nil
		})
	}
	if err := start.Wait(); err != nil {
		return Base{}, err
	}
	pages, err := e.Sealing.Sealer(keyring.PageTokens)
	if err != nil {
		return Base{}, err
	}
	stored, err := e.Sealing.Sealer("answer")
	if err != nil {
		return Base{}, err
	}
	e.Router = api.New(api.Options{
		Service: service, BaseURL: baseURL, VerifyToken: verifier.Verify,
		Answers: idempotency.New(c.Dynamo, idempotencyTable), Pages: pages, Stored: stored, RateLimit: rate, Clocks: e.Clocks,
		Now: time.Now, NewID: bootstrap.NewID, Log: slog.Default(),
	})
	return e, nil
}

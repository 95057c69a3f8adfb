// Package httpapi is what all functions behind the API have in common: a router whose
// operations are authenticated, paged and idempotent.
package httpapi

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"aviso/internal/accesstoken"
	"aviso/internal/api"
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/secretreload"
	"aviso/internal/config"
	"aviso/internal/idempotency"
	"aviso/internal/identity/identitydb"
	"aviso/internal/identity/signingkeys"
	"aviso/internal/keyring"
)

// Edge is the router, and what it was made of.
type Edge struct {
	bootstrap.Clients
	Stage    config.Stage
	Router   *api.Router
	Identity *identitydb.Store
	Keys     *signingkeys.Store
	Sealing  keyring.Root
}

// Read reads a secret that only some functions have.
type Read func(ctx context.Context, secrets keyring.SecretReader) error

// New reads the common variables through r, and the secrets through held: those of
// more at the same time as its own.
func New(ctx context.Context, service string, env config.Env, r *config.Reader, held *secretreload.Held, more ...Read) (Edge, error) {
	stage := r.Stage()
	baseURL := r.Optional("BASE_URL", "")
	rate := r.Int("RATE_LIMIT_PER_MINUTE", 3000, 1)
	identityTable, idempotencyTable := r.Required("IDENTITY_TABLE"), r.Required("IDEMPOTENCY_TABLE")
	sealingSecret := r.Required("SEALING_SECRET")
	if err := r.Err(); err != nil {
		return Edge{}, err
	}
	c, err := bootstrap.NewClients(env)
	if err != nil {
		return Edge{}, err
	}
	e := Edge{Clients: c, Stage: stage, Identity: identitydb.New(c.Dynamo, identityTable), Keys: signingkeys.New(c.Dynamo, identityTable)}
	secrets, verifier := held.Reader(c.Config), accesstoken.NewVerifier(e.Keys.PublicKeys, accesstoken.Audience(string(stage)), time.Now)

	var start errgroup.Group // secrets and key set at the same time
	for _, read := range more {
		start.Go(func() error { return read(ctx, secrets) })
	}
	start.Go(func() (err error) {
		e.Sealing, err = keyring.Load(ctx, secrets, sealingSecret)
		return err
	})
	// Requests read the caller and what is asked for side by side, so there are to
	// be two connections to DynamoDB: the key set is read twice.
	for range 2 {
		start.Go(func() error {
			warm, cancel := context.WithTimeout(ctx, bootstrap.WarmUp)
			defer cancel()
			if err := verifier.Warm(warm); err != nil {
				slog.WarnContext(ctx, "key set not read at start-up", "error", err.Error())
			}
			return nil
		})
	}
	if err := start.Wait(); err != nil {
		return Edge{}, err
	}
	pages, err := e.Sealing.Sealer(keyring.PageTokens)
	if err != nil {
		return Edge{}, err
	}
	stored, err := e.Sealing.Sealer("answer")
	if err != nil {
		return Edge{}, err
	}
	e.Router = api.New(api.Options{
		Service: service, BaseURL: baseURL, VerifyToken: verifier.Verify, Answers: idempotency.New(c.Dynamo, idempotencyTable),
		Pages: pages, Stored: stored, RateLimit: rate, Now: time.Now, NewID: bootstrap.NewID, Log: slog.Default(),
	})
	return e, nil
}

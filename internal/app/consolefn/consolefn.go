// Package consolefn builds the function console, the partners' console.
package consolefn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"aviso/internal/apigateway"
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/secretreload"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/config"
	"aviso/internal/console"
	"aviso/internal/console/consoledb"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/keyring"
	"aviso/internal/pfm/pfmdb"
)

// The credentials that the local stack is seeded with, filled in on its sign-in page.
const localClientID, localSecret = "sandbox", "sandbox-secret"

// New builds the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return secretreload.New(ctx, env, time.Now, build)
}

func build(ctx context.Context, env config.Env, cache *secretreload.Cache) (lambda.Handler, error) {
	pages, err := newConsole(ctx, env, cache)
	if err != nil {
		return nil, err
	}
	return byEvent{requests: apigateway.Handler(pages)}, nil
}

// newConsole reads the configuration and fits the console together.
func newConsole(ctx context.Context, env config.Env, cache *secretreload.Cache) (*console.Console, error) {
	r := config.NewReader(env)
	stage, baseURL, signIn := r.Stage(), r.Optional("BASE_URL", ""), r.Optional("CONSOLE_SIGN_IN", "")
	identityTable, consoleTable := r.Required("IDENTITY_TABLE"), r.Required("CONSOLE_TABLE")
	pfmTable, cancellationTable := r.Required("PFM_TABLE"), r.Required("CANCELLATION_TABLE")
	sealingSecret := r.Required("SEALING_SECRET")
	if err := r.Err(); err != nil {
		return nil, err
	}
	c, err := bootstrap.NewClients(env)
	if err != nil {
		return nil, err
	}
	secrets := cache.Reader(c.Config)
	root, err := keyring.Load(ctx, secrets, sealingSecret)
	if err != nil {
		return nil, err
	}
	sealer, err := root.Sealer("console")
	if err != nil {
		return nil, err
	}
	provider, err := provider(ctx, secrets, signIn)
	if err != nil {
		return nil, err
	}
	store := consoledb.New(c.Dynamo, consoleTable)
	people := identitydb.New(c.Dynamo, identityTable)
	// These are only read here, so they need no outbox.
	banking := pfmdb.New(c.Dynamo, pfmTable, "", time.Now, bootstrap.NewID)
	letters := cancellationdb.New(c.Dynamo, cancellationTable, "", time.Now, bootstrap.NewSortableID)
	options := console.Options{
		BaseURL: baseURL, Stage: stage, Sealer: sealer, Provider: provider,
		Partners: identity.NewRegistrar(people, time.Now, keyring.RandomToken),
		Audit:    store, Visits: store,
		Users:       identity.NewUsers(people, time.Now, bootstrap.NewID),
		Connections: banking, Cancellations: letters,
		Product: cancellation.NewCatalogue(letters).OrganizationProduct,
		Now:     time.Now, NewID: bootstrap.NewSortableID, Log: slog.Default(),
	}
	if stage == config.Local {
		options.Example = console.Example{ClientID: localClientID, Secret: localSecret}
	}
	if stage != config.Production {
		options.Sandbox = describeSandbox
	}
	return console.New(options), nil
}

// provider returns the one that a secret describes, or nil if there is none.
func provider(ctx context.Context, secrets keyring.SecretReader, id string) (*console.Provider, error) {
	if id == "" {
		return nil, nil //nolint:nilnil // no provider is configured
	}
	out, err := secrets.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &id})
	if err != nil {
		return nil, fmt.Errorf("read console sign-in: %w", err)
	}
	if out.SecretString == nil {
		return nil, errors.New("read console sign-in: it has no text value")
	}
	c, err := console.ParseProviderConfig(*out.SecretString)
	if err != nil {
		return nil, err
	}
	return console.NewProvider(c, time.Now), nil
}

// byEvent handles the requests of API Gateway, and hands everything else to others.
type byEvent struct{ requests lambda.Handler }

// Invoke implements lambda.Handler.
func (h byEvent) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var shape struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(payload, &shape); err != nil || shape.Version == "" {
		return nil, errors.New("console: an event that is not a request")
	}
	return h.requests.Invoke(ctx, payload)
}

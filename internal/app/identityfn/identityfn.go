// Package identityfn builds the function identity, which serves access tokens, users,
// terms and erasures.
package identityfn

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/go-jose/go-jose/v4"

	"aviso/internal/api/apigateway"
	"aviso/internal/api/token"
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/httpapi"
	"aviso/internal/aws/config"
	"aviso/internal/identity"
	"aviso/internal/identity/identityapi"
	"aviso/internal/identity/identitydb"
	"aviso/internal/secret/keyring"
)

// New builds the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return keyring.Reloading(ctx, env, time.Now, Build)
}

// Build builds the function once. New also rebuilds it when its secrets change.
func Build(ctx context.Context, env config.Env, cache *keyring.Cache) (lambda.Handler, error) {
	r := config.NewReader(env)
	signingSecret := r.Required("SIGNING_SECRET")
	var root keyring.Root
	readRoot := func(ctx context.Context, _ bootstrap.Clients, secrets keyring.SecretReader) (err error) {
		if root, err = keyring.Load(ctx, secrets, signingSecret); err != nil {
			return fmt.Errorf("signing secret: %w", err)
		}
		return nil
	}
	e, err := httpapi.New(ctx, "identity", httpapi.UserAndData, env, r, cache, readRoot)
	if err != nil {
		return nil, err
	}
	keys, err := signingKeys(root)
	if err != nil {
		return nil, err
	}
	issuer, err := token.NewIssuer(keys[0], token.Audience(string(e.Stage)), time.Now, bootstrap.NewID)
	if err != nil {
		return nil, err
	}
	publish := func(ctx context.Context) error {
		for _, key := range keys {
			if err := e.Keys.PublishKey(ctx, key.Public()); err != nil {
				return err
			}
		}
		return nil
	}
	users := identity.NewUsers(e.Identity, time.Now, bootstrap.NewID)
	clocks := identitydb.NewClockStore(e.Identity, r.Optional("OUTBOX_TABLE", ""), time.Now, bootstrap.NewID)
	evidenceKeys := token.NewEvidenceKeyStore(e.Dynamo, r.Required("IDENTITY_TABLE"))
	tokens := identity.NewTokens(e.Identity, issuer.Issue, publish, time.Now)
	identityapi.Register(e.Router, identityapi.Services{
		Tokens:     tokens,
		Users:      users,
		Clocks:     identity.NewUserClocks(clocks, users, time.Now),
		Production: e.Stage == config.Production,
		Agreements: identity.NewAgreements(e.Identity, time.Now),
		PublicKeys: func(ctx context.Context) ([]jose.JSONWebKey, error) {
			if err := tokens.PublishKey(ctx); err != nil { // the set is complete even before the first token
				return nil, err
			}
			signing, err := e.Keys.PublicKeys(ctx)
			if err != nil {
				return nil, err
			}
			proving, err := evidenceKeys.PublicKeys(ctx)
			return append(signing, proving...), err
		},
	})
	return apigateway.HandlerBehind(apigateway.EdgeOf(env, time.Now), e.Router.Handler()), nil
}

// signingKeys returns the keys to publish. The first signs; the next one is published
// before it signs. The key of a previous root stays published until the operator
// withdraws it.
func signingKeys(root keyring.Root) ([]token.SigningKey, error) {
	var keys []token.SigningKey
	for _, r := range []string{root.Current, root.Next} {
		if r == "" {
			continue
		}
		key, err := token.NewSigningKey(r)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

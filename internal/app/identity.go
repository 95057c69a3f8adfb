package app

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/go-jose/go-jose/v4"

	"aviso/internal/accesstoken"
	"aviso/internal/api"
	"aviso/internal/config"
	"aviso/internal/identity"
	"aviso/internal/identity/identityapi"
	"aviso/internal/keyring"
)

// Identity is the function of partners, users and terms.
func Identity(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return renewed(ctx, env, time.Now, buildIdentity)
}

func buildIdentity(ctx context.Context, env config.Env, held *heldSecrets) (lambda.Handler, error) {
	r := config.NewReader(env)
	signingSecret := r.Required("SIGNING_SECRET")
	e, err := newEdge(ctx, "identity", env, r, held)
	if err != nil {
		return nil, err
	}
	root, err := keyring.Load(ctx, e.secrets, signingSecret)
	if err != nil {
		return nil, fmt.Errorf("signing secret: %w", err)
	}
	keys, err := signingKeys(root)
	if err != nil {
		return nil, err
	}
	issuer, err := accesstoken.NewIssuer(keys[0], accesstoken.Audience(string(e.stage)), time.Now, newID)
	if err != nil {
		return nil, err
	}
	publish := func(ctx context.Context) error {
		for _, key := range keys {
			if err := e.identity.PublishKey(ctx, key.Public()); err != nil {
				return err
			}
		}
		return nil
	}
	tokens := identity.NewTokens(e.identity, issuer, publish, time.Now)
	identityapi.Register(e.router, identityapi.Services{
		Tokens:     tokens,
		Users:      identity.NewUsers(e.identity, time.Now, newID),
		Agreements: identity.NewAgreements(e.identity, time.Now),
		Erasures:   identity.NewErasures(e.identity, time.Now, newID),
		PublicKeys: func(ctx context.Context) ([]jose.JSONWebKey, error) {
			if err := tokens.PublishKey(ctx); err != nil { // the set is complete even before the first token
				return nil, err
			}
			return e.identity.PublicKeys(ctx)
		},
	})
	return api.LambdaHandler(e.router.Handler()), nil
}

// signingKeys are those to publish: the first signs, and one that is to sign next
// is known everywhere before it does. That of a previous root stays published
// until the operator withdraws it.
func signingKeys(root keyring.Root) ([]accesstoken.SigningKey, error) {
	var keys []accesstoken.SigningKey
	for _, r := range []string{root.Current, root.Next} {
		if r == "" {
			continue
		}
		key, err := accesstoken.NewSigningKey(r)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

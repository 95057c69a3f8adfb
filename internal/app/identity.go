package app

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
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
	r := config.NewReader(env)
	signingSecret := r.Required("SIGNING_SECRET")
	e, err := newEdge(ctx, "identity", env, r)
	if err != nil {
		return nil, err
	}
	root, err := keyring.Load(ctx, secretsmanager.NewFromConfig(e.config), signingSecret)
	if err != nil {
		return nil, fmt.Errorf("signing secret: %w", err)
	}
	key, err := accesstoken.NewSigningKey(root.Current)
	if err != nil {
		return nil, err
	}
	issuer, err := accesstoken.NewIssuer(key, accesstoken.Audience(string(e.stage)), time.Now, newID)
	if err != nil {
		return nil, err
	}
	publish := func(ctx context.Context) error { return e.identity.PublishKey(ctx, key.Public()) }
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

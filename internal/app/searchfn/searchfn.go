// Package searchfn builds the function search, which serves the full-text search of
// the cancellation catalogue.
package searchfn

import (
	"context"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/api/apigateway"
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/httpapi"
	"aviso/internal/aws/config"

	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/secret/keyring"
)

const (
	// searchLoad bounds how long startup waits for the catalogue; Lambda allows 10 s
	// for startup. If it fails, the first query tries again.
	searchLoad = 7 * time.Second
	// searchSettle bounds how long an invocation waits for the catalogue refresh that it started.
	searchSettle = time.Second
)

// New builds the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return keyring.Reloading(ctx, env, time.Now, build)
}

func build(ctx context.Context, env config.Env, cache *keyring.Cache) (lambda.Handler, error) {
	r := config.NewReader(env)
	table := r.Required("CANCELLATION_TABLE")
	var search *catalogue.Search
	load := func(ctx context.Context, c bootstrap.Clients, _ keyring.SecretReader) error {
		search = catalogue.NewSearch(catalogue.SearchDeps{
			Source: fulltext.NewStore(c.Dynamo, table, time.Now), Now: time.Now, Log: slog.Default(),
		})
		ctx, cancel := context.WithTimeout(ctx, searchLoad)
		defer cancel()
		if err := search.Load(ctx); err != nil {
			slog.WarnContext(ctx, "catalogue not read at startup", "error", err.Error())
		}
		return nil
	}
	// A query itself makes no call. The instance reads the disabled partners once a minute.
	e, err := httpapi.New(ctx, "search", 1, env, r, cache, load)
	if err != nil {
		return nil, err
	}
	cancellationapi.RegisterSearch(e.Router, search)
	return settled{apigateway.HandlerBehind(apigateway.EdgeOf(env, time.Now), e.Router.Handler()), search}, nil
}

// settled waits for a background refresh before an invocation ends: Lambda freezes the process between invocations,
// and a frozen refresh may never complete. So once every 30 s an invocation waits for a read of the version, and once
// after each import for a read of the catalogue.
type settled struct {
	lambda.Handler
	search *catalogue.Search
}

func (s settled) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	out, err := s.Handler.Invoke(ctx, payload)
	wait, cancel := context.WithTimeout(ctx, searchSettle)
	defer cancel()
	s.search.WaitForRefresh(wait)
	return out, err
}

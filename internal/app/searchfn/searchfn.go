// Package searchfn wires the function search, the full-text search in the
// cancellation catalogue.
package searchfn

import (
	"context"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/apigateway"
	"aviso/internal/app/httpapi"
	"aviso/internal/app/secretreload"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/cancellation/snapshotdb"
	"aviso/internal/config"
)

const (
	// searchLoad bounds how long the start waits for the catalogue; Lambda gives
	// an init 10 s. The first query looks again.
	searchLoad = 7 * time.Second
	// searchSettle bounds how long an invocation waits for a look at the
	// catalogue that it has begun.
	searchSettle = time.Second
)

// New is the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return secretreload.New(ctx, env, time.Now, build)
}

func build(ctx context.Context, env config.Env, held *secretreload.Held) (lambda.Handler, error) {
	r := config.NewReader(env)
	table := r.Required("CANCELLATION_TABLE")
	e, err := httpapi.New(ctx, "search", env, r, held)
	if err != nil {
		return nil, err
	}
	search := cancellation.NewSearch(cancellation.SearchDeps{
		Source: snapshotdb.New(e.Dynamo, table, time.Now),
		Build:  func(documents []cancellation.SearchDocument) cancellation.SearchIndex { return fulltext.New(documents) },
		Now:    time.Now, Log: slog.Default(),
	})
	load, cancel := context.WithTimeout(ctx, searchLoad)
	defer cancel()
	if err := search.Load(load); err != nil {
		slog.WarnContext(ctx, "catalogue not read at start-up", "error", err.Error())
	}
	cancellationapi.RegisterSearch(e.Router, search)
	return settled{apigateway.Handler(e.Router.Handler()), search}, nil
}

// settled lets what goes on beside an answer end before the invocation does:
// Lambda stops the process between two invocations, and what it stops half-way
// may never end. So one invocation in 30 s takes as long as a look at the
// version, and one after each import as long as reading the catalogue.
type settled struct {
	lambda.Handler
	search *cancellation.Search
}

func (s settled) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	out, err := s.Handler.Invoke(ctx, payload)
	wait, cancel := context.WithTimeout(ctx, searchSettle)
	defer cancel()
	s.search.WaitForRefresh(wait)
	return out, err
}

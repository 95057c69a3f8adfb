// Package api is the HTTP plumbing that every area shares: the response
// envelope, problem documents, access tokens and scopes, the acting user,
// sealed page tokens, idempotency keys, strict decoding, the rate limit, the
// log line and the adapter to Lambda. Operations are declared with Register;
// what is declared is also what docs/openapi.yaml is generated from.
package api

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"aviso/internal/accesstoken"
	"aviso/internal/keyring"
)

// Options is what a Router needs. A Router that only describes its operations,
// as the generator of docs/openapi.yaml does, needs none of it.
type Options struct {
	// Service is the function's name, in log lines and metrics.
	Service string
	// BaseURL is the public address without a slash at the end; empty to take
	// the domain under which API Gateway received the request.
	BaseURL string
	// VerifyToken checks an access token. It returns accesstoken.ErrInvalid for one
	// that is not to be trusted.
	VerifyToken func(ctx context.Context, raw, issuer string) (accesstoken.Principal, error)
	// Answers keeps what was answered to an Idempotency-Key.
	Answers AnswerStore
	// Pages seals page tokens, Stored the kept answers.
	Pages, Stored *keyring.Sealer
	// RateLimit is how many requests a minute one partner may make.
	RateLimit int
	Now       func() time.Time
	NewID     func() string
	Log       *slog.Logger
}

// Router holds the operations of one function.
type Router struct {
	opts     Options
	mux      *http.ServeMux
	limits   *limiter
	coldOnce sync.Once
	methods  map[string]bool // all methods in use, to tell 405 from 404
	// descriptions add an operation each to a document.
	descriptions []func(huma.API)
}

// New makes a Router without operations.
func New(opts Options) *Router {
	configureHuma()
	return &Router{opts: opts, mux: http.NewServeMux(), methods: map[string]bool{}, limits: newLimiter(opts.RateLimit, opts.Now)}
}

// configureHuma sets the two package-wide hooks that Huma offers: the shape of
// its errors and case-sensitive member names.
var configureHuma = sync.OnceFunc(func() {
	huma.ValidateStrictCasing = true
	huma.NewError = func(status int, msg string, errs ...error) huma.StatusError {
		return problemFromHuma("", status, errs)
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, msg string, errs ...error) huma.StatusError {
		return problemFromHuma(callFrom(ctx.Context()).id, status, errs)
	}
})

// Now is the time.
func (r *Router) Now() time.Time { return r.opts.Now() }

// Document is the OpenAPI description of all registered operations.
func (r *Router) Document() *huma.OpenAPI {
	document := humago.New(http.NewServeMux(), documentConfig())
	for _, describe := range r.descriptions {
		describe(document)
	}
	return document.OpenAPI()
}

func (r *Router) handle(rt *route, h http.Handler) {
	r.methods[rt.Method] = true
	r.mux.Handle(rt.Method+" "+rt.Path, r.chain(rt, h))
}

// Handler serves the operations, and answers what is none of them with a
// problem document.
func (r *Router) Handler() http.Handler {
	return r.middleware(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if cleanPath(req.URL.Path) {
			if h, pattern := r.mux.Handler(req); pattern != "" {
				_ = h // ServeMux sets the path values only when it serves itself
				r.mux.ServeHTTP(w, req)
				return
			}
		}
		r.noRoute(w, req)
	}))
}

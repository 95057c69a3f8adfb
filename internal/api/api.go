// Package api is the HTTP layer that every area shares: the response envelope,
// problem documents, access tokens and scopes, the acting user, sealed page
// tokens, idempotency keys, strict decoding, rate limits and the log line.
// Operations are declared with Register; docs/openapi.yaml is generated from the
// same declarations.
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

// Options configures a Router. A Router that only describes its operations, as the
// generator of docs/openapi.yaml does, needs no options.
type Options struct {
	// Service is the function's name, in log lines and metrics.
	Service string
	// BaseURL is the public address without a trailing slash. If it is empty, the
	// domain on which API Gateway received the request is used.
	BaseURL string
	// VerifyToken checks an access token. It returns accesstoken.ErrInvalid if the
	// token cannot be trusted.
	VerifyToken func(ctx context.Context, raw, issuer string) (accesstoken.Principal, error)
	// Answers stores the answers given under idempotency keys.
	Answers AnswerStore
	// Pages seals page tokens, Stored seals stored answers.
	Pages, Stored *keyring.Sealer
	// RateLimit is the number of requests a partner may make per minute.
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
	// descriptions each add one operation to a document.
	descriptions []func(huma.API)
}

// New returns a Router without operations.
func New(opts Options) *Router {
	configureHuma()
	return &Router{
		opts: opts, mux: http.NewServeMux(), methods: map[string]bool{}, limits: newLimiter(opts.RateLimit, opts.Now),
	}
}

// configureHuma sets Huma's two package-wide hooks: the shape of its errors and
// case-sensitive member names.
var configureHuma = sync.OnceFunc(func() {
	huma.ValidateStrictCasing = true
	huma.NewError = func(status int, msg string, errs ...error) huma.StatusError {
		return problemFromHuma("", status, errs)
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, msg string, errs ...error) huma.StatusError {
		return problemFromHuma(callFrom(ctx.Context()).id, status, errs)
	}
})

// Now returns the current time.
func (r *Router) Now() time.Time { return r.opts.Now() }

// Document returns the OpenAPI description of all registered operations.
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

// Handler serves the operations. Any other request gets a problem document.
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

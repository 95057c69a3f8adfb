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
	"path"
	"slices"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/api/apierror"
	"aviso/internal/api/token"
	"aviso/internal/clock"
	"aviso/internal/secret/keyring"
)

// Options configures a Router. A Router that only describes its operations, for docs/openapi.yaml, needs none.
type Options struct {
	// Service is the function's name for log lines and metrics.
	Service string
	// BaseURL is the public address without a trailing slash. If it is empty, the
	// domain on which API Gateway received the request is used.
	BaseURL string
	// VerifyToken checks an access token. It returns token.ErrInvalid if the
	// token cannot be trusted.
	VerifyToken func(ctx context.Context, raw, issuer string) (token.Principal, error)
	// Answers stores the answers given under idempotency keys.
	Answers AnswerStore
	// Pages seals page tokens, Stored seals stored answers.
	Pages, Stored *keyring.Sealer
	// RateLimit is the number of requests a partner may make per minute.
	RateLimit int
	// Clocks finds the clocks of users. If it is nil, all users have real time.
	Clocks clock.Users
	Now    func() time.Time
	NewID  func() string
	Log    *slog.Logger
}

// Router holds the operations of one function.
type Router struct {
	opts     Options
	mux      *http.ServeMux
	limits   *limiter
	coldOnce sync.Once
	// paths matches a path with any method, and methods has the methods of each path. Without paths, another path with
	// a parameter could match with another method.
	paths      *http.ServeMux
	methods    map[string][]string
	operations []Declared
}

// Declared is an operation of a Router. Describe adds the parts that Huma reads from its types: to a document of
// Huma, and to the description so far. It is nil for an operation of Raw.
type Declared struct {
	Operation
	Describe func(document huma.API, soFar huma.Operation)
}

// New returns a Router without operations.
func New(opts Options) *Router {
	configureHuma()
	return &Router{
		opts: opts, mux: http.NewServeMux(), limits: newLimiter(opts.RateLimit, opts.Now),
		paths: http.NewServeMux(), methods: map[string][]string{},
	}
}

// configureHuma sets the shape of Huma's errors, which is package-wide.
var configureHuma = sync.OnceFunc(func() {
	huma.NewError = func(status int, msg string, errs ...error) huma.StatusError {
		return problemFromHuma(&call{}, status, errs)
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, msg string, errs ...error) huma.StatusError {
		return problemFromHuma(callFrom(ctx.Context()), status, errs)
	}
})

// Operations returns the operations, for the document about them.
func (r *Router) Operations() []Declared { return r.operations }

// Now returns the current time.
func (r *Router) Now() time.Time { return r.opts.Now() }

func (r *Router) handle(rt *route, h http.Handler) {
	if len(r.methods[rt.Path]) == 0 {
		r.paths.Handle(rt.Path, http.NotFoundHandler()) // the handler is never called
	}
	r.methods[rt.Path] = append(r.methods[rt.Path], rt.Method)
	if rt.Method == http.MethodGet {
		r.methods[rt.Path] = append(r.methods[rt.Path], http.MethodHead) // as ServeMux does
	}
	r.mux.Handle(rt.Method+" "+rt.Path, r.chain(rt, h))
}

// Handler serves the operations. Any other request gets a problem document.
func (r *Router) Handler() http.Handler {
	return r.middleware(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch methods := r.methodsOf(req); {
		case len(methods) == 0:
			WriteProblem(w, req, apierror.New(apierror.NotFound, "There is no endpoint at this path."))
		case !slices.Contains(methods, req.Method):
			w.Header().Set("Allow", joinMethods(methods))
			WriteProblem(w, req, apierror.New(apierror.MethodNotAllowed, "The Allow header lists the methods of this path."))
		default:
			r.mux.ServeHTTP(w, req)
		}
	}))
}

// methodsOf returns the methods of a request's path, or nothing if there is no such path
// or ServeMux would redirect it.
func (r *Router) methodsOf(req *http.Request) []string {
	if p := req.URL.Path; p == "" || path.Clean(p) != p {
		return nil
	}
	// For CONNECT, ServeMux would match the host.
	_, pattern := r.paths.Handler(&http.Request{Method: http.MethodGet, URL: req.URL, Host: req.Host})
	return r.methods[pattern]
}

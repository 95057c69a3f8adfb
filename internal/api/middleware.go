package api

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"runtime/debug"
	"slices"

	"aviso/internal/apierror"
	"aviso/internal/awsclient"
)

const (
	headerRequestID   = "X-Request-Id"
	headerUser        = "X-User-Id"
	headerIdempotency = "Idempotency-Key"
	headerReplayed    = "Idempotency-Replayed"
	maxRequestID      = 128
)

// middleware is around everything: it gives the request its id, turns a panic
// into a problem document (the Lambda adapter would let it end the process),
// makes sure that something is answered, and writes the log line.
func (r *Router) middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		started := r.opts.Now()
		c := &call{id: r.requestID(req), baseURL: r.baseURL(req)}
		ctx, calls := awsclient.WithCounter(withCall(req.Context(), c))
		req = req.WithContext(ctx)
		a := &answer{w: w}
		a.Header().Set(headerRequestID, c.id)
		a.Header().Set("Cache-Control", "no-store")
		a.Header().Set("X-Content-Type-Options", "nosniff")
		ours := a.Header().Clone()
		defer func() {
			if p := recover(); p != nil {
				c.cause = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
				clear(a.Header()) // a cookie or a place to go may be among them
				maps.Copy(a.Header(), ours)
				WriteProblem(a, req, apierror.New(apierror.InternalError, "The cause is in our log under the trace id."))
			}
			if a.status == 0 {
				c.cause = fmt.Errorf("handler of %s answered nothing", c.route)
				WriteProblem(a, req, c.cause)
			}
			a.send()
			r.log(req, c, a, started, calls)
		}()
		next.ServeHTTP(a, req)
	})
}

// requestID is the one sent, where it is fit to be echoed, else a new one.
func (r *Router) requestID(req *http.Request) string {
	sent := req.Header.Get(headerRequestID)
	if sent == "" || len(sent) > maxRequestID {
		return r.opts.NewID()
	}
	for _, b := range []byte(sent) {
		if b <= ' ' || b > '~' {
			return r.opts.NewID()
		}
	}
	return sent
}

func (r *Router) baseURL(req *http.Request) string {
	if r.opts.BaseURL != "" {
		return r.opts.BaseURL
	}
	return "https://" + req.Host
}

// noRoute answers 405 with Allow where another method would match, else 404.
func (r *Router) noRoute(w http.ResponseWriter, req *http.Request) {
	var allowed []string
	if cleanPath(req.URL.Path) {
		for method := range r.methods {
			probe := &http.Request{Method: method, URL: &url.URL{Path: req.URL.Path}, Host: req.Host}
			if _, pattern := r.mux.Handler(probe); pattern != "" {
				allowed = append(allowed, method)
			}
		}
	}
	if slices.Contains(allowed, http.MethodGet) {
		allowed = append(allowed, http.MethodHead) // ServeMux answers it where it answers GET
	}
	if len(allowed) == 0 {
		WriteProblem(w, req, apierror.New(apierror.NotFound, "There is nothing at this path."))
		return
	}
	w.Header().Set("Allow", joinMethods(allowed))
	WriteProblem(w, req, apierror.New(apierror.MethodNotAllowed, "The header Allow names the methods of this path."))
}

// cleanPath is false for paths that ServeMux would answer with a redirect.
func cleanPath(p string) bool { return p != "" && path.Clean(p) == p }

package api

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"runtime/debug"
	"slices"
	"strings"

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

// middleware wraps every request: it sets the request ID, turns a panic into a
// problem document (the Lambda adapter would let it end the process), makes sure
// that there is a response, and writes the log line.
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
		if strings.HasPrefix(c.baseURL, "https://") {
			// A user's next link must not be opened over HTTP, where others can read it.
			a.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		ours := a.Header().Clone()
		defer func() {
			if p := recover(); p != nil {
				c.cause = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
				clear(a.Header()) // they may include a cookie or a redirect
				maps.Copy(a.Header(), ours)
				WriteProblem(a, req, apierror.New(apierror.InternalError, internalDetail))
			}
			if a.status == 0 {
				c.cause = fmt.Errorf("handler of %s wrote no response", c.route)
				WriteProblem(a, req, c.cause)
			}
			a.send()
			r.log(req, c, a, started, calls)
		}()
		next.ServeHTTP(a, req)
	})
}

// requestID returns the ID the client sent if it is safe to echo, else a new one.
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

// noRoute responds with 405 and Allow if another method would match, else with 404.
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
		WriteProblem(w, req, apierror.New(apierror.NotFound, "There is no endpoint at this path."))
		return
	}
	w.Header().Set("Allow", joinMethods(allowed))
	WriteProblem(w, req, apierror.New(apierror.MethodNotAllowed, "The Allow header lists the methods of this path."))
}

// cleanPath reports whether ServeMux would serve the path without a redirect.
func cleanPath(p string) bool { return p != "" && path.Clean(p) == p }

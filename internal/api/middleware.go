package api

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"runtime/debug"
	"strings"

	"aviso/internal/api/apierror"
	"aviso/internal/observe"
)

const (
	headerRequestID   = "X-Request-Id"
	headerUser        = "X-User-Id"
	headerIdempotency = "Idempotency-Key"
	headerReplayed    = "Idempotency-Replayed"

	headerRateLimit       = "RateLimit"
	headerRateLimitPolicy = "RateLimit-Policy"
	headerRetryAfter      = "Retry-After"
	headerAuthenticate    = "WWW-Authenticate"

	maxRequestID = 128
)

// middleware wraps every request. It sets the request ID, makes sure that there is a response, and writes the log
// line. It turns a panic into a problem document, because the Lambda adapter would let it end the process.
func (r *Router) middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		started := r.opts.Now()
		c := &call{id: r.requestID(req), baseURL: r.baseURL(req)}
		ctx, calls := observe.CountCalls(observe.WithTrace(withCall(req.Context(), c), traceID(req, c.id)))
		req = req.WithContext(ctx)
		a := &answer{w: w}
		a.Header().Set(headerRequestID, c.id)
		a.Header().Set("Cache-Control", "no-store")
		a.Header().Set("X-Content-Type-Options", "nosniff")
		if strings.HasPrefix(c.baseURL, "https://") {
			// Users must not open their next link over HTTP, where others can read it.
			a.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		ours := a.Header().Clone()
		defer func() {
			if p := recover(); p != nil {
				c.cause = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
				clear(a.Header()) // the headers may include a cookie or a redirect
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

// requestID returns the client's request ID if it is safe to echo, or else a new one.
func (r *Router) requestID(req *http.Request) string {
	if sent := sentRequestID(req); sent != "" && isRequestID(sent) {
		return sent
	}
	return r.opts.NewID()
}

// traceID returns the ID of the client's trace, or else one derived from the request ID.
func traceID(req *http.Request, requestID string) observe.TraceID {
	if id, ok := observe.ParseTrace(req.Header.Get(observe.TraceHeader)); ok {
		return id
	}
	return observe.TraceOf(requestID)
}

func sentRequestID(req *http.Request) string {
	return strings.Trim(req.Header.Get(headerRequestID), " \t")
}

func isRequestID(id string) bool {
	return len(id) <= maxRequestID && !strings.ContainsFunc(id, func(c rune) bool { return c <= ' ' || c > '~' })
}

func (r *Router) baseURL(req *http.Request) string {
	return cmp.Or(r.opts.BaseURL, "https://"+req.Host)
}

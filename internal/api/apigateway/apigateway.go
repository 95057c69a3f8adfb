// Package apigateway serves events of an API Gateway HTTP API (payload 2.0) with an http.Handler. It works around
// errors of aws-lambda-go-api-proxy.
package apigateway

import (
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"

	"aviso/internal/observe"
)

// Handler returns a Lambda handler that serves events with h.
func Handler(h http.Handler) lambda.Handler { return gateway{handler: h} }

// HandlerBehind returns a handler that answers what an edge admits.
func HandlerBehind(edge Edge, h http.Handler) lambda.Handler { return gateway{h, edge} }

// Edge is CloudFront in front of the API. The zero Edge is none: it admits all requests.
type Edge struct {
	// secrets are those of which CloudFront sends one. While it changes, there are two.
	secrets []string
	// counts tells to admit requests without a secret, too, while callers move to CloudFront.
	counts bool
	now    func() time.Time
}

// EdgeOf returns the edge that template.yaml describes to a function.
func EdgeOf(env func(name string) string, now func() time.Time) Edge {
	return Edge{strings.Fields(env("EDGE_SECRETS")), env("EDGE_MODE") == "count", now}
}

// knows reports whether CloudFront sends secret. It takes equally long for each that has the right length.
func (e Edge) knows(secret string) bool {
	return slices.ContainsFunc(e.secrets, func(s string) bool {
		return subtle.ConstantTimeCompare([]byte(secret), []byte(s)) == 1
	})
}

// gateway implements lambda.Handler itself. lambda.NewHandler reuses its buffer, so of two concurrent calls, as in
// the local stack, one could return the other's response.
type gateway struct {
	handler http.Handler
	edge    Edge
}

// edgeHeader is the header with CloudFront's secret, in lower case as in events.
const edgeHeader = "x-edge-secret"

// admit reports whether the request may pass, and sets its source IP. Behind CloudFront, the gateway sees
// CloudFront's address. CloudFront appends the viewer's address to X-Forwarded-For, and the gateway appends
// CloudFront's.
func (g gateway) admit(ctx context.Context, e *events.APIGatewayV2HTTPRequest) bool {
	if len(g.edge.secrets) == 0 {
		return true
	}
	if !g.edge.knows(e.Headers[edgeHeader]) {
		slog.WarnContext(ctx, "a request came without CloudFront's secret", slog.Bool("admitted", g.edge.counts),
			slog.Int(string(observe.Bypassed), 1), observe.EMF(g.edge.now(), observe.Bypassed))
		delete(e.Headers, edgeHeader)
		return g.edge.counts
	}
	delete(e.Headers, edgeHeader)
	source := &e.RequestContext.HTTP.SourceIP
	way := strings.TrimSuffix(e.Headers["x-forwarded-for"], *source)
	way = strings.TrimRight(way, ", ")
	*source = cmp.Or(strings.TrimSpace(way[strings.LastIndexByte(way, ',')+1:]), *source)
	return true
}

func (g gateway) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var e events.APIGatewayV2HTTPRequest
	if err := json.Unmarshal(payload, &e); err != nil {
		return nil, fmt.Errorf("read event: %w", err)
	}
	if !g.admit(ctx, &e) {
		return json.Marshal(events.APIGatewayV2HTTPResponse{StatusCode: http.StatusForbidden})
	}
	// An HTTP API sends the path decoded, and the adapter parses it again. Once escaped, the path contains no query and
	// no incomplete escape.
	e.RawPath = (&url.URL{Path: "/" + strings.TrimPrefix(e.RawPath, "/")}).EscapedPath()
	e.RawQueryString = escapeQuery(e.RawQueryString)
	sent := e.Headers
	e.Headers = nil // the adapter would split them at commas
	adapter := httpadapter.NewV2(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		setHeaders(req.Header, sent)
		first := &firstStatus{ResponseWriter: w}
		g.handler.ServeHTTP(first, req)
		first.WriteHeader(http.StatusOK) // without a status the adapter answers 504
	}))
	// The adapter's other method sets headers with the gateway's data, which a client could forge.
	res, err := adapter.ProxyWithContext(ctx, e)
	if err != nil {
		return nil, fmt.Errorf("read event: %w", err)
	}
	return json.Marshal(res)
}

// escapeQuery escapes the characters on which the adapter fails or ends the query.
func escapeQuery(query string) string {
	var b strings.Builder
	for i := range len(query) {
		if c := query[i]; c <= ' ' || c == '#' || c == 0x7f {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// setHeaders adds the client's headers. It skips cookies, which the event has separately, and the headers in which
// the adapter's accessors look for the gateway's data.
func setHeaders(header http.Header, sent map[string]string) {
	for name, value := range sent {
		name = http.CanonicalHeaderKey(name)
		isSecond := name == "Cookie" && header["Cookie"] != nil
		if !isSecond && !strings.HasPrefix(name, "X-Golambdaproxy-") {
			header[name] = []string{value}
		}
	}
}

// firstStatus sends the first status that a handler sets, as net/http does. The adapter sends the last.
type firstStatus struct {
	http.ResponseWriter
	sent bool
}

func (w *firstStatus) WriteHeader(status int) {
	if !w.sent {
		w.sent = true
		w.ResponseWriter.WriteHeader(status)
	}
}

func (w *firstStatus) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.ResponseWriter.Write(b)
}

// Package apigateway serves events of an API Gateway HTTP API (payload 2.0) with an
// http.Handler.
package apigateway

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"

	"aviso/internal/jsonwriter"
)

// Handler returns a Lambda handler that serves events with h.
func Handler(h http.Handler) lambda.Handler {
	return gateway{httpadapter.NewV2(exactHeaders(firstStatus(h)))}
}

// gateway implements lambda.Handler, because lambda.NewHandler returns a buffer that
// it reuses: two concurrent calls, as in the local stack, would read each other's
// responses.
type gateway struct{ adapter *httpadapter.HandlerAdapterV2 }

// Invoke implements lambda.Handler.
func (g gateway) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var e events.APIGatewayV2HTTPRequest
	if err := json.Unmarshal(payload, &e); err != nil {
		return nil, fmt.Errorf("read event: %w", err)
	}
	// An HTTP API sends the path decoded. Escape it, so that nothing in it starts a
	// query, or is half an escape, to which the adapter would respond with 504.
	e.RawPath = (&url.URL{Path: e.RawPath}).EscapedPath()
	e.RawQueryString = escapeQuery(e.RawQueryString)
	// Only this method keeps the request context out of the headers, where a client
	// could forge it.
	res, err := g.adapter.ProxyWithContext(context.WithValue(ctx, sentHeaders{}, e.Headers), e)
	if err != nil {
		return nil, err
	}
	return marshal(res)
}

// escapeQuery escapes what a query cannot contain: the adapter would fail at a control
// character, and drop what follows a '#'.
func escapeQuery(query string) string {
	isBad := func(r rune) bool { return r <= ' ' || r == '#' || r == 0x7f }
	if !strings.ContainsFunc(query, isBad) {
		return query
	}
	var b strings.Builder
	for _, r := range query {
		if isBad(r) {
			fmt.Fprintf(&b, "%%%02X", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// largeBody is the length from which a body is sent as base64, which API Gateway
// decodes. A short text stays readable in the function's response.
const largeBody = 4 << 10

// marshal writes a response as json.Marshal does, except for the body. A page of a
// list is 80 KB of JSON in which every eighth character is a quote, and escaping
// them takes three times as long as base64, so a large body is sent as base64. A
// short one is escaped only where JSON requires it.
func marshal(res events.APIGatewayV2HTTPResponse) ([]byte, error) {
	const empty = `,"body":""`
	body, large := res.Body, len(res.Body) >= largeBody && !res.IsBase64Encoded
	res.Body, res.IsBase64Encoded = "", res.IsBase64Encoded || large
	envelope, err := json.Marshal(res)
	if err != nil {
		return nil, fmt.Errorf("write answer: %w", err)
	}
	// It occurs only once: quotes within strings are escaped.
	before, after, _ := bytes.Cut(envelope, []byte(empty))
	const few = 64 // room for escapes before out has to grow
	out := make([]byte, 0, len(envelope)+max(len(body)+few, base64.StdEncoding.EncodedLen(len(body))))
	out = append(append(out, before...), empty[:len(empty)-1]...)
	if large {
		out = appendBase64(out, []byte(body))
	} else {
		out = jsonwriter.Escaped(out, body)
	}
	return append(append(out, '"'), after...), nil
}

type sentHeaders struct{}

// exactHeaders restores the headers as they were sent: the adapter splits values at
// commas, so Header.Get would return only the first part. It drops the headers that
// the adapter uses for its own data, because a client could send them too.
func exactHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		sent, _ := req.Context().Value(sentHeaders{}).(map[string]string)
		for name, value := range sent {
			name = http.CanonicalHeaderKey(name)
			if strings.HasPrefix(name, "X-Golambdaproxy-") {
				delete(req.Header, name)
			} else {
				req.Header[name] = []string{value}
			}
		}
		next.ServeHTTP(w, req)
	})
}

// firstStatus sends the status that net/http's own server would: the first that the
// handler sets, and 200 if it sets none. The adapter alone sends the last one, and
// fails without any.
func firstStatus(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		first := &firstStatusWriter{ResponseWriter: w}
		next.ServeHTTP(first, req)
		first.WriteHeader(http.StatusOK)
	})
}

type firstStatusWriter struct {
	http.ResponseWriter
	sent bool
}

func (w *firstStatusWriter) WriteHeader(status int) {
	if !w.sent {
		w.sent = true
		w.ResponseWriter.WriteHeader(status)
	}
}

func (w *firstStatusWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.ResponseWriter.Write(b)
}

// Package apigateway serves the events of an API Gateway HTTP API (payload 2.0)
// by an http.Handler.
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

// Handler serves events with h.
func Handler(h http.Handler) lambda.Handler {
	return gateway{httpadapter.NewV2(exactHeaders(firstStatus(h)))}
}

// gateway is a lambda.Handler of its own, since that of lambda.NewHandler gives
// out a buffer that it uses again: two calls at a time, as in the local stack,
// would read each other's answers.
type gateway struct{ adapter *httpadapter.HandlerAdapterV2 }

// Invoke answers one event.
func (g gateway) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var e events.APIGatewayV2HTTPRequest
	if err := json.Unmarshal(payload, &e); err != nil {
		return nil, fmt.Errorf("read event: %w", err)
	}
	// An HTTP API hands the path over decoded: what stands in it is never the
	// beginning of a query, nor half an escape on which the adapter would end
	// with 504.
	e.RawPath = (&url.URL{Path: e.RawPath}).EscapedPath()
	// Only this entry keeps the request context out of headers, where a client
	// could forge it.
	res, err := g.adapter.ProxyWithContext(context.WithValue(ctx, sentHeaders{}, e.Headers), e)
	if err != nil {
		return nil, err
	}
	return marshal(res)
}

// largeBody is the length from which a body goes out in base64. API Gateway
// decodes it. A short text stays legible in what a function answers.
const largeBody = 4 << 10

// marshal writes an answer as json.Marshal does, but for a text that is large: a
// page of a list is 80 KB of JSON, every eighth character of which a quote, and
// to escape those takes three times as long as base64. What is short and text is
// escaped where JSON demands it and nowhere else.
func marshal(res events.APIGatewayV2HTTPResponse) ([]byte, error) {
	const empty = `,"body":""`
	body, large := res.Body, len(res.Body) >= largeBody && !res.IsBase64Encoded
	res.Body, res.IsBase64Encoded = "", res.IsBase64Encoded || large
	envelope, err := json.Marshal(res)
	if err != nil {
		return nil, fmt.Errorf("write answer: %w", err)
	}
	// It can stand nowhere else: within a string quotes are escaped.
	before, after, _ := bytes.Cut(envelope, []byte(empty))
	const few = 64 // characters that are escaped, before out has to grow
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

// exactHeaders gives the headers as they were sent: the adapter splits their
// values at commas, so that Header.Get would see the first part only. Those in
// which the adapter passes on its own findings are dropped; a client can send
// them too.
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

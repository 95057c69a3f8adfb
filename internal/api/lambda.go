package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"
)

// LambdaHandler serves API Gateway's HTTP API events (payload 2.0) with h.
func LambdaHandler(h http.Handler) lambda.Handler {
	return gateway{httpadapter.NewV2(exactHeaders(h))}
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

// marshal writes an answer as json.Marshal does, but for a body in which quotes
// and backslashes alone are escaped, and which is thereby written four times as
// fast. A page of a list is 80 KB of JSON, and every eighth character a quote.
func marshal(res events.APIGatewayV2HTTPResponse) ([]byte, error) {
	const empty = `,"body":""`
	body := res.Body
	res.Body = ""
	envelope, err := json.Marshal(res)
	if err != nil {
		return nil, fmt.Errorf("write answer: %w", err)
	}
	// It can stand nowhere else: within a string quotes are escaped.
	before, after, _ := bytes.Cut(envelope, []byte(empty))
	const few = 64 // other characters that are escaped, before out has to grow
	out := make([]byte, 0, len(envelope)+len(body)+strings.Count(body, `"`)+few)
	out = append(append(out, before...), empty[:len(empty)-1]...)
	out = appendEscaped(out, body)
	return append(append(out, '"'), after...), nil
}

// appendEscaped writes valid UTF-8 as the inside of a JSON string.
func appendEscaped(out []byte, text string) []byte {
	from := 0 // what is not yet written
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		out = append(out, text[from:i]...)
		from = i + 1
		if c < ' ' {
			out = fmt.Appendf(out, `\u%04x`, c)
		} else {
			out = append(out, '\\', c)
		}
	}
	return append(out, text[from:]...)
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

// Package apigateway serves events of an API Gateway HTTP API (payload 2.0) with an
// http.Handler.
package apigateway

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/jsonwriter"
)

// Handler returns a Lambda handler that serves events with h.
func Handler(h http.Handler) lambda.Handler { return gateway{h} }

// gateway implements lambda.Handler, because lambda.NewHandler returns a buffer that
// it reuses: two concurrent calls, as in the local stack, would read each other's
// responses.
type gateway struct{ handler http.Handler }

// Invoke implements lambda.Handler.
func (g gateway) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var e event
	if err := json.Unmarshal(payload, &e); err != nil {
		return nil, fmt.Errorf("read event: %w", err)
	}
	req, err := e.request(ctx)
	if err != nil {
		return nil, fmt.Errorf("read event: %w", err)
	}
	res := response{header: http.Header{}}
	g.handler.ServeHTTP(&res, req)
	return res.marshal(), nil
}

// event is what we need of an event. Reading the rest takes as long again.
type event struct {
	RawPath         string            `json:"rawPath"`
	RawQueryString  string            `json:"rawQueryString"`
	Cookies         []string          `json:"cookies"`
	Headers         map[string]string `json:"headers"`
	Body            string            `json:"body"`
	IsBase64Encoded bool              `json:"isBase64Encoded"`
	RequestContext  struct {
		DomainName string `json:"domainName"`
		HTTP       struct {
			Method   string `json:"method"`
			SourceIP string `json:"sourceIp"`
		} `json:"http"`
	} `json:"requestContext"`
}

func (e *event) request(ctx context.Context) (*http.Request, error) {
	var body io.ReadCloser = http.NoBody
	if e.IsBase64Encoded {
		decoded, err := base64.StdEncoding.DecodeString(e.Body)
		if err != nil {
			return nil, fmt.Errorf("body: %w", err)
		}
		e.Body = string(decoded)
	}
	if e.Body != "" {
		body = io.NopCloser(strings.NewReader(e.Body))
	}
	header := make(http.Header, len(e.Headers)+1)
	for name, value := range e.Headers { // a value with commas stays one
		header[http.CanonicalHeaderKey(name)] = []string{value}
	}
	if len(e.Cookies) > 0 {
		header["Cookie"] = e.Cookies
	}
	if !strings.HasPrefix(e.RawPath, "/") {
		e.RawPath = "/" + e.RawPath
	}
	// An HTTP API sends the path decoded, so it is not parsed: nothing in it starts a query, or
	// is half an escape.
	u := &url.URL{Scheme: "https", Host: e.RequestContext.DomainName, Path: e.RawPath, RawQuery: escapeQuery(e.RawQueryString)}
	req := &http.Request{
		Method: e.RequestContext.HTTP.Method, URL: u, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header,
		Body: body, ContentLength: int64(len(e.Body)), Host: u.Host, RemoteAddr: e.RequestContext.HTTP.SourceIP,
		RequestURI: u.RequestURI(),
	}
	return req.WithContext(ctx), nil
}

// escapeQuery escapes what a query cannot contain.
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

// response implements http.ResponseWriter. Like net/http's own, it sends the first status
// that the handler sets, and 200 if it sets none.
type response struct {
	header http.Header
	status int
	body   []byte
}

func (r *response) Header() http.Header { return r.header }

func (r *response) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

func (r *response) Write(b []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	if r.header.Get("Content-Type") == "" {
		r.header.Set("Content-Type", http.DetectContentType(b))
	}
	r.body = append(r.body, b...)
	return len(b), nil
}

const (
	// largeBody is the length from which a body is sent as base64, which API Gateway decodes. A
	// page of a list is 80 KB of JSON in which every eighth character is a quote, and escaping
	// them takes three times as long. A short text stays readable in the function's response.
	largeBody = 4 << 10
	// frame is about the size of a response without its body.
	frame = 1 << 10
)

// marshal returns the response in payload format 2.0.
func (r *response) marshal() []byte {
	r.WriteHeader(http.StatusOK)
	inBase64 := len(r.body) >= largeBody || !utf8.Valid(r.body)
	size := len(r.body)
	if inBase64 {
		size = base64.StdEncoding.EncodedLen(size)
	}
	out := make([]byte, 0, frame+size)
	out = strconv.AppendInt(append(out, `{"statusCode":`...), int64(r.status), 10)
	out = append(out, `,"headers":{`...)
	separator := ""
	for name, values := range r.header {
		if name != "Set-Cookie" {
			out = append(jsonwriter.String(append(out, separator...), name), ':')
			out = jsonwriter.String(out, strings.Join(values, ","))
			separator = ","
		}
	}
	out = append(out, `},"cookies":[`...)
	for i, cookie := range r.header["Set-Cookie"] {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsonwriter.String(out, cookie)
	}
	out = strconv.AppendBool(append(out, `],"isBase64Encoded":`...), inBase64)
	out = append(out, `,"body":"`...)
	if inBase64 {
		out = appendBase64(out, r.body)
	} else {
		out = jsonwriter.Escaped(out, string(r.body))
	}
	return append(out, `"}`...)
}

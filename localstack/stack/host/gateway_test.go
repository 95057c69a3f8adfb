package host

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambdacontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const oneRoute = `
Resources:
  F:
    Type: AWS::Serverless::Function
    Properties:
      Timeout: 5
      Events:
        E: { Type: HttpApi, Properties: { Path: "/a/{proxy+}", Method: ANY } }
`

// exchange sends a request through the gateway to handler.
func exchange(t *testing.T, handler any, r *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	h, _ := start(t, options(t, parse(t, oneRoute), map[string]any{"F": handler}))
	return exchangeWith(h, r)
}

func exchangeWith(h *Host, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// seen gives the event that the gateway makes of a request.
func seen(t *testing.T, r *http.Request) events.APIGatewayV2HTTPRequest {
	t.Helper()
	var got events.APIGatewayV2HTTPRequest
	exchange(t, func(_ context.Context, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		got = e
		return events.APIGatewayV2HTTPResponse{StatusCode: 204}, nil
	}, r)
	require.Equal(t, "2.0", got.Version)
	return got
}

// A query may hold a secret, such as that of a link.
func TestGatewayDoesNotTellTheQuery(t *testing.T) {
	lines := &told{}
	o := options(t, parse(t, oneRoute), map[string]any{"F": func(context.Context) (events.APIGatewayV2HTTPResponse, error) {
		return events.APIGatewayV2HTTPResponse{StatusCode: 204}, nil
	}})
	o.Tell = lines.tell
	h, _ := start(t, o)
	exchangeWith(h, httptest.NewRequest(http.MethodGet, "http://localhost:3000/a/b?link=secret", nil))
	console := strings.Join(lines.lines, "\n")
	assert.Contains(t, console, "204 GET /a/b ")
	assert.NotContains(t, console, "secret")
}

func TestRequestEvent(t *testing.T) {
	t.Run("carries path, query, headers and cookies", func(t *testing.T) {
		r := httptest.NewRequest(http.MethodPatch, "http://localhost:3000/a/b%20c/d?x=1&x=2&y=%C3%A4&z", strings.NewReader("grüße"))
		r.Header.Set("Content-Type", "text/plain; charset=utf-8")
		r.Header.Add("X-Many", "one")
		r.Header.Add("X-Many", "two, three")
		r.Header.Set("X-Forwarded-For", "203.0.113.9")
		r.Header.Set("User-Agent", "test")
		r.Header.Add("Cookie", "a=1; b=2")
		r.Header.Add("Cookie", "c=3")
		e := seen(t, r)
		assert.Equal(t, "ANY /a/{proxy+}", e.RouteKey)
		assert.Equal(t, "/a/b c/d", e.RawPath, "an HTTP API gives the path decoded")
		assert.Equal(t, map[string]string{"proxy": "b c/d"}, e.PathParameters)
		assert.Equal(t, "x=1&x=2&y=%C3%A4&z", e.RawQueryString)
		assert.Equal(t, map[string]string{"x": "1,2", "y": "ä", "z": ""}, e.QueryStringParameters)
		assert.Equal(t, "one,two, three", e.Headers["x-many"])
		assert.Equal(t, "localhost:3000", e.Headers["host"])
		assert.Equal(t, "7", e.Headers["content-length"])
		assert.Equal(t, "203.0.113.9, 192.0.2.1", e.Headers["x-forwarded-for"])
		assert.NotContains(t, e.Headers, "cookie")
		assert.Equal(t, []string{"a=1", "b=2", "c=3"}, e.Cookies)
		assert.Equal(t, "grüße", e.Body)
		assert.False(t, e.IsBase64Encoded)

		c := e.RequestContext
		assert.Equal(t, "$default", c.Stage)
		assert.Equal(t, "localhost", c.DomainName)
		assert.NotEmpty(t, c.RequestID)
		assert.InDelta(t, time.Now().UnixMilli(), c.TimeEpoch, 60_000)
		assert.Equal(t, events.APIGatewayV2HTTPRequestContextHTTPDescription{
			Method: "PATCH", Path: "/a/b c/d", Protocol: "HTTP/1.1", SourceIP: "192.0.2.1", UserAgent: "test",
		}, c.HTTP)
	})

	for contentType, text := range map[string]bool{
		"application/json": true, "text/csv": true, "application/xml": true,
		"application/x-www-form-urlencoded": false, "application/problem+json": false,
		"application/octet-stream": false, "": false,
	} {
		t.Run("a body of type "+contentType, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPost, "/a/b", strings.NewReader("a=b\xff"))
			r.Header.Set("Content-Type", contentType)
			e := seen(t, r)
			assert.Equal(t, !text, e.IsBase64Encoded)
			if !text {
				decoded, err := base64.StdEncoding.DecodeString(e.Body)
				require.NoError(t, err)
				assert.Equal(t, "a=b\xff", string(decoded))
			}
		})
	}

	t.Run("an empty body is not base64", func(t *testing.T) {
		e := seen(t, httptest.NewRequest(http.MethodGet, "/a/b", nil))
		assert.False(t, e.IsBase64Encoded)
		assert.Empty(t, e.Body)
		assert.NotContains(t, e.Headers, "content-length")
	})
}

func answering(r events.APIGatewayV2HTTPResponse) any {
	return func() (events.APIGatewayV2HTTPResponse, error) { return r, nil }
}

func get() *http.Request { return httptest.NewRequest(http.MethodGet, "/a/b", nil) }

func TestResponse(t *testing.T) {
	t.Run("carries status, headers, cookies and text", func(t *testing.T) {
		r := exchange(t, answering(events.APIGatewayV2HTTPResponse{
			StatusCode: 201, Body: "ä",
			Headers: map[string]string{"content-type": "application/json", "x-many": "one,two"},
			Cookies: []string{"a=1; Path=/", "b=2"},
		}), get())
		assert.Equal(t, 201, r.Code)
		assert.Equal(t, "ä", r.Body.String())
		assert.Equal(t, "application/json", r.Header().Get("Content-Type"))
		assert.Equal(t, "one,two", r.Header().Get("X-Many"))
		assert.Equal(t, []string{"a=1; Path=/", "b=2"}, r.Header().Values("Set-Cookie"))
		assert.NotEmpty(t, r.Header().Get("Apigw-Requestid"))
	})

	t.Run("decodes a binary body", func(t *testing.T) {
		r := exchange(t, answering(events.APIGatewayV2HTTPResponse{
			StatusCode: 200, Body: base64.StdEncoding.EncodeToString([]byte{0, 255, 1}), IsBase64Encoded: true,
			Headers: map[string]string{"Content-Type": "image/png"},
		}), get())
		assert.Equal(t, string([]byte{0, 255, 1}), r.Body.String())
	})

	for name, handler := range map[string]any{
		"an error":             func() error { return errors.New("broken") },
		"a panic":              func() error { panic("broken") },
		"an answer without":    answering(events.APIGatewayV2HTTPResponse{}),
		"a body not base64":    answering(events.APIGatewayV2HTTPResponse{StatusCode: 200, IsBase64Encoded: true, Body: "%"}),
		"an answer over 6 MB":  answering(events.APIGatewayV2HTTPResponse{StatusCode: 200, Body: strings.Repeat("x", maxAnswer)}),
		"an answer of no JSON": func() (string, error) { return "plain", nil },
	} {
		t.Run(name+" is the gateway's own 500", func(t *testing.T) {
			r := exchange(t, handler, get())
			assert.Equal(t, 500, r.Code)
			assert.JSONEq(t, `{"message":"Internal Server Error"}`, r.Body.String())
		})
	}
}

func TestGateway(t *testing.T) {
	t.Run("a path without a route is 404", func(t *testing.T) {
		r := exchange(t, func() {}, httptest.NewRequest(http.MethodGet, "/b", nil))
		assert.Equal(t, 404, r.Code)
		assert.JSONEq(t, `{"message":"Not Found"}`, r.Body.String())
	})

	t.Run("a body over 10 MB is 413 and does not reach the function", func(t *testing.T) {
		called := false
		body := bytes.NewReader(make([]byte, maxRequestBody+1))
		r := exchange(t, func() { called = true }, httptest.NewRequest(http.MethodPost, "/a/b", body))
		assert.Equal(t, 413, r.Code)
		assert.False(t, called)
	})

	t.Run("a function gets a request id, its name and its deadline", func(t *testing.T) {
		exchange(t, func(ctx context.Context, _ json.RawMessage) (events.APIGatewayV2HTTPResponse, error) {
			c, ok := lambdacontext.FromContext(ctx)
			assert.True(t, ok)
			assert.NotEmpty(t, c.AwsRequestID)
			assert.Equal(t, "arn:aws:lambda:eu-central-1:000000000000:function:f", c.InvokedFunctionArn)
			deadline, ok := ctx.Deadline()
			assert.True(t, ok)
			assert.LessOrEqual(t, time.Until(deadline), 5*time.Second)
			return events.APIGatewayV2HTTPResponse{StatusCode: 200}, nil
		}, get())
	})

	t.Run("a function that ignores its time-out is 503 then", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			release := make(chan struct{})
			begun := time.Now()
			r := exchange(t, func() { <-release }, get())
			assert.Equal(t, 5*time.Second, time.Since(begun))
			assert.Equal(t, 503, r.Code)
			assert.JSONEq(t, `{"message":"Service Unavailable"}`, r.Body.String())
			close(release)
		})
	})

	t.Run("a stopped host answers 503", func(t *testing.T) {
		h, stop := start(t, options(t, parse(t, oneRoute), map[string]any{"F": func() {}}))
		stop()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, get())
		assert.Equal(t, 503, w.Code)
	})

	t.Run("stopping waits for the call in flight", func(t *testing.T) {
		begun, release := make(chan struct{}), make(chan struct{})
		h, stop := start(t, options(t, parse(t, oneRoute), map[string]any{"F": func() (events.APIGatewayV2HTTPResponse, error) {
			close(begun)
			<-release
			return events.APIGatewayV2HTTPResponse{StatusCode: 204}, nil
		}}))
		w := httptest.NewRecorder()
		answered, stopped := make(chan struct{}), make(chan struct{})
		go func() { h.ServeHTTP(w, get()); close(answered) }()
		<-begun
		go func() { stop(); close(stopped) }()
		<-h.intake.Done()
		close(release)
		<-answered
		<-stopped
		assert.Equal(t, 204, w.Code)
	})
}

func TestSchedule(t *testing.T) {
	const src = `
Resources:
  F:
    Type: AWS::Serverless::Function
    Properties:
      Events:
        E: { Type: ScheduleV2, Properties: { OmitName: true, ScheduleExpression: rate(1 minute) } }
`
	t.Run("fires at once and then at its rate", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			calls := make(chan map[string]any, 10)
			_, stop := start(t, options(t, parse(t, src), map[string]any{"F": func(_ context.Context, e map[string]any) error {
				calls <- e
				return nil
			}}))
			time.Sleep(2*time.Minute + time.Second)
			stop()
			require.Len(t, calls, 3)
			e := <-calls
			assert.Equal(t, "Scheduled Event", e["detail-type"])
			assert.Equal(t, "aws.scheduler", e["source"])
			assert.Equal(t, time.Now().Add(-2*time.Minute-time.Second).UTC().Format(time.RFC3339), e["time"])
		})
	})

	t.Run("goes on after a failure and leaves out what a long call missed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			tpl := parse(t, src)
			tpl.Functions[0].Timeout = 10 * time.Minute
			calls := 0
			_, stop := start(t, options(t, tpl, map[string]any{"F": func() error {
				calls++
				if calls == 1 {
					time.Sleep(150 * time.Second)
				}
				return errors.New("broken")
			}}))
			time.Sleep(3*time.Minute + time.Second)
			stop()
			assert.Equal(t, 2, calls, "at 0 and at 3 minutes")
		})
	})
}

package route

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strconv"

	"github.com/aws/aws-lambda-go/events"
)

// request is a partner's request.
type request struct {
	method, target string // target: path and query
	header         map[string]string
	body           string
}

// event returns API Gateway's event for the request (payload format 2.0).
func (r request) event() []byte {
	u, err := url.Parse(r.target)
	if err != nil {
		panic(err) // a constant of this package
	}
	headers := map[string]string{
		"accept": "application/json", "accept-encoding": "gzip",
		"host": "api.aviso.example", "user-agent": "partner/1.0",
		"x-amzn-trace-id": "Root=1-5759e988-bd862e3fe1be46a994272793", "x-forwarded-for": "192.0.2.44",
		"x-forwarded-port": "443", "x-forwarded-proto": "https",
	}
	maps.Copy(headers, r.header)
	e := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: "ANY " + u.Path, RawPath: u.Path, RawQueryString: u.RawQuery,
		Headers: headers, Body: r.body,
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			RouteKey: "ANY " + u.Path, AccountID: "000000000000", APIID: "bench", Stage: "$default",
			DomainName: "api.aviso.example", DomainPrefix: "api", RequestID: "JKJaXmPLvHcESHA=",
			Time: "20/Nov/2026:09:36:00 +0000", TimeEpoch: 1795167360000,
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method: r.method, Path: u.Path, Protocol: "HTTP/1.1", SourceIP: "192.0.2.44", UserAgent: "partner/1.0",
			},
		},
	}
	for name, values := range u.Query() {
		if e.QueryStringParameters == nil {
			e.QueryStringParameters = map[string]string{}
		}
		e.QueryStringParameters[name] = values[0]
	}
	if r.body != "" {
		headers["content-length"] = strconv.Itoa(len(r.body))
		if headers["content-type"] != "application/json" { // as API Gateway does
			e.Body, e.IsBase64Encoded = base64.StdEncoding.EncodeToString([]byte(r.body)), true
		}
	}
	return marshal(e)
}

func marshal(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot happen: only strings and numbers
	}
	return raw
}

// wants returns a check of a response's status.
func wants(status int) func([]byte) error {
	return func(answer []byte) error {
		var got events.APIGatewayV2HTTPResponse
		if err := json.Unmarshal(answer, &got); err != nil {
			return fmt.Errorf("the result is not an HTTP response: %w", err)
		}
		if got.StatusCode != status {
			return fmt.Errorf("%d %s: %s", got.StatusCode, http.StatusText(got.StatusCode), got.Body)
		}
		return nil
	}
}

// done checks the response of a function behind a queue or stream: nothing may be retried.
func done(answer []byte) error {
	var got struct {
		BatchItemFailures []any `json:"batchItemFailures"`
	}
	if string(answer) == "null" {
		return nil
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return fmt.Errorf("read the response: %w", err)
	}
	if len(got.BatchItemFailures) > 0 {
		return fmt.Errorf("not done: %s", answer)
	}
	return nil
}

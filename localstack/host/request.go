package host

import (
	"encoding/base64"
	"mime"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"aviso/localstack/template"
)

// requestEvent returns an HTTP API's event for a request, in payload format 2.0.
func requestEvent(r *http.Request, body []byte, m match, now time.Time, id string) events.APIGatewayV2HTTPRequest {
	domain := r.Host
	if host, _, err := net.SplitHostPort(domain); err == nil {
		domain = host
	}
	prefix, _, _ := strings.Cut(domain, ".")
	event := events.APIGatewayV2HTTPRequest{
		Version:  "2.0",
		RouteKey: m.key(),
		// An HTTP API decodes the path.
		RawPath:        r.URL.Path,
		RawQueryString: r.URL.RawQuery,
		Headers:        requestHeaders(r),
		PathParameters: m.parameters,
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			RouteKey:     m.key(),
			AccountID:    template.Account,
			APIID:        "local",
			DomainName:   domain,
			DomainPrefix: prefix,
			Stage:        "$default",
			RequestID:    id,
			Time:         now.UTC().Format("02/Jan/2006:15:04:05 -0700"),
			TimeEpoch:    now.UnixMilli(),
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method:    r.Method,
				Path:      r.URL.Path,
				Protocol:  r.Proto,
				SourceIP:  sourceIP(r),
				UserAgent: r.UserAgent(),
			},
		},
	}
	for _, line := range r.Header.Values("Cookie") {
		for cookie := range strings.SplitSeq(line, ";") {
			if cookie = strings.TrimSpace(cookie); cookie != "" {
				event.Cookies = append(event.Cookies, cookie)
			}
		}
	}
	for name, values := range r.URL.Query() {
		if event.QueryStringParameters == nil {
			event.QueryStringParameters = map[string]string{}
		}
		event.QueryStringParameters[name] = strings.Join(values, ",")
	}
	event.Body = string(body)
	if len(body) > 0 && !isText(r.Header.Get("Content-Type")) {
		event.Body, event.IsBase64Encoded = base64.StdEncoding.EncodeToString(body), true
	}
	return event
}

// requestHeaders returns the headers in lower case, with repeated ones joined by commas.
// Cookies have a separate member.
func requestHeaders(r *http.Request) map[string]string {
	headers := map[string]string{}
	for name, values := range r.Header {
		if name != "Cookie" {
			headers[strings.ToLower(name)] = strings.Join(values, ",")
		}
	}
	// net/http removes these two from the headers.
	headers["host"] = r.Host
	if r.ContentLength >= 0 && r.Body != http.NoBody {
		headers["content-length"] = strconv.FormatInt(r.ContentLength, 10)
	}
	forwarded := sourceIP(r)
	if before := headers["x-forwarded-for"]; before != "" {
		forwarded = before + ", " + forwarded
	}
	headers["x-forwarded-for"] = forwarded
	headers["x-forwarded-proto"] = "http"
	if _, port, err := net.SplitHostPort(r.Host); err == nil {
		headers["x-forwarded-port"] = port
	}
	return headers
}

// isText reports whether an HTTP API passes on a body of this type as text. Other bodies
// are base64 in the event, including forms and bodies without a type.
func isText(contentType string) bool {
	mediaType, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false
	}
	switch mediaType {
	case "application/json", "application/xml", "application/javascript":
		return true
	}
	return strings.HasPrefix(mediaType, "text/")
}

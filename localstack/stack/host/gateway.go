package host

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/uuid"

	"aviso/localstack/template"
)

// The limits of an HTTP API and of a function's response.
const (
	maxRequestBody = 10 << 20
	maxAnswer      = 6_291_556
	// MaxHeaderBytes is an HTTP API's limit for request line and headers.
	MaxHeaderBytes = 10_240
)

// gatewayLimit is how long an HTTP API waits for a function.
const gatewayLimit = 30 * time.Second

// ServeHTTP is the gateway: it calls the function of the request's route. Other errors get API Gateway's responses.
func (h *Host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !h.begin() {
		gatewayError(w, http.StatusServiceUnavailable)
		return
	}
	defer h.inFlight.Done()
	start := time.Now()
	status := h.answer(w, r, start)
	h.Tell(fmt.Sprintf("%d %s %s %s", status, r.Method, r.URL.Path, time.Since(start).Round(time.Millisecond)))
}

func (h *Host) answer(w http.ResponseWriter, r *http.Request, now time.Time) int {
	found, ok := h.router.find(r.Method, r.URL.Path)
	if !ok {
		return gatewayError(w, http.StatusNotFound)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequestBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return gatewayError(w, http.StatusRequestEntityTooLarge)
	} else if err != nil {
		return gatewayError(w, http.StatusBadRequest)
	}
	id := uuid.NewString()
	event, err := json.Marshal(RequestEvent(r, body, found.key(), found.parameters, now, id))
	if err != nil {
		h.failed("build the event", found.Function, err)
		return gatewayError(w, http.StatusInternalServerError)
	}
	w.Header().Set("Apigw-Requestid", id)

	// A disconnecting client does not stop a function, so the function does not get the request's context.
	f := *h.functions[found.Function]
	f.Timeout = min(f.Timeout, gatewayLimit)
	answer, err := f.call(h.calls, uuid.NewString(), event)
	if err == nil {
		var status int
		if status, err = writeAnswer(w, answer); err == nil {
			return status
		}
	}
	h.failed("call", f.Name, err)
	if errors.Is(err, errTimeout) {
		return gatewayError(w, http.StatusServiceUnavailable)
	}
	return gatewayError(w, http.StatusInternalServerError)
}

// gatewayError writes an error in API Gateway's format.
func gatewayError(w http.ResponseWriter, status int) int {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"message": http.StatusText(status)})
	return status
}

// sourceIP returns the caller's address without its port.
func sourceIP(r *http.Request) string {
	ip, _, _ := net.SplitHostPort(r.RemoteAddr)
	return ip
}

// RequestEvent returns an HTTP API's event for a request, in payload format 2.0. The route key and the parameters are
// those of the matched route.
func RequestEvent(
	r *http.Request, body []byte, routeKey string, parameters map[string]string, now time.Time, id string,
) events.APIGatewayV2HTTPRequest {
	domain := r.Host
	if host, _, err := net.SplitHostPort(domain); err == nil {
		domain = host
	}
	event := events.APIGatewayV2HTTPRequest{
		Version:  "2.0",
		RouteKey: routeKey,
		// An HTTP API decodes the path.
		RawPath:        r.URL.Path,
		RawQueryString: r.URL.RawQuery,
		Headers:        requestHeaders(r),
		PathParameters: parameters,

		QueryStringParameters: map[string]string{},
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			RouteKey:   routeKey,
			AccountID:  template.Account,
			APIID:      "local",
			DomainName: domain,
			Stage:      "$default",
			RequestID:  id,
			Time:       now.UTC().Format("02/Jan/2006:15:04:05 -0700"),
			TimeEpoch:  now.UnixMilli(),
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method:    r.Method,
				Path:      r.URL.Path,
				Protocol:  r.Proto,
				SourceIP:  sourceIP(r),
				UserAgent: r.UserAgent(),
			},
		},
	}
	for cookie := range strings.SplitSeq(strings.Join(r.Header.Values("Cookie"), ";"), ";") {
		if cookie = strings.TrimSpace(cookie); cookie != "" {
			event.Cookies = append(event.Cookies, cookie)
		}
	}
	for name, values := range r.URL.Query() {
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
	texts := []string{"application/json", "application/xml", "application/javascript"}
	return err == nil && (strings.HasPrefix(mediaType, "text/") || slices.Contains(texts, mediaType))
}

// writeAnswer writes a function's response. It writes nothing if API Gateway would reject
// the response.
func writeAnswer(w http.ResponseWriter, answer []byte) (status int, err error) {
	if len(answer) > maxAnswer {
		return 0, fmt.Errorf("the response has %d bytes; Lambda allows %d", len(answer), maxAnswer)
	}
	var response events.APIGatewayV2HTTPResponse
	if err := json.Unmarshal(answer, &response); err != nil {
		return 0, fmt.Errorf("read the function's response: %w", err)
	}
	if response.StatusCode < 100 || response.StatusCode > 599 {
		return 0, fmt.Errorf("the function returned status %d", response.StatusCode)
	}
	body := []byte(response.Body)
	if response.IsBase64Encoded {
		if body, err = base64.StdEncoding.DecodeString(response.Body); err != nil {
			return 0, fmt.Errorf("the function's body is not base64: %w", err)
		}
	}
	header := w.Header()
	for name, value := range response.Headers {
		header.Set(name, value)
	}
	for _, cookie := range response.Cookies {
		header.Add("Set-Cookie", cookie)
	}
	if header.Get("Content-Type") == "" && len(body) > 0 {
		header.Set("Content-Type", "text/plain; charset=utf-8")
	}
	// A disconnected client is not a failure of the function.
	w.WriteHeader(response.StatusCode)
	_, _ = w.Write(body)
	return response.StatusCode, nil
}

// router finds the route of a request as an HTTP API does. Among the routes for the method, the most specific path
// wins: in each segment, fixed text goes before {name} and {name} before {name+}. For the same path, the method goes
// before ANY. $default matches everything else.
type router []route

type route struct {
	template.Route
	path       *regexp.Regexp
	rank       string            // the most specific path sorts first
	parameters map[string]string // of the path that find has found
}

// key is API Gateway's name for the route, such as "ANY /pets/{id}".
func (r route) key() string {
	if r.Path == "$default" {
		return r.Path
	}
	return r.Method + " " + r.Path
}

func newRouter(routes []template.Route) router {
	var all router
	for _, t := range routes {
		r, pattern := route{Route: t}, ""
		for _, segment := range strings.Split(t.Path, "/")[1:] {
			name, isParameter := strings.CutPrefix(strings.TrimSuffix(segment, "}"), "{")
			name, isGreedy := strings.CutSuffix(name, "+")
			switch {
			case isParameter && isGreedy:
				pattern, r.rank = pattern+"/(?P<"+name+">.+)", r.rank+"2"
			case isParameter:
				pattern, r.rank = pattern+"/(?P<"+name+">[^/]+)", r.rank+"1"
			default:
				pattern, r.rank = pattern+"/"+regexp.QuoteMeta(segment), r.rank+"0"
			}
		}
		r.rank += "3" // so that a longer path sorts before its beginning
		if t.Path == "$default" {
			pattern, r.rank = ".*", "4"
		}
		if t.Method == "ANY" {
			r.rank += "1"
		}
		r.path = regexp.MustCompile("(?s)^" + pattern + "$")
		all = append(all, r)
	}
	slices.SortStableFunc(all, func(a, b route) int { return strings.Compare(a.rank, b.rank) })
	return all
}

func (r router) find(method, path string) (found route, ok bool) {
	i := slices.IndexFunc(r, func(candidate route) bool {
		return (candidate.Method == "ANY" || candidate.Method == method) && candidate.path.MatchString(path)
	})
	if i < 0 {
		return found, false
	}
	found = r[i]
	if found.Path != "$default" {
		found.parameters = map[string]string{}
	}
	values := found.path.FindStringSubmatch(path)
	for i, name := range found.path.SubexpNames()[1:] {
		found.parameters[name] = values[i+1]
	}
	return found, true
}

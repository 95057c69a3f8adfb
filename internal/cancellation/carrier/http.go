package carrier

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"aviso/internal/outbound"
)

// maxResponse bounds the body of a response after decompression. The longest is a
// page of a thousand faxes.
const maxResponse = 4 << 20

func defaultTimeouts() outbound.Timeouts {
	return outbound.Timeouts{Connect: 3 * time.Second, Header: 10 * time.Second, Total: 15 * time.Second}
}

// Call describes one call to a carrier. It has no personal data.
type Call struct {
	// Operation is the name of the operation, such as "send letter".
	Operation string
	// Status is the HTTP status, or 0 without a response.
	Status   int
	Duration time.Duration
}

// Common are the options that Post and Fax share.
type Common struct {
	// Now is the clock; required.
	Now func() time.Time
	// Timeouts are the timeouts of each call. The defaults are 3 s to connect, 10 s
	// until the response begins and 15 s in total.
	Timeouts outbound.Timeouts
	// Observe is called after every call; optional.
	Observe func(ctx context.Context, call Call)
	// Transport replaces the adapter's own; Timeouts.Connect and Timeouts.Header
	// then have no effect.
	Transport http.RoundTripper
}

// client makes HTTP calls and reports them to observe.
type client struct {
	http    *http.Client
	now     func() time.Time
	total   time.Duration
	observe func(ctx context.Context, call Call)
}

func newClient(c Common) (*client, error) {
	if c.Now == nil {
		return nil, errors.New("a clock is required")
	}
	t := c.Timeouts.Or(defaultTimeouts())
	transport := c.Transport
	if transport == nil {
		transport = outbound.NewTransport(t, nil)
	}
	observe := c.Observe
	if observe == nil {
		observe = func(context.Context, Call) {}
	}
	return &client{
		http: outbound.NewClient(transport, c.Now), now: c.Now, total: t.Total, observe: observe,
	}, nil
}

// parseBase parses an absolute URL without user, query and fragment. It also accepts
// plain HTTP, which the sandbox uses and which must be configured explicitly.
func parseBase(name, s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" ||
		u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%s must be an absolute http(s) URL without user, query and fragment", name)
	}
	u.Path, u.RawPath = strings.TrimSuffix(u.Path, "/"), ""
	return u, nil
}

// request is one call before it is sent.
type request struct {
	operation string
	method    string
	url       *url.URL
	header    map[string]string
	body      []byte
}

// response is a response with any status.
type response struct {
	status int
	header http.Header
	body   []byte
}

func (a response) ok() bool { return a.status >= 200 && a.status <= 299 }

// do makes the call and reads the whole response. It fails only without a complete
// response. Its errors have their own text, because those of net/http quote the URL.
func (c *client) do(ctx context.Context, r request) (response, error) {
	ctx, cancel := context.WithTimeout(ctx, c.total)
	defer cancel()
	started := c.now()
	a, err := c.exchange(ctx, r)
	c.observe(ctx, Call{Operation: r.operation, Status: a.status, Duration: c.now().Sub(started)})
	if err != nil {
		return a, transportCause(ctx, err)
	}
	return a, nil
}

func (c *client) exchange(ctx context.Context, r request) (response, error) {
	var payload io.Reader
	if r.body != nil {
		payload = bytes.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, r.url.String(), payload)
	if err != nil {
		return response{}, err
	}
	req.Header.Set("User-Agent", "Aviso")
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return response{}, err
	}
	defer resp.Body.Close()
	a := response{status: resp.StatusCode, header: resp.Header}
	a.body, err = io.ReadAll(io.LimitReader(resp.Body, maxResponse+1))
	switch {
	case !a.ok():
		// The status is enough.
		a.body = nil
		return a, nil
	case err != nil:
		return a, err
	case len(a.body) > maxResponse:
		return a, errTooLarge
	default:
		return a, nil
	}
}

package aviso

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
)

// maxAnswer is far larger than any answer.
const maxAnswer = 64 << 20

// RequestOption changes one request.
type RequestOption func(*request)

// WithIdempotencyKey sends your own key in place of a random one, so that a later run of your
// program can repeat the request safely. It has no effect on operations that take no key.
func WithIdempotencyKey(key string) RequestOption {
	return func(r *request) { r.key = key }
}

// WithRequestID sends your own ID of the request, which is the TraceID of its errors.
func WithRequestID(id string) RequestOption {
	return func(r *request) { r.id = id }
}

// request is an operation with its arguments.
type request struct {
	method, path   string
	ids            []string // for the placeholders of the path
	userID         string
	idempotencyKey bool // the operation takes one
	params         interface{ values() (query, header values) }
	body           any

	key, id string
}

// values are the parameters in the query or in headers.
type values map[string]string

// add leaves out what has its zero value: it was not given.
func (v values) add(name string, value any) {
	if !reflect.ValueOf(value).IsZero() {
		v[name] = fmt.Sprint(value)
	}
}

// call is a request as it is sent, each time the same.
type call struct {
	method, url string
	header      http.Header
	body        []byte
	repeatable  bool // if it is not known whether it has been received
}

func (c *Client) newCall(r request, opts []RequestOption) (*call, error) {
	for _, opt := range opts {
		opt(&r)
	}
	header := http.Header{"Accept": {"application/json, application/pdf"}, "User-Agent": {c.config.UserAgent}}
	out := &call{method: r.method, header: header, repeatable: r.method != http.MethodPost && r.method != http.MethodPatch}
	escaped := make([]any, len(r.ids))
	for i, id := range r.ids {
		// An empty ID, or dots, would name another operation.
		if id == "" || id == "." || id == ".." {
			return nil, fmt.Errorf("aviso: %s %s: the ID %q cannot be in a path", r.method, r.path, id)
		}
		escaped[i] = url.PathEscape(id)
	}
	out.url = c.config.BaseURL + fmt.Sprintf(r.path, escaped...)
	if r.params != nil {
		query, headers := r.params.values()
		all := url.Values{}
		for name, value := range query {
			all.Set(name, value)
		}
		if len(all) > 0 {
			out.url += "?" + all.Encode()
		}
		for name, value := range headers {
			header.Set(name, value)
		}
	}
	if r.body != nil {
		var err error
		if out.body, err = json.Marshal(r.body); err != nil {
			return nil, fmt.Errorf("aviso: %s %s: %w", r.method, r.path, err)
		}
		header.Set("Content-Type", "application/json")
	}
	if r.userID != "" {
		header.Set("X-User-Id", r.userID)
	}
	if r.id != "" {
		header.Set("X-Request-Id", r.id)
	}
	if r.idempotencyKey {
		if r.key == "" {
			r.key = rand.Text()
		}
		header.Set("Idempotency-Key", r.key)
		out.repeatable = true
	}
	return out, nil
}

// send returns the answer to a request.
func send[T any](ctx context.Context, c *Client, r request, opts []RequestOption) (*T, error) {
	body, err := sendForBytes(ctx, c, r, opts)
	if err != nil {
		return nil, err
	}
	out, err := decode[T](body)
	if err != nil {
		return nil, fmt.Errorf("aviso: %s %s: the answer cannot be read: %w", r.method, r.path, err)
	}
	return &out, nil
}

func sendForNothing(ctx context.Context, c *Client, r request, opts []RequestOption) error {
	_, err := sendForBytes(ctx, c, r, opts)
	return err
}

func sendForBytes(ctx context.Context, c *Client, r request, opts []RequestOption) ([]byte, error) {
	out, err := c.newCall(r, opts)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	token, err := c.tokens.get(ctx, c)
	if err != nil {
		return nil, err
	}
	out.header.Set("Authorization", "Bearer "+token)
	body, err := c.sendWithRetries(ctx, out)
	if !errors.Is(err, ErrAuthentication) {
		return body, err
	}
	// The token may have been revoked, or its key replaced.
	c.tokens.forget(token)
	if token, err = c.tokens.get(ctx, c); err != nil {
		return nil, err
	}
	out.header.Set("Authorization", "Bearer "+token)
	return c.sendWithRetries(ctx, out)
}

// sendOnce sends a call and returns the body of the answer, or an *Error.
func (c *Client) sendOnce(ctx context.Context, out *call) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, out.method, out.url, bytes.NewReader(out.body))
	if err != nil {
		return nil, fmt.Errorf("aviso: %w", err)
	}
	req.Header = out.header.Clone() // an earlier try may still be writing its own
	resp, err := c.config.HTTPClient.Do(req)
	if err != nil {
		return nil, lost(errors.Unwrap(err)) // without the address, which has what was searched for
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return nil, lost(err)
	}
	if resp.StatusCode >= 300 {
		return nil, refused(resp, body)
	}
	return body, nil
}

func decode[T any](data []byte) (T, error) {
	var out T
	err := json.Unmarshal(data, &out)
	return out, err
}

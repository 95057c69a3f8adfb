package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"syscall"
	"time"

	"aviso/localstack/contract"
)

// callWithin bounds one call; the service's own functions have 20 s.
const callWithin = 25 * time.Second

// client is the partner's server.
type client struct {
	http    *http.Client
	baseURL string
	token   string
	userID  string
}

// newHTTP is a client that follows no redirect by itself and fails where an
// answer is not what the document says.
func newHTTP(rules *contract.Contract) *http.Client {
	return &http.Client{
		Transport:     &contract.Transport{Contract: rules},
		Timeout:       callWithin,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// call is one request of the partner; body is sent as JSON unless it is a form.
type call struct {
	method, path string
	form         url.Values
	body         any
	// once is the Idempotency-Key.
	once string
	// refused is the code of the refusal that is to come; empty for a success.
	refused string
	// accept is the media type asked for, where there are several.
	accept string
}

// unexpected is an answer other than the one that was to come.
type unexpected struct {
	call   call
	status int
	code   string
	text   []byte
}

func (e *unexpected) Error() string {
	instead := ""
	if e.call.refused != "" {
		instead = " instead of " + e.call.refused
	}
	return fmt.Sprintf("%s %s answered %d%s: %s", e.call.method, e.call.path, e.status, instead, e.text)
}

// do makes the call and reads a success into answer, or the refusal that is to
// come.
func (c *client) do(ctx context.Context, k call, answer any) error {
	text, err := c.fetch(ctx, k)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, answer)
}

// fetch makes the call and gives the body of a success, or of the refusal that
// is to come.
func (c *client) fetch(ctx context.Context, k call) ([]byte, error) {
	body, media := []byte(nil), ""
	if k.form != nil {
		body, media = []byte(k.form.Encode()), "application/x-www-form-urlencoded"
	} else if k.body != nil {
		var err error
		if body, err = json.Marshal(k.body); err != nil {
			return nil, fmt.Errorf("%s %s: %w", k.method, k.path, err)
		}
		media = "application/json"
	}
	req, err := http.NewRequestWithContext(ctx, k.method, c.baseURL+k.path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{"Content-Type": media, "Idempotency-Key": k.once, "X-User-Id": c.userID, "Accept": k.accept} {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.unanswered(err)
	}
	text, err := readAll(resp)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", k.method, k.path, err)
	}
	code := ""
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		var p struct{ Code string }
		_ = json.Unmarshal(text, &p) // what is no problem document has no code
		code = cmp.Or(p.Code, resp.Status)
	}
	if code != k.refused {
		return nil, &unexpected{call: k, status: resp.StatusCode, code: code, text: text}
	}
	return text, nil
}

func (c *client) unanswered(err error) error {
	if errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("nothing answers at %s; start the service first, in another terminal: make run", c.baseURL)
	}
	var broken *url.Error
	if errors.As(err, &broken) { // its own text repeats method and address
		return broken.Err
	}
	return err
}

func readAll(resp *http.Response) ([]byte, error) {
	text, err := io.ReadAll(resp.Body)
	return text, errors.Join(err, resp.Body.Close())
}

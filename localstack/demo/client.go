package main

import (
	"bytes"
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
}

// do makes the call and reads a success into answer.
func (c *client) do(ctx context.Context, k call, answer any) error {
	body, media := []byte(nil), ""
	if k.form != nil {
		body, media = []byte(k.form.Encode()), "application/x-www-form-urlencoded"
	} else if k.body != nil {
		var err error
		if body, err = json.Marshal(k.body); err != nil {
			return fmt.Errorf("%s %s: %w", k.method, k.path, err)
		}
		media = "application/json"
	}
	req, err := http.NewRequestWithContext(ctx, k.method, c.baseURL+k.path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	for name, value := range map[string]string{"Content-Type": media, "Idempotency-Key": k.once, "X-User-Id": c.userID} {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return c.unanswered(err)
	}
	text, err := readAll(resp)
	if err != nil {
		return fmt.Errorf("%s %s: %w", k.method, k.path, err)
	}
	if k.refused != "" {
		var p struct{ Code string }
		if err := json.Unmarshal(text, &p); err != nil || p.Code != k.refused {
			return fmt.Errorf("%s %s answered %d instead of %s: %s", k.method, k.path, resp.StatusCode, k.refused, text)
		}
		return json.Unmarshal(text, answer)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return fmt.Errorf("%s %s answered %d: %s", k.method, k.path, resp.StatusCode, text)
	}
	return json.Unmarshal(text, answer)
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

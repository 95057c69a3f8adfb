package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"aviso/internal/clock"
	"aviso/localstack/chaos/history"
	"aviso/localstack/partner"
)

const (
	// repeatFor is how long a client repeats a request whose outcome it does not know.
	// It is longer than the service holds a key for a request that never ended.
	repeatFor = 150 * time.Second
	// repeatMost is how often it does so at most.
	repeatMost = 120
)

var errUndecided = errors.New("no definite answer")

// client calls the service as a partner does.
type client struct {
	partner string
	baseURL string
	http    *http.Client
	book    *history.Book
	now     func() time.Duration
	counts  *tally
	dice    *dice

	mu    sync.Mutex
	token string
}

// request is something that a partner wants.
type request struct {
	// operation names it in the history; empty for reads, which are not noted.
	operation    string
	method, path string
	user, key    string
	intent       string
	body         any
	// object is where a success has the ID of its object.
	object string
}

// result is a definite answer.
type result struct {
	status int
	code   string
	body   gjson.Result
	ended  time.Duration
}

func (r result) ok() bool { return r.status >= 200 && r.status < 300 }

// do sends the request until there is a definite answer, each time with the same key.
func (c *client) do(ctx context.Context, r request) (result, error) {
	started := time.Now()
	for try := 0; try < repeatMost && time.Since(started) < repeatFor && ctx.Err() == nil; try++ {
		call := history.Call{
			Partner: c.partner, User: r.user, Operation: r.operation, Key: r.key, Intent: r.intent, Begun: c.now(),
		}
		answer := c.once(ctx, r)
		call.Ended, call.Status, call.Code = c.now(), answer.status, answer.code
		if answer.ok() && r.object != "" {
			call.Object = answer.body.Get(r.object).String()
		}
		if r.operation != "" {
			history.Note(c.book, func(h *history.History) *[]history.Call { return &h.Calls }, call)
		}
		c.counts.add("client calls")
		answer.ended = call.Ended
		if call.Definite() {
			return answer, nil
		}
		if answer.status == http.StatusUnauthorized {
			c.forget()
		}
		c.counts.add("client calls repeated")
		if !clock.Wait(ctx, c.dice.wait(100*time.Millisecond, time.Second+time.Duration(try)*100*time.Millisecond)) {
			break
		}
	}
	return result{}, errUndecided
}

// once sends the request. The result has no status if there is no answer.
func (c *client) once(ctx context.Context, r request) result {
	token, err := c.access(ctx)
	if err != nil {
		// Without a token nothing was sent, which must not count as unknown.
		return result{status: http.StatusUnauthorized}
	}
	var body []byte
	if r.body != nil {
		if body, err = json.Marshal(r.body); err != nil {
			return result{}
		}
	}
	header := map[string]string{"Authorization": "Bearer " + token, "X-User-Id": r.user, "Idempotency-Key": r.key}
	if strings.HasPrefix(r.path, "/identity/") || strings.HasPrefix(r.path, "/webhooks/") {
		delete(header, "X-User-Id")
	}
	if r.body != nil {
		header["Content-Type"] = "application/json"
	}
	return c.exchange(ctx, r.method, r.path, header, body)
}

func (c *client) exchange(ctx context.Context, method, path string, header map[string]string, body []byte) result {
	ctx, cancel := context.WithTimeout(ctx, partner.CallWithin)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, c.baseURL+path, bytes.NewReader(body))
	if err != nil {
		return result{}
	}
	for name, value := range header {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	response, err := c.http.Do(req)
	if err != nil {
		return result{}
	}
	text, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return result{}
	}
	parsed := gjson.ParseBytes(text)
	answered := result{status: response.StatusCode, body: parsed}
	if !answered.ok() {
		answered.code = parsed.Get("code").String()
	}
	return answered
}

// access returns a token.
func (c *client) access(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token != "" {
		return c.token, nil
	}
	form := url.Values{
		"grant_type": {"client_credentials"}, "client_id": {c.partner}, "client_secret": {c.partner + "-secret"},
	}
	a := c.exchange(ctx, http.MethodPost, "/oauth2/token",
		map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, []byte(form.Encode()))
	c.token = a.body.Get("access_token").String()
	if c.token == "" {
		return "", errUndecided
	}
	return c.token, nil
}

func (c *client) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.token = ""
}

// read reads something until it succeeds or is refused.
func (c *client) read(ctx context.Context, user, path string) (result, error) {
	return c.do(ctx, request{method: http.MethodGet, path: path, user: user})
}

// pages reads all pages of a list.
func (c *client) pages(ctx context.Context, user, path, member string) ([]gjson.Result, error) {
	var all []gjson.Result
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	for next := ""; ; {
		at := path
		if next != "" {
			at += separator + "nextToken=" + url.QueryEscape(next)
		}
		page, err := c.read(ctx, user, at)
		if err != nil {
			return nil, err
		}
		if !page.ok() {
			return nil, errors.New(path + " answered " + page.code)
		}
		all = append(all, page.body.Get("data."+member).Array()...)
		if next = page.body.Get("meta.pagination.nextToken").String(); next == "" {
			return all, nil
		}
	}
}

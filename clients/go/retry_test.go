package aviso

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"
	"time"
)

func get(ctx context.Context, c *Client) error { _, err := c.Users.Get(ctx, "u1"); return err }
func create(ctx context.Context, c *Client) error {
	_, err := c.Users.Create(ctx, CreateUserRequest{})
	return err
}
func update(ctx context.Context, c *Client) error {
	_, err := c.Users.Update(ctx, "u1", UpdateUserRequest{})
	return err
}
func withdraw(ctx context.Context, c *Client) error {
	_, err := c.User("u1").Cancellations.Withdraw(ctx, "c1")
	return err
}

func TestWhatIsRetried(t *testing.T) {
	for name, test := range map[string]struct {
		send   func(context.Context, *Client) error
		answer http.HandlerFunc
		tries  int
	}{
		"too many requests, safe":                {get, answer(429, ``), 2},
		"too many requests, unsafe":              {withdraw, answer(429, ``), 2},
		"unavailable, safe":                      {get, answer(503, ``), 2},
		"unavailable, with a key":                {create, answer(503, ``), 2},
		"unavailable, unsafe":                    {update, answer(503, ``), 1},
		"unavailable, unsafe, with Retry-After":  {update, answer(503, ``, "Retry-After", "1"), 1},
		"bad gateway, safe":                      {get, answer(502, ``), 2},
		"gateway time-out, with a key":           {create, answer(504, ``), 2},
		"gateway time-out, unsafe":               {withdraw, answer(504, ``), 1},
		"lost connection, safe":                  {get, hangUp, 2},
		"lost connection, with a key":            {create, hangUp, 2},
		"lost connection, unsafe":                {update, hangUp, 1},
		"lost in the middle of the answer":       {get, answer(200, `{`, "Content-Length", "500"), 2},
		"the first one is in progress":           {create, answer(409, `{"code":"idempotency_in_progress"}`), 2},
		"a conflict":                             {create, answer(409, `{"code":"conflict"}`), 1},
		"an internal error":                      {get, answer(500, ``), 1},
		"not found":                              {get, answer(404, ``), 1},
		"asked to wait longer than there's time": {get, answer(429, ``, "Retry-After", "61"), 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service, client := serve(t, test.answer, answer(200, user))
			err := test.send(t.Context(), client)
			equal(t, "tries", len(service.received()), test.tries)
			equal(t, "success", err == nil, test.tries == 2)
		})
	}
}

func TestARetryIsTheSameRequest(t *testing.T) {
	t.Parallel()
	service, client := serve(t, answer(503, ``), hangUp, answer(429, ``), answer(200, user))
	got, err := client.Users.Create(t.Context(), CreateUserRequest{CountryCode: "DE"})
	if err != nil || got.UserID != "u1" {
		t.Fatalf("got %v, %v", got, err)
	}
	keys := map[string]int{}
	for i, r := range service.received() {
		keys[r.Header.Get("Idempotency-Key")]++
		equal(t, "body", service.body(i), service.body(0))
	}
	equal(t, "keys", len(keys), 1)
	_, _ = client.Users.Create(t.Context(), CreateUserRequest{})
	_, _ = client.Users.Create(t.Context(), CreateUserRequest{}, WithIdempotencyKey("mine"))
	equal(t, "another key for another request", keys[service.received()[4].Header.Get("Idempotency-Key")], 0)
	equal(t, "given key", service.received()[5].Header.Get("Idempotency-Key"), "mine")
}

func TestRetriesEnd(t *testing.T) {
	t.Parallel()
	for retries, tries := range map[int]int{-1: 1, 0: 4, 2: 3} {
		service, _ := serve(t, answer(503, ``))
		client, _ := New(Config{ClientID: "id", ClientSecret: "secret", BaseURL: service.URL, MaxRetries: retries})
		equal(t, "error", errors.Is(get(t.Context(), client), ErrServer), true)
		equal(t, "tries", len(service.received()), tries)
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	t.Parallel()
	_, client := serve(t, answer(503, ``, "Retry-After", "1"), answer(200, user))
	start := time.Now()
	if err := get(t.Context(), client); err != nil || time.Since(start) < time.Second {
		t.Errorf("got %v after %v", err, time.Since(start))
	}
	equal(t, "seconds", retryAfter("7"), 7*time.Second)
	date := retryAfter(time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))
	equal(t, "a date", date > 59*time.Minute && date <= time.Hour, true)
	equal(t, "a date that is past", retryAfter("Mon, 02 Mar 2026 09:30:00 GMT"), 0)
	equal(t, "none", retryAfter("soon"), 0)
}

func TestWithoutAConnectionEverythingIsRetried(t *testing.T) {
	t.Parallel()
	service, client := serve(t, answer(200, user))
	if err := get(t.Context(), client); err != nil { // which leaves a token
		t.Fatal(err)
	}
	dials := 0
	client.config.HTTPClient = &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if dials++; dials < 3 {
				address = "127.0.0.1:1"
			}
			return new(net.Dialer).DialContext(ctx, network, address)
		},
	}}
	if err := update(t.Context(), client); err != nil {
		t.Error(err)
	}
	equal(t, "requests", len(service.received()), 2)
}

func TestAWaitGrowsAndVaries(t *testing.T) {
	seen := map[time.Duration]bool{}
	for retries := range 70 {
		wait := new(Error).wait(retries)
		seen[wait] = true
		if limit := min(500*time.Millisecond<<min(retries, 4), 8*time.Second); wait < 0 || wait > limit {
			t.Errorf("retry %d waits %v, more than %v", retries, wait, limit)
		}
	}
	if len(seen) < 60 {
		t.Errorf("only %d different waits", len(seen))
	}
}

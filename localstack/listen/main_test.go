package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stack is the part of a local stack that the program calls. It records the calls.
type stack struct {
	mu    sync.Mutex
	calls []string
	// made is the subscription that was requested.
	made map[string]any
	// left are subscriptions that already exist.
	left []map[string]string
	// refuse is the call that gets a 500.
	refuse string
}

func (s *stack) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	call := r.Method + " " + r.URL.Path
	s.calls = append(s.calls, call)
	if call == s.refuse {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if call == "POST /oauth2/token" {
		id, secret, _ := r.BasicAuth()
		if id != "sandbox" || secret != "sandbox-secret" || r.PostFormValue("scope") != "webhook" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, `{"access_token":"token"}`)
		return
	}
	if r.Header.Get("Authorization") != "Bearer token" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	switch {
	case r.Method == http.MethodDelete:
		w.WriteHeader(http.StatusNoContent)
	case call == "GET /webhooks/v1/subscriptions":
		_ = json.NewEncoder(w).Encode(map[string]any{"data": map[string]any{"subscriptions": s.left}})
	case call == "POST /webhooks/v1/subscriptions" && r.Header.Get("Content-Type") == "application/json":
		if json.NewDecoder(r.Body).Decode(&s.made) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(map[string]any{"data": map[string]any{
			"subscription": map[string]string{"subscriptionId": "sub-1"}, "secret": map[string]string{"key": key("one")},
		}})
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// terminal delivers lines as they are printed.
type terminal struct {
	mu    sync.Mutex
	text  bytes.Buffer
	lines chan string
}

func newTerminal() *terminal { return &terminal{lines: make(chan string, 100)} }

func (o *terminal) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lines <- string(b)
	return o.text.Write(b)
}

func (o *terminal) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// address waits until the program listens.
func (o *terminal) address(t *testing.T) string {
	t.Helper()
	for {
		select {
		case line := <-o.lines:
			if rest, found := strings.CutPrefix(line, "Listening on "); found {
				address, _, _ := strings.Cut(rest, ". ")
				return address
			}
		case <-time.After(time.Minute):
			require.Fail(t, "the program does not listen")
		}
	}
}

func environment(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func TestListen(t *testing.T) {
	t.Parallel()
	t.Run("subscribes to a local stack for as long as it runs", func(t *testing.T) {
		t.Parallel()
		s := &stack{left: []map[string]string{
			{"subscriptionId": "elsewhere", "description": "make listen", "serverUrl": "http://127.0.0.1:1/"},
			{"subscriptionId": "somebody-s", "description": "mine"},
		}}
		server := httptest.NewServer(s)
		t.Cleanup(server.Close)
		ctx, ctrlC := context.WithCancel(t.Context())
		shown, ended := newTerminal(), make(chan error, 1)
		go func() {
			ended <- listen(ctx, []string{"--fail=1"}, environment(map[string]string{"PORT": "0",
				"BASE_URL": server.URL + "/"}), &screen{out: shown})
		}()
		address := shown.address(t)
		for _, want := range []int{http.StatusInternalServerError, http.StatusOK} {
			assert.Equal(t, want, deliver(t, address))
		}
		ctrlC()
		require.NoError(t, <-ended)

		s.mu.Lock()
		defer s.mu.Unlock()
		assert.Equal(t, map[string]any{"serverUrl": address, "events": []any{"*"}, "description": "make listen"}, s.made)
		assert.Equal(t, []string{
			"POST /oauth2/token", "GET /webhooks/v1/subscriptions", "POST /webhooks/v1/subscriptions",
			"POST /oauth2/token", "DELETE /webhooks/v1/subscriptions/sub-1",
		}, s.calls)
		assert.Contains(t, shown.String(), "Subscribed to all events (subscription sub-1).")
		assert.Contains(t, shown.String(), "Deleted subscription sub-1")
		assert.NotContains(t, shown.String(), "whsec_")
	})
	t.Run("deletes what it left behind when it was killed", func(t *testing.T) {
		t.Parallel()
		s := &stack{
			left: []map[string]string{{"subscriptionId": "old", "description": "make listen", "serverUrl": "http://127.0.0.1:8080/"}},
		}
		server := httptest.NewServer(s)
		t.Cleanup(server.Close)
		_, _, err := newService(server.URL).subscribe(t.Context(), "http://127.0.0.1:8080/")
		require.NoError(t, err)
		assert.Contains(t, s.calls, "DELETE /webhooks/v1/subscriptions/old")
	})
	t.Run("needs no stack if it has a key", func(t *testing.T) {
		t.Parallel()
		ctx, ctrlC := context.WithCancel(t.Context())
		shown, ended := newTerminal(), make(chan error, 1)
		go func() {
			ended <- listen(ctx, nil, environment(map[string]string{"PORT": "0", "SECRET": key("one"),
				"BASE_URL": "https://api.example"}), &screen{out: shown})
		}()
		assert.Equal(t, http.StatusOK, deliver(t, shown.address(t)))
		ctrlC()
		assert.NoError(t, <-ended)
		assert.NotContains(t, shown.String(), "whsec_")
	})
	t.Run("reports a subscription that it could not delete", func(t *testing.T) {
		t.Parallel()
		server := httptest.NewServer(&stack{refuse: "DELETE /webhooks/v1/subscriptions/sub-1"})
		t.Cleanup(server.Close)
		ctx, ctrlC := context.WithCancel(t.Context())
		shown, ended := newTerminal(), make(chan error, 1)
		go func() {
			ended <- listen(ctx, nil, environment(map[string]string{"PORT": "0", "BASE_URL": server.URL}), &screen{out: shown})
		}()
		shown.address(t)
		ctrlC()
		assert.ErrorContains(t, <-ended, "delete subscription sub-1: DELETE /webhooks/v1/subscriptions/sub-1 answered 500")
	})
}

// deliver posts a callback and returns the response's status.
func deliver(t *testing.T, address string) int {
	t.Helper()
	made := signed(t, key("one"), ping, time.Now())
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(ping))
	require.NoError(t, err)
	req.Header = made.Header
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode
}

func TestListenEndsWithAReason(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = taken.Close() })
	_, takenPort, err := net.SplitHostPort(taken.Addr().String())
	require.NoError(t, err)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	failing := httptest.NewServer(&stack{refuse: "POST /webhooks/v1/subscriptions"})
	t.Cleanup(failing.Close)

	for name, c := range map[string]struct {
		args        []string
		environment map[string]string
		want        string
	}{
		"an invalid key":                  {nil, map[string]string{"SECRET": "whsec_?"}, "SECRET: key 1 is invalid"},
		"an empty key":                    {nil, map[string]string{"SECRET": key("one") + " whsec_"}, "SECRET: key 2 is invalid"},
		"blanks for a key":                {nil, map[string]string{"SECRET": " "}, "no key given"},
		"a service that is not local":     {nil, map[string]string{"BASE_URL": "https://api.example"}, "SECRET=whsec_"},
		"an invalid address":              {nil, map[string]string{"BASE_URL": "http://[::1"}, "BASE_URL is not a local stack"},
		"no service":                      {nil, map[string]string{"BASE_URL": gone.URL}, "make run"},
		"a service that refuses":          {nil, map[string]string{"BASE_URL": failing.URL}, "subscribe: POST /webhooks/v1/subscriptions answered 500"},
		"a port that is taken":            {nil, map[string]string{"PORT": takenPort}, "port " + takenPort + " is taken"},
		"an unknown flag":                 {[]string{"--explode"}, nil, "-explode"},
		"a number without an equals sign": {[]string{"--fail", "2"}, nil, "--fail=2"},
		"not a number":                    {[]string{"--fail=often"}, nil, "must be a number from 1 on"},
		"a number below one":              {[]string{"--fail=0"}, nil, "must be a number from 1 on"},
		"two faults":                      {[]string{"--fail", "--hang"}, nil, "--fail is already set"},
		"a request for help":              {[]string{"--help"}, nil, "help requested"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			values := map[string]string{"PORT": "0"}
			maps.Copy(values, c.environment)
			err := listen(t.Context(), c.args, environment(values), &screen{out: io.Discard})
			assert.ErrorContains(t, err, c.want)
		})
	}
}

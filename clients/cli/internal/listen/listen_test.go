package listen

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	aviso "aviso.example/client"
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
	// hasSandbox is whether it acknowledges callbacks itself. Then it has attempts, the newest
	// first, in pages of two.
	hasSandbox bool
	attempts   []aviso.DeliveryAttempt
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
		if id != "sandbox" || secret != "sandbox-secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, `{"access_token":"token","expires_in":300}`)
		return
	}
	if call == "POST /sandbox/receiver" && s.hasSandbox {
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
	case call == "GET /webhooks/v1/subscriptions/sub-1/attempts":
		from, _ := strconv.Atoi(r.URL.Query().Get("nextToken"))
		to, next := min(from+2, len(s.attempts)), ""
		if to < len(s.attempts) {
			next = strconv.Itoa(to)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"data": map[string]any{"attempts": s.attempts[from:to]},
			"meta": map[string]any{"pagination": map[string]string{"nextToken": next}},
		})
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

// local returns the client of a service on this machine.
func local(url string) func() (Service, error) { return serviceAt(url, true) }

func serviceAt(url string, local bool) func() (Service, error) {
	return func() (Service, error) {
		c, err := aviso.New(aviso.Config{BaseURL: url, ClientID: "sandbox", ClientSecret: "sandbox-secret", MaxRetries: -1})
		return Service{Client: c, BaseURL: url, IsLocal: local}, err
	}
}

// options reads the flags as the command does. Port 0 is any free one.
func options(args ...string) (Options, error) {
	var o Options
	flags := pflag.NewFlagSet("listen", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	o.Declare(flags)
	return o, flags.Parse(append([]string{"--port=0"}, args...))
}

func TestListen(t *testing.T) {
	t.Parallel()
	t.Run("subscribes to a local stack for as long as it runs", func(t *testing.T) {
		t.Parallel()
		s := &stack{left: []map[string]string{
			{"subscriptionId": "elsewhere", "description": "aviso webhooks listen", "serverUrl": "http://127.0.0.1:1/"},
			{"subscriptionId": "somebody-s", "description": "mine"},
		}}
		server := httptest.NewServer(s)
		t.Cleanup(server.Close)
		ctx, ctrlC := context.WithCancel(t.Context())
		shown, ended := newTerminal(), make(chan error, 1)
		go func() {
			o, err := options("--fail=1")
			ended <- errors.Join(err, Listen(ctx, o, local(server.URL+"/"), shown))
		}()
		address := shown.address(t)
		for _, want := range []int{http.StatusInternalServerError, http.StatusOK} {
			assert.Equal(t, want, deliver(t, address))
		}
		ctrlC()
		require.NoError(t, <-ended)

		s.mu.Lock()
		defer s.mu.Unlock()
		assert.Equal(t, map[string]any{"serverUrl": address, "events": []any{"*"}, "description": "aviso webhooks listen"}, s.made)
		assert.Equal(t, []string{
			"POST /oauth2/token", "GET /webhooks/v1/subscriptions", "POST /webhooks/v1/subscriptions",
			"DELETE /webhooks/v1/subscriptions/sub-1",
		}, s.calls)
		assert.Contains(t, shown.String(), "Subscribed to all events (subscription sub-1).")
		assert.Contains(t, shown.String(), "Deleted subscription sub-1")
		assert.NotContains(t, shown.String(), "whsec_")
	})
	t.Run("deletes what it left behind when it was killed", func(t *testing.T) {
		t.Parallel()
		s := &stack{
			left: []map[string]string{
				{"subscriptionId": "old", "description": "aviso webhooks listen", "serverUrl": "http://127.0.0.1:8080/"},
			},
		}
		server := httptest.NewServer(s)
		t.Cleanup(server.Close)
		service, err := local(server.URL)()
		require.NoError(t, err)
		_, _, err = subscribe(t.Context(), service.Client.Webhooks, "http://127.0.0.1:8080/", []string{"*"})
		require.NoError(t, err)
		assert.Contains(t, s.calls, "DELETE /webhooks/v1/subscriptions/old")
	})
	t.Run("needs no stack if it has a key", func(t *testing.T) {
		t.Parallel()
		ctx, ctrlC := context.WithCancel(t.Context())
		shown, ended := newTerminal(), make(chan error, 1)
		go func() {
			o, err := options()
			o.Secrets = key("one")
			ended <- errors.Join(err, Listen(ctx, o, nil, shown))
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
			o, err := options()
			ended <- errors.Join(err, Listen(ctx, o, local(server.URL), shown))
		}()
		shown.address(t)
		ctrlC()
		assert.ErrorContains(t, <-ended, "delete subscription sub-1: aviso: 500")
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

	broken := httptest.NewServer(&stack{refuse: "POST /sandbox/receiver"})
	t.Cleanup(broken.Close)
	remote := serviceAt(failing.URL, false)
	for name, c := range map[string]struct {
		args   []string
		secret string
		client func() (Service, error)
		want   string
	}{
		"an invalid key":                   {secret: "whsec_?", want: "AVISO_WEBHOOK_SECRET: key 1 is invalid"},
		"an empty key":                     {secret: key("one") + " whsec_", want: "AVISO_WEBHOOK_SECRET: key 2 is invalid"},
		"blanks for a key":                 {secret: " ", want: "no key given"},
		"a service that is not local":      {client: remote, want: "AVISO_WEBHOOK_SECRET=whsec_"},
		"an invalid address":               {client: serviceAt("http://[::1", true), want: "subscribe: "},
		"no service":                       {client: local(gone.URL), want: "no answer was received"},
		"a service that refuses":           {client: local(failing.URL), want: "subscribe: aviso: 500"},
		"a wrong answer, without a tunnel": {args: []string{"--fail"}, client: remote, want: "--fail needs"},
		"a sandbox that has failed":        {args: []string{"--poll"}, client: local(broken.URL), want: "sandbox/receiver answered 500"},
		"no service to poll":               {args: []string{"--poll"}, client: local(gone.URL), want: "no answer was received"},
		"a port that is taken": {
			args: []string{"--port=" + takenPort}, client: local(failing.URL), want: "port " + takenPort + " is taken",
		},
		"an unknown flag":                 {args: []string{"--explode"}, want: "--explode"},
		"not a number":                    {args: []string{"--fail=often"}, want: "must be a number from 1 on"},
		"a number below one":              {args: []string{"--fail=0"}, want: "must be a number from 1 on"},
		"two faults":                      {args: []string{"--fail", "--hang"}, want: "--fail is already set"},
		"a request for help":              {args: []string{"--help"}, want: "help requested"},
		"a place to forward to, unusable": {args: []string{"--forward-to=4000"}, want: "--forward-to must be a URL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, err := options(c.args...)
			if err == nil {
				o.Secrets = c.secret
				err = Listen(t.Context(), o, c.client, io.Discard)
			}
			assert.ErrorContains(t, err, c.want)
		})
	}
}

func TestListenBehindATunnel(t *testing.T) {
	t.Parallel()
	s := &stack{}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	ctx, ctrlC := context.WithCancel(t.Context())
	shown, ended := newTerminal(), make(chan error, 1)
	go func() {
		o, err := options("--url=https://tunnel.example/", "--events=webhook.ping,user.erased")
		ended <- errors.Join(err, Listen(ctx, o, serviceAt(server.URL, false), shown))
	}()
	shown.address(t)
	ctrlC()
	require.NoError(t, <-ended)
	s.mu.Lock()
	defer s.mu.Unlock()
	assert.Equal(t, map[string]any{"serverUrl": "https://tunnel.example/", "events": []any{"webhook.ping", "user.erased"},
		"description": "aviso webhooks listen"}, s.made)
	assert.Contains(t, shown.String(), "Subscribed to webhook.ping, user.erased (subscription sub-1).")
}

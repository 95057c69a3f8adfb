package listen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"context"

	aviso "aviso.example/client"
)

// sent is an attempt to send the nth event, whose amount a decoder would change.
func sent(n, attempt int) aviso.DeliveryAttempt {
	event := fmt.Sprintf("event-%d", n)
	return aviso.DeliveryAttempt{
		AttemptID: fmt.Sprintf("attempt-%d-%d", n, attempt), EventID: event, EventType: "webhook.ping", AttemptNumber: attempt,
		Outcome: "Acknowledged", HTTPStatus: http.StatusOK, StartedAt: time.Now(),
		Payload: json.RawMessage(`{"eventId":"` + event + `","eventType":"webhook.ping","amount":1234567.890}`),
	}
}

// erased is an attempt without what was sent.
func erased() aviso.DeliveryAttempt {
	a := sent(9, 1)
	a.EventType, a.Payload = "user.erased", nil
	return a
}

func (s *stack) add(attempts ...aviso.DeliveryAttempt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range attempts {
		s.attempts = append([]aviso.DeliveryAttempt{a}, s.attempts...)
	}
}

// partner is a developer's receiver: it verifies with the library that it would use.
type partner struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
}

func newPartner(t *testing.T, answer string) *partner {
	t.Helper()
	p := &partner{}
	library, err := standardwebhooks.NewWebhook(key("one"))
	require.NoError(t, err)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if err := library.Verify(body, r.Header); err != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.bodies = append(p.bodies, string(body))
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(p.Close)
	return p
}

const acknowledges = `{"isAcknowledged":true,"timestamp":"2026-03-02T09:35:00Z"}`

func TestListenWithoutATunnel(t *testing.T) {
	t.Parallel()
	s, receiver := &stack{hasSandbox: true}, newPartner(t, acknowledges)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	ctx, ctrlC := context.WithCancel(t.Context())
	shown, ended := newTerminal(), make(chan error, 1)
	go func() {
		o, err := options("--forward-to="+receiver.URL, "--events=webhook.ping,user.erased")
		if err == nil {
			err = Listen(ctx, o, serviceAt(server.URL+"/", false), shown)
		}
		ended <- err
	}()
	until := func(text string) {
		assert.Eventually(t, func() bool { return strings.Contains(shown.String(), text) }, time.Minute, 10*time.Millisecond, text)
	}
	until("is read from the API")
	s.add(sent(1, 1), erased())
	until("event-1")
	s.add(sent(2, 1)) // just before the end
	ctrlC()
	require.NoError(t, <-ended)

	address, machine, _ := strings.Cut(s.made["serverUrl"].(string), "?machine=")
	assert.Equal(t, server.URL+"/sandbox/receiver", address)
	assert.Len(t, machine, 12)
	assert.Equal(t, []any{"webhook.ping", "user.erased"}, s.made["events"])
	assert.Equal(t, "DELETE /webhooks/v1/subscriptions/sub-1", s.calls[len(s.calls)-1])
	assert.Equal(t, []string{string(sent(1, 1).Payload), string(sent(2, 1).Payload)}, receiver.bodies, "as it was sent")
	text := shown.String()
	assert.Contains(t, text, "read from the API and signed again, attempt 1\n")
	assert.Contains(t, text, `"amount": 1234567.890`)
	assert.Contains(t, text, "→ 200 answered by "+receiver.URL+" (")
	_, report, _ := strings.Cut(text, "Not forwarded")
	assert.Contains(t, report, "user.erased  event-9")
	assert.NotContains(t, report, "event-1")
	assert.NotContains(t, text, "whsec_")
}

func newPoller(t *testing.T, s *stack, forwardTo string) (*poller, *bytes.Buffer) {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	service, err := local(server.URL)()
	require.NoError(t, err)
	var shown bytes.Buffer
	return &poller{
		webhooks: service.Client.Webhooks, subscription: "sub-1", key: key("one"), forwardTo: forwardTo,
		screen: &screen{out: &shown, json: true}, now: time.Now, known: map[string]bool{},
	}, &shown
}

// events returns the events of the lines that were printed, and forgets them.
func events(t *testing.T, shown *bytes.Buffer) []string {
	t.Helper()
	var ids []string
	for lines := json.NewDecoder(shown); lines.More(); {
		var line struct{ Event struct{ EventID string } }
		require.NoError(t, lines.Decode(&line))
		ids = append(ids, line.Event.EventID)
	}
	return ids
}

func TestPollerShowsEachEventOnce(t *testing.T) {
	t.Parallel()
	s := &stack{}
	p, shown := newPoller(t, s, "")
	require.NoError(t, p.round(t.Context()))
	s.add(sent(1, 1), sent(2, 1), sent(3, 1), sent(4, 1), sent(5, 1))
	require.NoError(t, p.round(t.Context()))
	all := []string{"event-1", "event-2", "event-3", "event-4", "event-5"}
	assert.Equal(t, all, events(t, shown), "three pages, the oldest first")
	s.add(sent(6, 1), sent(5, 2))
	require.NoError(t, p.round(t.Context()))
	assert.Equal(t, []string{"event-6"}, events(t, shown))

	s.add(sent(7, 1))
	s.refuse = "GET /webhooks/v1/subscriptions/sub-1/attempts"
	require.ErrorIs(t, p.round(t.Context()), aviso.ErrServer)
	s.refuse = ""
	require.NoError(t, p.round(t.Context()))
	assert.Equal(t, []string{"event-7"}, events(t, shown))
}

func TestPollerSaysWhatWasNotAcknowledged(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, c := range map[string]struct {
		receiver string
		want     string // of the answer
		lost     int
	}{
		"nothing":                {newPartner(t, acknowledges).URL, "answered by", 0},
		"an answer without time": {newPartner(t, `{"isAcknowledged":true}`).URL, "; not acknowledged", 1},
		"a refusal": {
			newPartner(t, `{"isAcknowledged":false,"timestamp":"2026-03-02T09:35:00Z"}`).URL, "; not acknowledged", 1,
		},
		"a receiver that is gone": {gone.URL, "did not answer", 1},
		"without a receiver":      {"", "acknowledged by the sandbox", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &stack{}
			s.add(sent(1, 1))
			p, shown := newPoller(t, s, c.receiver)
			require.NoError(t, p.round(t.Context()))
			assert.Contains(t, shown.String(), c.want)
			assert.Len(t, p.lost, c.lost)
		})
	}
}

func TestPollerGoesOn(t *testing.T) {
	t.Parallel()
	t.Run("after a failure that passes", func(t *testing.T) {
		t.Parallel()
		s := &stack{refuse: "GET /webhooks/v1/subscriptions/sub-1/attempts"}
		p, _ := newPoller(t, s, "")
		shown := newTerminal()
		p.screen = &screen{out: shown}
		ctx, ctrlC := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- p.run(ctx) }()
		assert.Contains(t, <-shown.lines, "Trying again")
		s.mu.Lock()
		s.refuse = ""
		s.mu.Unlock()
		s.add(sent(1, 1))
		assert.Contains(t, <-shown.lines, "event-1")
		ctrlC()
		require.NoError(t, <-ended)
	})
	t.Run("but not without its subscription", func(t *testing.T) {
		t.Parallel()
		p, _ := newPoller(t, &stack{}, "")
		p.subscription = "deleted"
		require.ErrorIs(t, p.run(t.Context()), aviso.ErrNotFound)
	})
}

package blackbox_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/tests/contract"
)

const webhookSubscriptions = "/webhooks/v1/subscriptions"

// callback is one that a receiver got and verified.
type callback struct {
	EventID, EventType string
	OccurredAt         time.Time
	Environment        string
	IsSimulated        *bool
	UserID             *string
	Data               json.RawMessage

	body   []byte
	header http.Header
}

// signatures are those of the callback.
func (c callback) signatures() []string { return strings.Fields(c.header.Get("webhook-signature")) }

// decode reads the data into out.
func (c callback) decode(t *testing.T, out any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(c.Data, out), string(c.Data))
}

// isSignedBy reports whether one of the signatures is by this key.
func (c callback) isSignedBy(t *testing.T, key string) bool {
	t.Helper()
	w, err := webhooks.NewWebhook(key)
	require.NoError(t, err)
	return w.Verify(c.body, c.header) == nil
}

// receiver is a partner's server. It acknowledges what it has verified by the
// Standard Webhooks library, unless its test wants something else.
type receiver struct {
	url string
	// respond answers in place of an acknowledgement; it may be nil.
	respond func(w http.ResponseWriter, c callback) (done bool)

	// ready is closed when the key is there.
	ready chan struct{}
	mu    sync.Mutex
	keys  []string
	got   []callback
}

func newReceiver(t *testing.T, respond func(w http.ResponseWriter, c callback) bool) *receiver {
	t.Helper()
	r := &receiver{respond: respond, ready: make(chan struct{})}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { r.take(t, w, req) }))
	t.Cleanup(server.Close)
	r.url = server.URL + "/aviso?from=blackbox"
	return r
}

func (r *receiver) take(t *testing.T, w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return // the caller has gone
	}
	<-r.ready
	c := callback{body: body, header: req.Header}
	assert.NoError(t, json.Unmarshal(body, &c), string(body))
	document, err := contract.Default()
	if assert.NoError(t, err) {
		assert.NoError(t, document.CheckCallback(req.Header, body))
	}
	assert.Equal(t, http.MethodPost, req.Method)
	assert.Equal(t, "from=blackbox", req.URL.RawQuery)
	assert.Equal(t, "application/json", req.Header.Get("Content-Type"))
	assert.Equal(t, c.EventID, req.Header.Get("webhook-id"))
	assert.NotEmpty(t, c.Environment)
	assert.NotNil(t, c.IsSimulated)
	assert.NotNil(t, c.UserID)
	r.mu.Lock()
	genuine := false
	for _, key := range r.keys {
		if verifier, err := webhooks.NewWebhook(key); err == nil && verifier.Verify(body, req.Header) == nil {
			genuine = true
		}
	}
	if genuine {
		r.got = append(r.got, c)
	}
	r.mu.Unlock()
	if !assert.True(t, genuine, "no signature of %s is genuine", c.EventType) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if r.respond != nil && r.respond(w, c) {
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"isAcknowledged": true, "timestamp": time.Now().UTC()})
}

// trust accepts only signatures by these keys.
func (r *receiver) trust(keys ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys = keys
}

// all returns the callbacks so far that match.
func (r *receiver) all(wanted func(callback) bool) []callback {
	r.mu.Lock()
	defer r.mu.Unlock()
	var found []callback
	for _, c := range r.got {
		if wanted(c) {
			found = append(found, c)
		}
	}
	return found
}

// await waits for the first callback that matches.
func (r *receiver) await(t *testing.T, what string, wanted func(callback) bool) callback {
	t.Helper()
	eventually(t, func() bool { return len(r.all(wanted)) > 0 }, patience, 20*time.Millisecond, "no callback: %s", what)
	return r.all(wanted)[0]
}

// about wants events of a type about the partner's user.
func about(p partner, eventType string) func(callback) bool {
	return func(c callback) bool { return c.EventType == eventType && *c.UserID == p.user }
}

// event wants one event.
func event(id string) func(callback) bool { return func(c callback) bool { return c.EventID == id } }

type secret struct {
	SecretID, Key, Status string
	ExpiresAt             *time.Time
}

// subscribe lets the receiver be told of events until the test ends, and gives
// the address of the subscription.
func (p partner) subscribe(t *testing.T, r *receiver, events ...string) (path string, first secret) {
	t.Helper()
	a := p.send(t, http.MethodPost, webhookSubscriptions, map[string]any{"serverUrl": r.url, "events": events, "description": t.Name()})
	require.Equal(t, http.StatusCreated, a.status, string(a.body))
	var out struct {
		Data struct {
			Subscription struct{ SubscriptionID string }
			Secret       secret
		}
	}
	a.decode(t, &out)
	r.trust(out.Data.Secret.Key)
	close(r.ready)
	path = webhookSubscriptions + "/" + out.Data.Subscription.SubscriptionID
	t.Cleanup(func() {
		req, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodDelete, service.baseURL+path, nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+p.token)
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		_ = res.Body.Close()
	})
	return path, out.Data.Secret
}

// simulate requests an event and returns its ID.
func (p partner) simulate(t *testing.T, body map[string]any) string {
	t.Helper()
	a := p.send(t, http.MethodPost, "/webhooks/v1/events", body)
	require.Equal(t, http.StatusAccepted, a.status, string(a.body))
	var out struct {
		Data struct{ Event struct{ EventID string } }
	}
	a.decode(t, &out)
	return out.Data.Event.EventID
}

// ping asks for a ping to one subscription.
func (p partner) ping(t *testing.T, path string) (eventID string) {
	t.Helper()
	return p.simulate(t, map[string]any{"eventType": "webhook.ping", "subscriptionId": strings.TrimPrefix(path, webhookSubscriptions+"/")})
}

type attempt struct {
	AttemptID, EventID, EventType, Outcome, Detail string
	AttemptNumber                                  int
	HTTPStatus                                     *int
	StartedAt                                      time.Time
	NextAttemptAt                                  *time.Time
	Payload                                        json.RawMessage
}

// attempts is what the service says that it tried, the newest first.
func (p partner) attempts(t *testing.T, path string) []attempt {
	t.Helper()
	var out struct{ Data struct{ Attempts []attempt } }
	a := p.send(t, http.MethodGet, path+"/attempts?limit=200", nil)
	require.Equal(t, http.StatusOK, a.status, string(a.body))
	a.decode(t, &out)
	return out.Data.Attempts
}

// untilAttempts reads them until there are so many.
func (p partner) untilAttempts(t *testing.T, path string, n int) []attempt {
	t.Helper()
	var all []attempt
	eventually(t, func() bool {
		all = p.attempts(t, path)
		return len(all) >= n
	}, patience, 100*time.Millisecond, "fewer than %d attempts", n)
	return all
}

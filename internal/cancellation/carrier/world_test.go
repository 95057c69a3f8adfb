package carrier

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/outbound"
)

const (
	testCancellation = "0b7c1c55-7f6c-4c2a-9a50-5f0d6d2f9f10"
	testShipment     = "5e0a3a0e-66a1-4a53-8a0c-92c2b7cf9c11"
)

var testNow = time.Date(2026, time.November, 20, 9, 30, 0, 0, time.UTC)

// testClock is a clock that tests move.
type testClock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *testClock { return &testClock{at: testNow} }

func (c *testClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *testClock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// newShipment returns a letter to an organization by the channel.
func newShipment(channel cancellation.Channel) dispatch.Shipment {
	return dispatch.Shipment{
		ID: testShipment, CancellationID: testCancellation, Partner: "bank-one", Channel: channel,
		Document: cancellation.Document{
			PDF: []byte("%PDF-1.4\nthe letter\n%%EOF\n"), FileName: "Kuendigung.pdf",
			Subject: "Kündigung Kundennummer 4711", Text: "Guten Tag,\n\nanbei meine Kündigung.\n",
		},
		SenderName: "Erika Mustermann", ReplyTo: "erika@example.com",
		Note: func(context.Context, string) error { return nil },
	}
}

// requireFailure returns the error as a *dispatch.CarrierError.
func requireFailure(t *testing.T, err error, want dispatch.CarrierFailure) *dispatch.CarrierError {
	t.Helper()
	var e *dispatch.CarrierError
	require.ErrorAs(t, err, &e)
	require.Equal(t, want, e.Failure, "%v", err)
	assertNothingPersonal(t, err.Error())
	return e
}

// assertNothingPersonal asserts that errors and logs have no personal data.
func assertNothingPersonal(t *testing.T, text string) {
	t.Helper()
	for _, personal := range []string{"Erika", "Mustermann", "example.com", "4711", "+49", "Strom", "Musterstadt",
		"Kuendigung", "127.0.0.1", "secret-of"} {
		assert.NotContains(t, text, personal)
	}
}

// loggedCall is what the log has of a call to a carrier.
type loggedCall struct {
	Operation    string
	Status       int
	Milliseconds int
}

// loggedCalls returns a function that returns the calls that have been logged since. A test that
// uses it must not be parallel.
func loggedCalls(t *testing.T) func() []loggedCall {
	t.Helper()
	var out bytes.Buffer
	former := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&out, nil)))
	t.Cleanup(func() {
		slog.SetDefault(former)
		log.SetOutput(os.Stderr) // SetDefault changes it
	})
	return func() (calls []loggedCall) {
		assertNothingPersonal(t, out.String())
		for line := range bytes.Lines(out.Bytes()) {
			var c loggedCall
			require.NoError(t, json.Unmarshal(line, &c))
			calls = append(calls, c)
		}
		return calls
	}
}

var errNotNoted = errors.New("the store is away")

// reply is a response that a peer sends instead of doing its work.
type reply struct {
	status int
	header map[string]string
	body   string
	// after makes the peer do its work first, so that only the response differs.
	after bool
	// hangUp closes the connection without a response.
	hangUp bool
}

// peer counts the calls to a carrier's API and lets tests replace some of them.
type peer struct {
	mu    sync.Mutex
	calls int
	// instead is called before every call. If it returns nil, the API does its work.
	instead func(n int, r *http.Request) *reply
}

// transport is the real one, except that a call ends only when the peer is done, so
// that tests can inspect the peer without locks.
func (p *peer) transport() http.RoundTripper {
	own := outbound.NewTransport(outbound.Timeouts{}, nil)
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		resp, err := own.RoundTrip(r)
		p.mu.Lock()
		defer p.mu.Unlock()
		return resp, err
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// serve locks the API for its work, so that the API needs no locks.
func (p *peer) serve(w http.ResponseWriter, r *http.Request, work http.HandlerFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls++
	var other *reply
	if p.instead != nil {
		other = p.instead(p.calls, r)
	}
	if other == nil {
		work(w, r)
		return
	}
	if other.after {
		work(discard{http.Header{}}, r)
	}
	if other.hangUp {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "application/json")
	for name, value := range other.header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(other.status)
	_, _ = w.Write([]byte(other.body))
}

type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(b []byte) (int, error) { return len(b), nil }
func (d discard) WriteHeader(int)             {}

// statuses maps each status to its meaning for a call that hands a letter over.
var statuses = map[int]dispatch.CarrierFailure{
	301: dispatch.CarrierBusy, 302: dispatch.CarrierBusy, 307: dispatch.CarrierBusy, 308: dispatch.CarrierBusy,
	400: dispatch.CarrierRefused, 402: dispatch.CarrierBusy, 403: dispatch.CarrierBusy,
	404: dispatch.CarrierBusy, 405: dispatch.CarrierBusy, 406: dispatch.CarrierRefused,
	408: dispatch.CarrierBusy, 409: dispatch.CarrierBusy, 410: dispatch.CarrierRefused,
	413: dispatch.CarrierRefused, 415: dispatch.CarrierRefused, 422: dispatch.CarrierRefused,
	423: dispatch.CarrierBusy, 425: dispatch.CarrierBusy, 429: dispatch.CarrierBusy,
	500: dispatch.CarrierUnclear, 502: dispatch.CarrierUnclear, 503: dispatch.CarrierUnclear, 504: dispatch.CarrierUnclear,
}

func forEachStatus(t *testing.T, check func(t *testing.T, status int, want dispatch.CarrierFailure)) {
	t.Helper()
	for status, want := range statuses {
		t.Run(strconv.Itoa(status), func(t *testing.T) { check(t, status, want) })
	}
}

func requireJSON(t *testing.T, body []byte, into any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(body, into))
}

// asJSON writes a response.
func asJSON(w http.ResponseWriter, media string, status int, body any) {
	w.Header().Set("Content-Type", media)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

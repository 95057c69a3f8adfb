package xs2a

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outbound"
	"aviso/internal/pfm"
)

var testNow = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)

// answer is the peer's response to one call.
type answer struct {
	status int
	header map[string]string
	body   string
}

// peer is a bank that answers each expected call as often as expected, and fails the
// test on any other call or a wrong header.
type peer struct {
	t      *testing.T
	bank   pfm.BankEndpoint
	origin string

	mu      sync.Mutex
	answers map[string][]answer
	calls   []recorded
	ids     map[string]bool
}

// recorded is a call that the peer received.
type recorded struct {
	route  string
	header http.Header
	body   string
}

func newPeer(t *testing.T) *peer {
	p := &peer{t: t, answers: map[string][]answer{}, ids: map[string]bool{}}
	server := httptest.NewServer(p)
	p.origin = server.URL
	p.bank = pfm.BankEndpoint{BaseURL: server.URL + "/psd2"}
	t.Cleanup(func() {
		server.Close()
		for route, left := range p.answers {
			assert.Emptyf(t, left, "never called: %s", route)
		}
	})
	return p
}

// on queues an answer to "METHOD /path?query", where the path is relative to the base.
func (p *peer) on(route string, status int, body string) *peer {
	p.answer(route, answer{status: status, body: body})
	return p
}

// deletes expects that a consent is deleted that nobody can use.
func (p *peer) deletes(consentID string) *peer {
	return p.on("DELETE /v1/consents/"+consentID, http.StatusNoContent, "")
}

func (p *peer) answer(route string, a answer) {
	method, path, _ := strings.Cut(route, " ")
	route = method + " /psd2" + path
	p.answers[route] = append(p.answers[route], a)
}

func (p *peer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	assert.NoError(p.t, err)
	route := r.Method + " " + r.RequestURI
	p.calls = append(p.calls, recorded{route: route, header: r.Header.Clone(), body: string(body)})

	id := r.Header.Get("X-Request-ID")
	_, err = uuid.Parse(id)
	assert.NoError(p.t, err, "X-Request-ID")
	assert.False(p.t, p.ids[id], "X-Request-ID used twice")
	p.ids[id] = true
	assert.Equal(p.t, "application/json", r.Header.Get("Accept"))
	if r.Method == http.MethodPost {
		mediaType := "application/json"
		if strings.Contains(route, "/oauth/") {
			mediaType = "application/x-www-form-urlencoded"
		}
		assert.Equal(p.t, mediaType, r.Header.Get("Content-Type"))
	}

	queue := p.answers[route]
	if !assert.NotEmptyf(p.t, queue, "unexpected call %s", route) {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	p.answers[route] = queue[1:]
	w.Header().Set("Content-Type", "application/json")
	for name, value := range queue[0].header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(queue[0].status)
	_, err = io.WriteString(w, queue[0].body)
	assert.NoError(p.t, err)
}

// client returns a Client as in production, with short timeouts.
func client(edit ...func(*Options)) *Client {
	o := Options{
		NewRequestID: uuid.NewString, Now: func() time.Time { return testNow },
		Timeouts: outbound.Timeouts{Connect: 5 * time.Second, Header: 5 * time.Second, Total: 5 * time.Second},
	}
	for _, e := range edit {
		e(&o)
	}
	return New(o)
}

// tppMessage returns an error body in the standard's form.
func tppMessage(code string) string {
	return `{"tppMessages":[{"category":"ERROR","code":"` + code + `","text":"Kontoinhaber Erika Mustermann"}]}`
}

func requireKind(t *testing.T, err error, kind pfm.SupplierErrorKind) *pfm.SupplierError {
	t.Helper()
	var e *pfm.SupplierError
	require.ErrorAs(t, err, &e)
	require.Equal(t, kind, e.Kind, "%v", err)
	return e
}

package enablebanking_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
	"aviso/internal/pfm/enablebanking"
	"aviso/internal/secret/keyring"
	"aviso/localstack/tests/clocktest"
)

const applicationID = "3c9a4f5e-8d0b-4a51-9c3f-6f1f8b7c2d10"

var testKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// fakeAPI answers with what a test says, by method and path, and keeps the requests.
type fakeAPI struct {
	t       *testing.T
	answers map[string]func(r *http.Request) (status int, body string)

	mu    sync.Mutex
	calls []sentCall
}

type sentCall struct {
	line   string
	header http.Header
	body   map[string]any
}

func (a *fakeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	sent, _ := io.ReadAll(r.Body)
	call := sentCall{line: r.Method + " " + r.URL.RequestURI(), header: r.Header}
	_ = json.Unmarshal(sent, &call.body)
	a.mu.Lock()
	a.calls = append(a.calls, call)
	a.mu.Unlock()
	answer, ok := a.answers[r.Method+" "+r.URL.Path]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	status, body := answer(r)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

func (a *fakeAPI) lines() (lines []string) {
	for _, c := range a.calls {
		lines = append(lines, c.line)
	}
	return lines
}

// answer makes the server answer a call.
func (a *fakeAPI) answer(call string, status int, body string) {
	a.answers[call] = func(*http.Request) (int, string) { return status, body }
}

// world is a client with the server that it calls.
type world struct {
	*fakeAPI
	client *enablebanking.Client
	bank   pfm.BankEndpoint
	clock  *clocktest.Clock
	secret string
	sealer *keyring.Sealer
	// reads counts how often the secret was read.
	reads    int
	observed []bankwire.Call
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{
		fakeAPI: &fakeAPI{t: t, answers: map[string]func(*http.Request) (int, string){}},
		clock:   clocktest.New(), secret: secretOf(t, "PRIVATE KEY"),
	}
	server := httptest.NewServer(w)
	t.Cleanup(server.Close)
	sealer, err := keyring.Root{Current: strings.Repeat("0123456789abcdef", 2)}.Sealer("bank")
	require.NoError(t, err)
	w.sealer = sealer
	w.client = enablebanking.New(enablebanking.Options{
		Now: w.clock.Now, Sealer: sealer,
		Secret: func(_ context.Context, name string) (string, error) {
			w.reads++
			if name != "enable-banking" {
				return "", io.EOF
			}
			return w.secret, nil
		},
		Observe: func(_ context.Context, c bankwire.Call) { w.observed = append(w.observed, c) },
	})
	w.bank = pfm.BankEndpoint{
		BaseURL: server.URL, ASPSP: pfm.ASPSP{Name: "Nordlicht Bank", Country: "DE", Secret: "enable-banking"},
	}
	return w
}

func secretOf(t *testing.T, kind string) string {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(testKey())
	require.NoError(t, err)
	if kind == "RSA PRIVATE KEY" {
		der = x509.MarshalPKCS1PrivateKey(testKey())
	}
	text, err := json.Marshal(map[string]string{
		"applicationId": applicationID,
		"privateKey":    string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})),
	})
	require.NoError(t, err)
	return string(text)
}

// attempt returns the session before the user has come back.
func (w *world) attempt(t *testing.T) pfm.Session {
	t.Helper()
	w.answer("POST /auth", 200, `{"url":"https://auth.aggregator.example/x","authorization_id":"a-1","psu_id_hash":"h"}`)
	w.answer("GET /sessions/s-1", 200, `{"psu_id_hash":"h","aspsp":{"name":"Nordlicht Bank","country":"DE"}}`)
	progress, err := w.client.RequestConsent(t.Context(), w.bank, pfm.ConsentRequest{ConnectionID: "c", ValidUntil: "2027-05-18"})
	require.NoError(t, err)
	w.calls = nil
	return progress.Session
}

// authorise returns the session after the user has come back. accounts is JSON.
func (w *world) authorise(t *testing.T, accounts string) pfm.Session {
	t.Helper()
	attempt := w.attempt(t)
	w.answer("POST /sessions", 200, `{"session_id":"s-1","access":{"valid_until":"2027-05-18T23:00:00+00:00"},
		"accounts":`+accounts+`}`)
	progress, err := w.client.ContinueConsent(t.Context(), w.bank, pfm.ConsentRequest{}, attempt,
		pfm.UserAnswer{Callback: map[string][]string{"code": {"k"}}})
	require.NoError(t, err)
	w.calls = nil
	return progress.Session
}

func requireFailure(t *testing.T, err error, kind pfm.SupplierErrorKind) *pfm.SupplierError {
	t.Helper()
	var e *pfm.SupplierError
	require.ErrorAs(t, err, &e)
	require.Equal(t, kind, e.Kind, err)
	return e
}

// daysAgo returns a day before that of a new world.
func daysAgo(n int) pfm.Date { return pfm.DateOf(clocktest.New().Now()).AddDays(-n) }

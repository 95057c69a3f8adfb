package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankcheck"
	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/sandboxdb"
	"aviso/localstack/tests/testenv"
)

// terminal is what the program prints. A person reads it and acts.
type terminal struct {
	t      *testing.T
	mu     sync.Mutex
	text   bytes.Buffer
	acted  bool
	person func(printed string) bool
}

// Write keeps the text and lets the person act once.
func (o *terminal) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Write(p)
	if !o.acted && o.person != nil {
		o.acted = o.person(o.text.String())
	}
	return len(p), nil
}

func (o *terminal) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// browse sends a form and returns where that leads.
func browse(t *testing.T, method, address string, form url.Values) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode()))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	t.Cleanup(transport.CloseIdleConnections)
	res, err := transport.RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	to, err := req.URL.Parse(res.Header.Get("Location"))
	require.NoError(t, err)
	return to.String()
}

var page, inApp = regexp.MustCompile(`https?://\S+/authorise/\S+`), regexp.MustCompile(`at (\S+) and confirm the request (\w+)\.`)

// decides is a person who decides at the bank, in the browser or in the app.
func decides(t *testing.T, decision string) *terminal {
	o := &terminal{t: t}
	o.person = func(printed string) bool {
		form := url.Values{"persona": {"anna"}, "decision": {decision}, "account[]": {"current"}}
		if found := inApp.FindStringSubmatch(printed); found != nil {
			browse(t, http.MethodPost, browse(t, http.MethodPost, found[1], url.Values{"code": {found[2]}}), form)
			return true
		}
		if address := page.FindString(printed); address != "" {
			back := browse(t, http.MethodPost, address, form)
			browse(t, http.MethodGet, back, nil)
			return true
		}
		return false
	}
	return o
}

func banks(t *testing.T) http.Handler {
	return bank.New(bank.Options{
		Store: sandboxdb.New(testenv.DynamoDB(t), testenv.Table(t, "SandboxTable"), time.Now),
		Now:   time.Now, NewID: uuid.NewString, Log: slog.New(slog.DiscardHandler),
	})
}

func check(t *testing.T, o io.Writer, in string, args ...string) error {
	t.Helper()
	return run(t.Context(), args, func(string) string { return "" }, strings.NewReader(in), o)
}

func TestBanks(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(banks(t))
	t.Cleanup(server.Close)
	at := "-base-url=" + server.URL + "/sandbox/banks/"

	t.Run("that is good", func(t *testing.T) {
		t.Parallel()
		o := decides(t, "approve")
		require.NoError(t, check(t, o, "", at+"lindenmark", "-keep"))
		assert.Contains(t, o.String(), "The bank can be connected. It needs no setting.")
		kept := regexp.MustCompile(`-consent (\S+)`).FindStringSubmatch(o.String())
		require.NotNil(t, kept)
		again := &terminal{t: t}
		require.NoError(t, check(t, again, "", at+"lindenmark", "-consent="+kept[1]))
		assert.NotContains(t, again.String(), "Open this page")
	})
	t.Run("whose app asks", func(t *testing.T) {
		t.Parallel()
		o := decides(t, "approve")
		require.NoError(t, check(t, o, "nobody\nanna\n", at+"norrsken", "-country=se"))
		assert.Contains(t, o.String(), "The bank does not accept this.")
		assert.Contains(t, o.String(), `In the provider file: {"maxFetchInterval":365}`)
	})
	t.Run("at which nobody approves", func(t *testing.T) {
		t.Parallel()
		o := decides(t, "refuse")
		require.ErrorIs(t, check(t, o, "", at+"lindenmark"), errCannotConnect)
		assert.Contains(t, o.String(), "the consent is rejected")
		require.ErrorIs(t, check(t, o, "", at+"norrsken"), errNobody)
		require.ErrorIs(t, check(t, o, "", at+"lindenmark", "-redirect=http://localhost:8123/back"), errNobody)
	})
	t.Run("that refuses in its own words", func(t *testing.T) {
		t.Parallel()
		refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"tppMessages":[{"category":"ERROR","code":"SERVICE_BLOCKED","text":"contract 4711 has ended"}]}`)
		}))
		t.Cleanup(refusing.Close)
		o := &terminal{t: t}
		require.ErrorIs(t, check(t, o, "", "-base-url="+refusing.URL), errCannotConnect)
		assert.Contains(t, o.String(), "The bank's own words, which may have personal data:\n"+
			"  request consent: 403: SERVICE_BLOCKED, contract 4711 has ended\n")
	})
	t.Run("that does not exist", func(t *testing.T) {
		t.Parallel()
		o := &terminal{t: t}
		require.ErrorIs(t, check(t, o, "", "-base-url=http://127.0.0.1:1"), errCannotConnect)
		assert.Contains(t, o.String(), "request consent: no connection")
	})
}

// certificate writes a new certificate and its key to files.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	pair, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(0xabc), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, pair.Public(), pair)
	require.NoError(t, err)
	write := func(name, kind string, der []byte) string {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
		return path
	}
	return write("cert.pem", "CERTIFICATE", der), write("key.pem", "RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(pair))
}

const providerLine = `{"id":"0f8b9d52-6f1c-4d55-9a52-3f1f0a3c7b10","countryCode":"DE","name":"Nordlicht Bank",
"logoUrl":"https://bank.example/logo.svg","status":"Active","supportedAccountTypes":["CurrentAccount"],
"timezone":"Europe/Berlin","refreshTimeoutMinutes":5,"maxConsentDays":90,"regulated":true,"maxFetchInterval":90,
"endpoint":{"baseUrl":"https://xs2a.bank.example","transportSecret":"our-qwac"}}`

func TestCertificates(t *testing.T) {
	t.Parallel()
	inner := banks(t)
	serial := "SN=ABC,"
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if signature := r.Header.Get("Signature"); signature != "" && !strings.Contains(signature, serial) {
			http.Error(w, `{"tppMessages":[{"category":"ERROR","code":"SIGNATURE_INVALID"}]}`, http.StatusUnauthorized)
			return
		}
		if strings.Contains(r.URL.Path, "/v1/") && (len(r.TLS.PeerCertificates) == 0 || r.Header.Get("Signature") == "") {
			http.Error(w, `{"tppMessages":[{"category":"ERROR","code":"CERTIFICATE_MISSING"}]}`, http.StatusUnauthorized)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	server.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	server.StartTLS()
	t.Cleanup(server.Close)
	roots := filepath.Join(t.TempDir(), "roots.pem")
	require.NoError(t, os.WriteFile(roots, pem.EncodeToMemory(
		&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600))
	cert, key := certificate(t)
	file := filepath.Join(t.TempDir(), "bank.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(providerLine, "\n", "")), 0o600))

	o := decides(t, "approve")
	address := "-base-url=" + server.URL + "/sandbox/banks/lindenmark/"
	require.NoError(t, check(t, o, "", address, "-provider="+file, "-cert="+cert, "-key="+key, "-roots="+roots,
		"-seal-cert="+cert, "-seal-key="+key), o)
	assert.NotContains(t, o.String(), "sealSerial")

	serial, o = "SN=abc,", decides(t, "approve")
	require.NoError(t, check(t, o, "", address, "-provider="+file, "-cert="+cert, "-key="+key, "-roots="+roots,
		"-seal-cert="+cert, "-seal-key="+key), o)
	assert.Contains(t, o.String(), `"sealSerial":"Lower"`)

	serial, o = "SN=123,", &terminal{t: t}
	require.ErrorIs(t, check(t, o, "", address, "-provider="+file, "-cert="+cert, "-key="+key, "-roots="+roots,
		"-seal-cert="+cert, "-seal-key="+key), errCannotConnect)
	assert.Contains(t, o.String(), "in upper and in lower case")

	o = &terminal{t: t}
	require.ErrorIs(t, check(t, o, "", address, "-cert="+cert, "-key="+key), errCannotConnect)
	assert.Contains(t, o.String(), "TLS handshake failed", "no public authority")
	require.ErrorIs(t, check(t, o, "", address, "-cert=/no/such/file"), os.ErrNotExist)
	require.ErrorContains(t, check(t, o, "", "-provider="+cert), "provider file")
	require.ErrorContains(t, check(t, o, ""), "set BASE_URL")
	require.ErrorContains(t, check(t, o, "", "bank"), "unexpected argument bank")
}

// The stack's function gets each step with the state of its last answer.
func TestOnAStack(t *testing.T) {
	t.Parallel()
	var events []map[string]any
	next := settings{providerID: "p1", ip: "203.0.113.7"}.onStack(func(_ context.Context, text []byte) ([]byte, error) {
		var event map[string]any
		require.NoError(t, json.Unmarshal(text, &event))
		events = append(events, event)
		if len(events) > 1 {
			return nil, errors.New("operator: no")
		}
		return []byte(`{"state":{"consentId":"c1","next":{"kind":"Redirect","url":"https://bank.example"}}}`), nil
	}, "https://api.example/connect/callback/p1")
	state, err := next(t.Context(), bankcheck.State{}, pfm.UserAnswer{})
	require.NoError(t, err)
	assert.Equal(t, "https://bank.example", state.Next.URL)
	_, err = next(t.Context(), state, pfm.UserAnswer{Callback: url.Values{"code": {"x"}}})
	assert.EqualError(t, err, "operator: no")
	require.Len(t, events, 2)
	assert.Equal(t, "bank-check", events[0]["command"])
	assert.Equal(t, "https://api.example/connect/callback/p1", events[0]["redirectUrl"])
	assert.Equal(t, "code=x", events[1]["callback"])
	sent, _ := events[1]["state"].(map[string]any)
	assert.Equal(t, "c1", sent["consentId"])
}

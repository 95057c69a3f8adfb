package blackbox_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/internal/app"
	"aviso/localstack/stack"
	"aviso/localstack/stack/emulator"
	"aviso/localstack/stack/seed"
	"aviso/localstack/tests/contract"
	"aviso/localstack/tests/logtest"
	"aviso/localstack/tests/testenv"
)

// patience limits every wait for something that happens in the background.
const patience = time.Minute

// gcPercent lets the heap grow further than usual, because collecting it took a fifth of the
// time of a stack with all functions in one process.
const gcPercent = 400

// eventually polls until the condition holds. It polls on the test's
// own goroutine, unlike testify's, so that a condition may fail the test.
func eventually(t *testing.T, holds func() bool, within, every time.Duration, otherwise ...any) {
	t.Helper()
	ask := time.NewTicker(every)
	defer ask.Stop()
	for end := time.Now().Add(within); !holds(); <-ask.C {
		if time.Now().After(end) {
			require.FailNow(t, "it has not come about in "+within.String(), otherwise...)
		}
	}
}

// service is what the tests run against.
var service struct {
	baseURL string
	// dataDir is the stack's data folder, where it notes the addresses that are
	// not the API's; empty where the tests were not told.
	dataDir string
	// retries are the stack's waits before a callback is tried again, as in
	// RETRY_DELAYS; empty where the tests were not told.
	retries string
	// samLocal: the API is sam local's, which refuses some requests by itself.
	samLocal bool
	// cookies are those that links set in the users' browser.
	cookies *cookiejar.Jar
}

func TestMain(m *testing.M) {
	code, err := withService(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, "blackbox:", err)
		os.Exit(1)
	}
	os.Exit(code)
}

func withService(run func() int) (int, error) {
	service.retries = "1s,2s"
	service.cookies, _ = cookiejar.New(nil) // which fails for wrong options only
	debug.SetGCPercent(gcPercent)
	if service.baseURL = os.Getenv("BASE_URL"); service.baseURL != "" {
		service.dataDir, service.retries = os.Getenv("DATA_DIR"), os.Getenv("RETRY_DELAYS")
		switch gateway := os.Getenv("GATEWAY"); gateway {
		case "":
		case "sam-local":
			service.samLocal = true
		default:
			return 0, fmt.Errorf("GATEWAY is %q; want sam-local or nothing", gateway)
		}
		return run(), nil
	}
	dataDir, err := os.MkdirTemp("", "aviso-blackbox-")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dataDir) }()
	port, err := emulator.FreePort()
	if err != nil {
		return 0, err
	}
	ready, opened := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		err := stack.Run(ctx, stack.Options{
			Port: port, DataDir: dataDir, InMemory: true, Memdb: true, Template: filepath.Join("..", "..", "..", "template.yaml"),
			Functions: app.Functions(), Seed: seed.Local, Getenv: environment, Console: opened,
		})
		_ = opened.Close()
		ended <- err
	}()
	if err := untilReady(ready); err != nil {
		stop()
		return 0, fmt.Errorf("%w: %w", err, <-ended)
	}
	denied := make(chan []string, 1)
	go func() { denied <- refusals(ready) }()
	service.baseURL, service.dataDir = "http://localhost:"+strconv.Itoa(port), dataDir
	code := run()
	stop()
	err = <-ended
	if lines := <-denied; err == nil && len(lines) > 0 {
		err = fmt.Errorf("functions wanted what their policies do not allow:\n%s", strings.Join(lines, "\n"))
	}
	return code, errors.Join(err, loggedPersonalData(dataDir))
}

// loggedPersonalData returns an error if the functions' log has what users told us, or the
// number of an account.
func loggedPersonalData(dataDir string) error {
	log, err := os.ReadFile(filepath.Join(dataDir, "functions.log"))
	for line := range strings.Lines(string(log)) {
		if found := logtest.Personal(line); found != "" {
			err = errors.Join(err, fmt.Errorf("the log has personal data, %s: %s", found, line))
		}
	}
	return err
}

// refusals are the lines on the console about calls that the functions' policies
// did not allow.
func refusals(console io.Reader) []string {
	var lines []string
	for s := bufio.NewScanner(console); s.Scan(); {
		if strings.Contains(s.Text(), "denied: ") {
			lines = append(lines, s.Text())
		}
	}
	return lines
}

// environment is that of the embedded stack: callbacks are tried again soon.
func environment(name string) string {
	if name == "RETRY_DELAYS" {
		return service.retries
	}
	return ""
}

// untilReady reads the console until the stack says that its port is open.
func untilReady(console io.Reader) error {
	var seen strings.Builder
	buffer := make([]byte, 1024)
	for !strings.Contains(seen.String(), "is ready at") {
		n, err := console.Read(buffer)
		seen.Write(buffer[:n])
		if err != nil {
			return fmt.Errorf("the stack ended: %s", seen.String())
		}
	}
	return nil
}

// noted reads an address that the stack has left in its data folder.
func noted(t *testing.T, name string) string {
	t.Helper()
	require.NotEmpty(t, service.dataDir, "DATA_DIR is to name the data folder of the stack at %s", service.baseURL)
	address, err := os.ReadFile(filepath.Join(service.dataDir, name))
	require.NoError(t, err)
	return strings.TrimSpace(string(address))
}

// tables reach into the stack's own: the clock of a running stack cannot be moved.
func tables(t *testing.T) *dynamodb.Client {
	t.Helper()
	return dynamodb.NewFromConfig(testenv.Config(noted(t, "dynamodb-endpoint")))
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// request is one call. Header values that are empty are not sent.
type request struct {
	method, path string
	header       map[string]string
	body         string
	// cookies are the browser's; nil if it is not a browser that calls.
	cookies http.CookieJar
}

// send makes a call without following redirects, and checks the response against
// the document.
func send(t *testing.T, r request) answer {
	t.Helper()
	address := r.path
	if strings.HasPrefix(r.path, "/") {
		address = service.baseURL + r.path
	}
	var body io.Reader
	if r.body != "" {
		body = strings.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(t.Context(), r.method, address, body)
	require.NoError(t, err)
	for name, value := range r.header {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	client := &http.Client{
		Transport: held(t, r), Jar: r.cookies,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       patience,
	}
	res, err := client.Do(req)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return answer{status: res.StatusCode, header: res.Header, body: b}
}

// held is a transport that checks responses against the document. The sandbox is
// not the service, and neither are the inbox and Lambda.
func held(t *testing.T, r request) http.RoundTripper {
	t.Helper()
	elsewhere := !strings.HasPrefix(r.path, "/") && !strings.HasPrefix(r.path, service.baseURL+"/")
	if elsewhere || strings.Contains(r.path, "/sandbox/") {
		return http.DefaultTransport
	}
	c, err := contract.Default()
	require.NoError(t, err)
	return &contract.Transport{Contract: c, Base: http.DefaultTransport, OnViolation: func(err error) {
		t.Errorf("the answer to %s %s is not as documented: %v", r.method, r.path, err)
	}}
}

// decode reads the body into out.
func (a answer) decode(t *testing.T, out any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(a.body, out), string(a.body))
}

// problem is the body of a refusal.
type problem struct {
	Code    string
	TraceID string
	Errors  []struct{ Pointer, Parameter, Header, Code string }
}

func (a answer) problem(t *testing.T) problem {
	t.Helper()
	var p problem
	a.decode(t, &p)
	return p
}

// token gets an access token; no scope for all of the partner's.
func token(t *testing.T, partner, scope string) string {
	t.Helper()
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {partner}, "client_secret": {partner + "-secret"}}
	if scope != "" {
		form.Set("scope", scope)
	}
	a := send(t, request{
		method: http.MethodPost, path: "/oauth2/token", body: form.Encode(),
		header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"},
	})
	require.Equal(t, http.StatusOK, a.status, string(a.body))
	var out struct {
		AccessToken string `json:"access_token"`
	}
	a.decode(t, &out)
	return out.AccessToken
}

// partner calls for one partner and one of its users.
type partner struct {
	id, token, user string
}

// newPartner is a partner with a new user who has accepted all terms.
func newPartner(t *testing.T, id string) partner {
	t.Helper()
	t.Parallel()
	return anotherPartner(t, id)
}

// anotherPartner is for a test with several.
func anotherPartner(t *testing.T, id string) partner {
	t.Helper()
	p := partner{id: id, token: token(t, id, "")}
	a := p.send(t, http.MethodPost, "/identity/v1/users",
		map[string]any{"externalId": uuid.NewString(), "countryCode": "DE", "languageCode": "de"})
	require.Equal(t, http.StatusCreated, a.status, string(a.body))
	var created struct {
		Data struct{ User struct{ UserID string } }
	}
	a.decode(t, &created)
	p.user = created.Data.User.UserID
	var terms struct {
		Data struct {
			Terms []struct{ TermsType, Version string }
		}
	}
	p.send(t, http.MethodGet, "/identity/v1/terms", nil).decode(t, &terms)
	for _, doc := range terms.Data.Terms {
		a := p.send(t, http.MethodPost, "/identity/v1/users/"+p.user+"/terms-acceptances",
			map[string]any{"termsType": doc.TermsType, "version": doc.Version})
		require.Equal(t, http.StatusCreated, a.status, string(a.body))
	}
	return p
}

// headers are those of the partner's calls for its user.
func (p partner) headers() map[string]string {
	return map[string]string{"Authorization": "Bearer " + p.token, "X-User-Id": p.user, "Content-Type": "application/json"}
}

// send makes a call for the partner's user; a nil body sends none.
func (p partner) send(t *testing.T, method, path string, body any, extra ...string) answer {
	t.Helper()
	r := request{method: method, path: path, header: p.headers()}
	for i := 0; i+1 < len(extra); i += 2 {
		r.header[extra[i]] = extra[i+1]
	}
	if body != nil {
		var b bytes.Buffer
		require.NoError(t, json.NewEncoder(&b).Encode(body))
		r.body = b.String()
	}
	return send(t, r)
}

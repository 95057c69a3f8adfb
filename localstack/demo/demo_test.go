package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	neturl "net/url"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	aviso "aviso.example/client"

	"aviso/internal/app"
	"aviso/localstack/stack"
	"aviso/localstack/stack/emulator"
	"aviso/localstack/stack/partner"
	"aviso/localstack/stack/seed"
	"aviso/localstack/tests/contract"
)

// demo runs the command against the service at url, and returns what it prints.
func demo(t *testing.T, url string, args ...string) (string, error) {
	t.Helper()
	var shown strings.Builder
	err := run(t.Context(), args, func(name string) string { return map[string]string{"BASE_URL": url}[name] }, &shown)
	return shown.String(), err
}

// TestAgainstTheStack needs the whole service, which it starts once.
func TestAgainstTheStack(t *testing.T) {
	t.Parallel()
	url, dataDir := startStack(t)

	t.Run("the walk succeeds", func(t *testing.T) {
		t.Parallel()
		months := "1"
		if os.Getenv("NIGHTLY") != "" {
			months = "7" // a consent ends after six
		}
		shown, err := demo(t, url, "-months", months)
		require.NoError(t, err, shown)
		assert.Contains(t, shown, `"name": "Lindenmark Sparbank"`)
		assert.Contains(t, shown, "&status=success")
		assert.Regexp(t, `3 accounts, the newest 200 transactions, \d+ sums, 13 contracts that can be cancelled`, shown)
		assert.Regexp(t, `Email → Created → Queued → Sent → Delivered → Confirmed`, shown)
		assert.Contains(t, shown, "    Mail → Created → Queued → Sent\n")
		assert.Contains(t, shown, "    RegisteredMail → Created → Queued → Sent → Delivered\n")
		assert.Contains(t, shown, "    Fax → Created → Queued → Sent → Delivered\n")
		assert.Contains(t, shown, "    Mail → Created → Queued → Sent → Queued → Sent\n")
		assert.Regexp(t, `every signature verified: .*cancellation.delivered:[1-9].*transactions.updated:[1-9].*webhook.ping:[1-9]`, shown)
		for _, code := range []string{"refresh_too_early", "terms_not_accepted", "already_cancelled", "cancellation_not_withdrawable"} {
			assert.Contains(t, shown, `"code": "`+code+`"`)
		}
		assert.Regexp(t, `which saves 358.80? EUR a year`, shown)
		assert.Regexp(t, `until \S+: .*cancellation.delivered:[1-9].*connection.refreshed:[1-9]`, shown)
		assert.Equal(t, months == "7", regexp.MustCompile(`until \S+: .*connection.expired:1`).MatchString(shown))
		assert.Contains(t, shown, "Done: 14 steps, and every response matched the documentation.")
		assert.Contains(t, shown, url+"/console/users/")
		assert.NotContains(t, shown, "whsec_", "a key on the screen")
		assert.NotContains(t, shown, "eyJ", "a token on the screen")
	})
	t.Run("the smoke test passes and erases its user", func(t *testing.T) {
		t.Parallel()
		shown, err := demo(t, url, "-smoke", "-persona", "student")
		require.NoError(t, err, shown)
		assert.Contains(t, shown, "Done: 10 steps")
		assert.NotContains(t, shown, "curl", "commands")
		user := regexp.MustCompile(`✓ user (\S+)`).FindStringSubmatch(shown)[1]
		client := aviso.Must(aviso.New(aviso.Config{BaseURL: url, ClientID: partner.ClientID, ClientSecret: partner.ClientSecret}))
		_, err = client.Users.Get(t.Context(), user)
		assert.ErrorIs(t, err, aviso.ErrNotFound)
	})
	for _, bank := range []string{"erlenbach", "kastanienhof", "silbertal", "tulpenburg"} {
		t.Run("the smoke test passes whatever the way to approve is: "+bank, func(t *testing.T) {
			t.Parallel()
			shown, err := demo(t, url, "-smoke", "-bank", bank)
			require.NoError(t, err, shown)
		})
	}
	t.Run("the smoke test for production only reads", func(t *testing.T) {
		t.Parallel()
		sandbox, err := neturl.Parse(url)
		require.NoError(t, err)
		production := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			assert.True(t, r.Method == http.MethodGet || r.URL.Path == "/oauth2/token", "%s %s", r.Method, r.URL)
			if strings.HasPrefix(r.URL.Path, "/sandbox") {
				http.NotFound(w, r)
				return
			}
			httputil.NewSingleHostReverseProxy(sandbox).ServeHTTP(w, r)
		}))
		t.Cleanup(production.Close)
		shown, err := demo(t, production.URL, "-smoke")
		require.NoError(t, err, shown)
		assert.Contains(t, shown, "has no sandbox, so this test changes nothing")
		assert.Contains(t, shown, "Done: 1 steps")
	})
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"a persona whose bank fails": {[]string{"-bank", "waterkant", "-persona", "revoked"}, "the connection is Revoked ConsentRevoked"},
		"an unknown persona":         {[]string{"-persona", "nobody"}, "instead of at http://localhost:8080/"},
		"an unknown bank":            {[]string{"-bank", "nowhere"}, `no active bank has a word that starts with "nowhere"`},
	} {
		t.Run(name+" ends the walk", func(t *testing.T) {
			t.Parallel()
			_, err := demo(t, url, c.args...)
			assert.ErrorContains(t, err, c.want)
		})
	}
	t.Run("a persona without contracts cancels a stand-in", func(t *testing.T) {
		t.Parallel()
		shown, err := demo(t, url, "-persona", "newcomer", "-months", "0")
		require.NoError(t, err, shown)
		assert.Contains(t, shown, "0 contracts that can be cancelled")
		assert.Contains(t, shown, "one cancellation of Vidorama Abo")
	})
	t.Run("the samples of all operations run", func(t *testing.T) {
		t.Parallel()
		assert.Contains(t, paste(t, samplesScript(t, url)), "getCancellationLetter\n%PDF-")
	})
	t.Run("the quickstart and the other pages work when pasted", func(t *testing.T) {
		t.Parallel()
		printed := paste(t, pasted(t, url, dataDir))
		assert.Contains(t, printed, "/connect?connectionId=", "the link to open")
		assert.Contains(t, printed, "http://localhost:8080/?connectionId=")
		assert.Contains(t, printed, "&status=success")
		assert.Regexp(t, `-?\d+\.\d\d  EUR  Mein Konto`, printed)
		assert.Regexp(t, `\d{4}-\d\d-\d\d.*EUR`, printed)
		assert.Contains(t, printed, "The ping ended as Acknowledged\n")
		assert.Contains(t, printed, "ConnectionError  ", "the callback without a receiver")
		assert.Regexp(t, `[1-9]\d+ transactions on [1-9] pages\n`, printed)
		assert.Contains(t, printed, "&status=cancelled\n", "a user who refuses")
		assert.Contains(t, printed, "\nConsentRevoked\n")
		assert.Contains(t, printed, "\ncancellation_not_withdrawable\n")
		assert.Regexp(t, `DATA_DELETE_REQUEST  \w+`, printed, "the template")
		assert.Contains(t, printed, "The letter is Delivered")
		assert.Regexp(t, `Z  Confirmed\n`, printed)
		assert.Contains(t, printed, "-42.5  FOOD_AND_DRINKS", "an own transaction")
		assert.Contains(t, printed, "vertrag@nur-e-mail.example\napplication/pdf", "the mail and its PDF")
		assert.Contains(t, printed, "true\n303\nBindingPeriod\n", "an answer")
		assert.Contains(t, printed, "Acknowledged: Hello from Aviso.\n", "a callback without an address")
		assert.Equal(t, 2, strings.Count(printed, "202\nReady\n"), "two users' clocks were advanced")
		assert.NotContains(t, printed, "undefined")
		assert.NotContains(t, printed, `"traceId":`, "a problem")
	})
}

func TestDemoTellsWhatToStart(t *testing.T) {
	t.Parallel()
	url := "http://localhost:" + strconv.Itoa(freePort(t))
	_, err := demo(t, url)
	assert.EqualError(t, err, "nothing answers at "+url+"; start the service in another terminal first: make run")
}

func TestDemoFailsOnAnswersThatAreNotDocumented(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	_, err := demo(t, other.URL)
	assert.ErrorContains(t, err, "POST /oauth2/token answered 404: the document does not have this status")
}

// A printed command does what the call did.
func TestPrintedCommandsCanBePasted(t *testing.T) {
	t.Parallel()
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		header := r.Header.Get("Authorization") + " " + r.Header.Get("X-User-Id") + " " + r.Header.Get("Idempotency-Key")
		got = append(got, strings.Join([]string{r.Method, r.URL.String(), header, r.Header.Get("Content-Type"), string(body)}, "\n"))
		_, _ = io.WriteString(w, `{"data":{"name":"Zoë","secret":{"key":"whsec_x"}}}`)
	}))
	t.Cleanup(server.Close)
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		var shown strings.Builder
		p := &printer{next: http.DefaultTransport, out: &shown, baseURL: server.URL}
		body := map[string]io.Reader{http.MethodPost: strings.NewReader(`{"name":"Zoë's $5","list":[1]}`)}[method]
		req, err := http.NewRequestWithContext(t.Context(), method, server.URL+"/a?b=c&d=%20e", body)
		require.NoError(t, err)
		req.Header = http.Header{"Authorization": {"Bearer t"}, "X-User-Id": {"u"}, "Idempotency-Key": {"k"}}
		if body != nil {
			req.Header.Set("Content-Type", "application/json")
		}
		resp, err := (&http.Client{Transport: p}).Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		command, answer, _ := strings.Cut(shown.String(), "→")
		assert.Equal(t, " 200 {\n      \"name\": \"Zoë\",\n      \"secret\": {\n        \"key\": \"…\"\n      }\n    }\n\n", answer)
		paste(t, "BASE_URL="+server.URL+" TOKEN=t\n"+command)
	}
	require.Len(t, got, 6)
	for i := 0; i < len(got); i += 2 {
		assert.Equal(t, got[i], got[i+1])
	}
}

// paste runs a script with bash and returns its output. Every command must succeed.
func paste(t *testing.T, script string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	bash := exec.CommandContext(ctx, "bash", "-euo", "pipefail")
	bash.Dir = t.TempDir()
	bash.Stdin = strings.NewReader(script)
	var complaints strings.Builder
	bash.Stderr = &complaints
	printed, err := bash.Output()
	require.NoError(t, err, "script:\n%s\nprinted:\n%s\ncomplaints:\n%s", script, printed, complaints.String())
	return string(printed)
}

// startStack starts the whole service, and stops it at the end of the test. It returns the
// address of the service, and the folder of its data.
func startStack(t *testing.T) (url, dataDir string) {
	t.Helper()
	debug.SetGCPercent(400) // all functions are in this process; collecting took a seventh of its time
	port := freePort(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	dataDir = t.TempDir() // before the clean-up below, so that it goes after it
	ready, printed := io.Pipe()
	go func() {
		ended <- stack.Run(ctx, stack.Options{
			Port: port, DataDir: dataDir, InMemory: true, Memdb: true, Template: "../../template.yaml",
			Functions: app.Functions(), Seed: seed.Local, Getenv: os.Getenv, Console: printed,
		})
		_ = printed.Close()
	}()
	t.Cleanup(func() {
		stop()
		assert.NoError(t, <-ended)
	})
	awaitReady(t, ready)
	return "http://localhost:" + strconv.Itoa(port), dataDir
}

// awaitReady reads the stack's output until it is ready, and the rest in the background,
// so that the stack never waits for a reader.
func awaitReady(t *testing.T, console io.Reader) {
	t.Helper()
	said := make(chan string, 1)
	go func() {
		var text strings.Builder
		buffer := make([]byte, 4096)
		for {
			n, err := console.Read(buffer)
			text.Write(buffer[:n])
			if err != nil || strings.Contains(text.String(), "Aviso is ready") {
				said <- text.String()
				_, _ = io.Copy(io.Discard, console)
				return
			}
		}
	}()
	select {
	case text := <-said:
		require.Contains(t, text, "Aviso is ready")
	case <-time.After(3 * time.Minute): // the first time it installs the emulators
		require.Fail(t, "the stack is not ready")
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	port, err := emulator.FreePort()
	require.NoError(t, err)
	return port
}

// The command must find docs/openapi.yaml from where make runs it.
func TestContractIsFound(t *testing.T) {
	t.Parallel()
	_, err := contract.Default()
	assert.NoError(t, err)
}

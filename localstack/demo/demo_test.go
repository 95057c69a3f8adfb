package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"aviso/internal/app"
	"aviso/localstack/contract"
	"aviso/localstack/emulator"
	"aviso/localstack/partner"
	"aviso/localstack/stack"
)

// TestAgainstTheStack needs the whole service, which it starts once.
func TestAgainstTheStack(t *testing.T) {
	t.Parallel()
	url, inbox, dataDir := startStack(t)

	t.Run("the walk succeeds", func(t *testing.T) {
		t.Parallel()
		shown, err := demo(t, "-base-url", url, "-inbox", inbox)
		require.NoError(t, err)
		assert.Contains(t, shown, "Lindenmark Sparbank (DE)")
		assert.Contains(t, shown, "?connectionId=")
		assert.Contains(t, shown, "Mein Konto")
		assert.Regexp(t, `✓ \d{3,} transactions on \d+ pages`, shown)
		assert.Contains(t, shown, "13 can be cancelled")
		assert.Contains(t, shown, "inbox   see it at "+inbox)
		assert.Regexp(t, `Nur Post +Mail +Created → Queued → Sent `, shown)
		assert.Regexp(t, `Nur Einschreiben +RegisteredMail +Created → Queued → Sent → Delivered +delivered +98\.`, shown)
		assert.Regexp(t, `Nur Fax +Fax +Created → Queued → Sent → Delivered +COMPLETED`, shown)
		assert.Regexp(t, `Bounce GmbH +Mail +Created → Queued → Sent → Queued → Sent `, shown)
		assert.Regexp(t, `transactions.updated +[1-9]`, shown)
		assert.Regexp(t, `cancellation.delivered +[1-9]`, shown)
		assert.Regexp(t, `webhook-signature +v1,\S+\n`, shown)
		assert.Contains(t, shown, `"isSimulated":true`)
		assert.Regexp(t, `webhook.ping +1 +InvalidAcknowledgement +timestamp is missing`, shown)
		assert.Regexp(t, `deadline  Amourelio can end on \S+, if the letter leaves by `, shown)
		assert.Regexp(t, `debit     -29\.90? EUR on `, shown)
		assert.Regexp(t, `the end of Amourelio saves 358\.80? EUR a year`, shown)
		assert.Regexp(t, `-\d\d  the letter to Einschreiben oder Fax has arrived`, shown)
		assert.Regexp(t, `-\d\d  reads of the bank: [1-9], new transactions: \d`, shown)
		assert.Contains(t, shown, "Done. All 28 steps took ")
		assert.Contains(t, shown, url+"/console/users/")
		assert.NotContains(t, shown, "whsec_", "a key on the screen")
		assert.NotContains(t, shown, "\x1b[", "colours in a file")
		assert.NotContains(t, shown, "eyJ", "a token on the screen")

		again, err := demo(t, "-base-url", url, "-inbox", inbox)
		require.NoError(t, err)
		assert.Equal(t, eventCounts(t, shown), eventCounts(t, again), "the events of another walk")
	})
	t.Run("the commands that it prints work when pasted", func(t *testing.T) {
		t.Parallel()
		shown, err := demo(t, "-base-url", url, "-bank", "donau", "-persona", "family", "-inbox", inbox)
		require.NoError(t, err)
		printed := paste(t, commands(shown))
		assert.Contains(t, printed, "&status=success\n")
		assert.Contains(t, printed, `"lastSuccessAt":"2`)
		assert.Contains(t, printed, `{"data":{"accounts":[{"accountId":"`)
		assert.Contains(t, printed, `{"data":{"transactions":[{"id":"`)
		assert.Contains(t, printed, `"code":"terms_not_accepted"`)
		assert.Contains(t, printed, `"code":"already_cancelled"`)
		assert.Contains(t, printed, `"code":"cancellation_not_withdrawable"`)
		assert.Contains(t, printed, `"subject":"Kündigung: `)
		assert.Contains(t, printed, `"status":"Confirmed","statusReason":""`)
		assert.Contains(t, printed, `"eventType":"webhook.ping"}`)
		assert.Contains(t, printed, `"outcome":"`)
		assert.Contains(t, printed, `"code":"refresh_too_early"`)
		assert.Equal(t, 4, strings.Count(printed, `"traceId":"`), "other problems")
	})
	t.Run("the smoke test passes and erases its user", func(t *testing.T) {
		t.Parallel()
		shown, err := demo(t, "-smoke", "-base-url", url, "-persona", "student")
		require.NoError(t, err)
		assert.Contains(t, shown, "Done. All 23 steps took ")
		assert.NotContains(t, shown, "curl", "commands")
		user := regexp.MustCompile(`user (\S+)`).FindStringSubmatch(shown)[1]
		w := testWalker(t, url)
		w.getToken(t.Context())
		_, err = w.partner.Do(t.Context(), partner.Get("/identity/v1/users/"+user).RefusedWith("user_not_found"))
		assert.NoError(t, err)
	})
	t.Run("the smoke test for production only reads", func(t *testing.T) {
		t.Parallel()
		w := testWalker(t, url)
		w.partner.HTTP = &http.Client{Transport: reader{t}}
		assert.NoError(t, w.take(t.Context(), harmless()))
	})
	t.Run("a persona whose bank fails ends the walk", func(t *testing.T) {
		t.Parallel()
		shown, err := demo(t, "-base-url", url, "-bank", "waterkant", "-persona", "revoked")
		assert.ErrorContains(t, err, `the connection is Revoked (reason "ConsentRevoked")`)
		assert.Contains(t, shown, "✗ failed")
	})
	for bank, pages := range map[string]string{
		"erlenbach":    "“Log in to Erlenbach Direktbank”, then “Share your accounts?”",
		"kastanienhof": "“Log in to Bankhaus Kastanienhof”, then “Share your accounts?”",
		"norrsken": "“Tell your bank who you are”, then “Please confirm in your bank’s app”, " +
			"then “Share your accounts?”, then “You have decided”",
		"silbertal":  "“Log in to Silbertal Bank”, then “Share your accounts?”",
		"tulpenburg": "“Tell your bank who you are”, then “Share your accounts?”",
	} {
		t.Run("the walk succeeds whatever the way to approve is: "+bank, func(t *testing.T) {
			t.Parallel()
			var shown strings.Builder
			rules, err := contract.Default()
			require.NoError(t, err)
			w, err := newWalker(t.Context(), options{
				baseURL: url, returnURL: "http://localhost:8080/", id: partner.ClientID, secret: partner.ClientSecret,
				bank: bank, persona: "anna", syncWithin: time.Minute, askEvery: 200 * time.Millisecond,
			}, rules, newScreen(&shown, false, time.Now))
			require.NoError(t, err)
			for _, step := range []func(*walker, context.Context) string{
				(*walker).getToken, (*walker).createUser, (*walker).acceptTerms, (*walker).findBank, (*walker).connect,
				(*walker).visitBank, (*walker).awaitSync, (*walker).readAccounts, (*walker).readTransactions,
				(*walker).reconnect,
			} {
				require.NoError(t, attempt(func() { step(w, t.Context()) }))
			}
			assert.Contains(t, shown.String(), pages)
		})
	}
	t.Run("an unknown persona ends the walk", func(t *testing.T) {
		t.Parallel()
		_, err := demo(t, "-base-url", url, "-persona", "nobody")
		assert.ErrorContains(t, err, "has no choice persona=nobody")
	})
	t.Run("a persona without contracts cancels a stand-in", func(t *testing.T) {
		t.Parallel()
		shown, err := demo(t, "-base-url", url, "-persona", "newcomer")
		require.NoError(t, err)
		assert.Contains(t, shown, "0 contracts, the most expensive first; 0 can be cancelled")
		assert.Contains(t, shown, "✓ Vidorama has received the letter")
		assert.Contains(t, shown, "inbox   the address is not known here")
	})
	t.Run("another stack's inbox ends the walk", func(t *testing.T) {
		t.Parallel()
		other := httptest.NewServer(
			http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"emails":[]}`) }),
		)
		t.Cleanup(other.Close)
		_, err := demo(t, "-base-url", url, "-inbox", other.URL)
		assert.EqualError(t, err, "the letter is not in the inbox at "+other.URL+"; DATA_DIR must be the data folder of the stack at "+url)
	})
	t.Run("an unknown bank ends the walk", func(t *testing.T) {
		t.Parallel()
		_, err := demo(t, "-base-url", url, "-bank", "nowhere")
		assert.ErrorContains(t, err, `no active bank has a word that starts with "nowhere"`)
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

// reader refuses requests that change something.
type reader struct{ *testing.T }

func (r reader) RoundTrip(req *http.Request) (*http.Response, error) {
	assert.True(r, req.Method == http.MethodGet || req.URL.Path == "/oauth2/token", "%s %s", req.Method, req.URL)
	return http.DefaultTransport.RoundTrip(req)
}

func testWalker(t *testing.T, url string) *walker {
	t.Helper()
	return &walker{
		options: options{baseURL: url, bank: "linden"}, screen: newScreen(io.Discard, false, time.Now),
		partner: &partner.Client{
			HTTP: http.DefaultClient, BaseURL: url, Vars: map[string]string{},
		},
	}
}

func TestSmokeFindsOutWhetherThereIsASandbox(t *testing.T) {
	t.Parallel()
	for answer, sandbox := range map[int]bool{http.StatusOK: true, http.StatusNotFound: false} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(answer)
			_, _ = io.WriteString(w, `{"code":"not_found"}`)
		}))
		t.Cleanup(server.Close)
		found, err := testWalker(t, server.URL).hasSandbox(t.Context())
		require.NoError(t, err)
		assert.Equal(t, sandbox, found)
	}
}

func TestDemoTellsWhatToStart(t *testing.T) {
	t.Parallel()
	url := "http://localhost:" + strconv.Itoa(freePort(t))
	shown, err := demo(t, "-base-url", url)
	assert.Empty(t, shown)
	assert.EqualError(t, err, "nothing answers at "+url+"; start the service in another terminal first: make run")
}

func TestDemoFailsOnAnswersThatAreNotDocumented(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	_, err := demo(t, "-base-url", other.URL)
	assert.ErrorContains(t, err, "GET /.well-known/jwks.json answered 404: the document does not have this status")
}

func TestInboxIsThatOfTheDataFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	from := func(name string) string { return map[string]string{"DATA_DIR": folder}[name] }
	assert.Empty(t, inbox(from))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "inbox"), []byte("http://127.0.0.1:1\n"), 0o600))
	assert.Equal(t, "http://127.0.0.1:1", inbox(from))
}

func TestPeriod(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]period{
		"P1Y": {"P1M", 12}, "P2Y": {"P1M", 24}, "P6M": {"P1M", 6}, "P1D": {"P1D", 1}, "P90D": {"P90D", 1},
	} {
		var p period
		require.NoError(t, p.Set(text))
		assert.Equal(t, want, p, text)
	}
	for _, text := range []string{"", "1Y", "P", "P0D", "P1W", "P1Y6M", "P100D", "-P1D"} {
		assert.Error(t, new(period).Set(text), text)
	}
}

// A consent that ends while time passes is said in words, and its last day is the bank's.
func TestWhatHappenedIsSaidInWords(t *testing.T) {
	t.Parallel()
	w := &walker{
		ending: ending{target: target{company: "Vidorama"}},
		others: []ending{{target: target{company: "Nur Fax"}, created: gjson.Parse(`{"cancellationId":"f"}`)}},
	}
	for event, want := range map[string]string{
		`{"eventType":"connection.refreshed"}`:                                                   "",
		`{"eventType":"connection.expiring","data":{"consentExpiresAt":"2027-05-23T00:00:00Z"}}`: "a notice says that the consent ends on 2027-05-22",
		`{"eventType":"connection.expired"}`:                                                     "the consent has ended",
		`{"eventType":"cancellation.sent","data":{"cancellationId":"f","channel":"Fax"}}`:        "the letter to Nur Fax has left (Fax)",
		`{"eventType":"cancellation.delivered","data":{"cancellationId":"v"}}`:                   "the letter to Vidorama has arrived",
		`{"eventType":"connection.revoked"}`:                                                     "event connection.revoked",
	} {
		assert.Equal(t, want, w.inWords(gjson.Parse(event)))
	}
}

func TestAwaitSyncIsBounded(t *testing.T) {
	t.Parallel()
	never := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"data":{"connection":{"connectionStatus":"Active"}}}`)
	}))
	t.Cleanup(never.Close)
	w := &walker{
		options: options{syncWithin: 20 * time.Millisecond, askEvery: time.Millisecond},
		screen:  newScreen(io.Discard, false, time.Now),
		partner: &partner.Client{HTTP: http.DefaultClient, BaseURL: never.URL},
	}
	err := attempt(func() { w.awaitSync(t.Context()) })
	assert.EqualError(t, err, "the accounts have not been read within 20ms")
}

// demo runs the command and returns its output.
func demo(t *testing.T, args ...string) (string, error) {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "screen"))
	require.NoError(t, err)
	nowhere := func(name string) string { return map[string]string{"DATA_DIR": t.TempDir()}[name] }
	failed := run(append([]string{"-pass", "P1D"}, args...), nowhere, out)
	require.NoError(t, out.Close())
	shown, err := os.ReadFile(out.Name())
	require.NoError(t, err)
	return string(shown), failed
}

// eventCounts returns how often the server of a walk received which event.
func eventCounts(t *testing.T, shown string) map[string]string {
	t.Helper()
	counts := map[string]string{}
	for _, found := range regexp.MustCompile(`(?m)^ +([a-z]+\.[a-z_]+) +(\d+)$`).FindAllStringSubmatch(shown, -1) {
		counts[found[1]] = found[2]
	}
	require.Greater(t, len(counts), len(expected()))
	return counts
}

// commands returns the commands in the demo's output: NAME=…, curl … and loops, whose
// further lines are indented.
func commands(shown string) string {
	isCommand := regexp.MustCompile(`^    ([A-Z_]+=|curl |for |done|  )`)
	var script strings.Builder
	for line := range strings.Lines(shown) {
		if isCommand.MatchString(line) {
			script.WriteString(strings.TrimPrefix(line, "    "))
		}
	}
	return script.String()
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
// addresses of the service and of the inbox, and the folder of its data.
func startStack(t *testing.T) (url, inbox, dataDir string) {
	t.Helper()
	debug.SetGCPercent(400) // all functions are in this process; collecting took a seventh of its time
	port := freePort(t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	dataDir = t.TempDir() // before the clean-up below, so that it goes after it
	ready, printed := io.Pipe()
	go func() {
		ended <- stack.Run(ctx, stack.Options{
			Port: port, DataDir: dataDir, InMemory: true, Template: "../../template.yaml",
			Functions: app.Functions(), Seed: app.SeedLocal, Getenv: os.Getenv, Console: printed,
		})
		_ = printed.Close()
	}()
	t.Cleanup(func() {
		stop()
		assert.NoError(t, <-ended)
	})
	awaitReady(t, ready)
	address, err := os.ReadFile(filepath.Join(dataDir, "inbox"))
	require.NoError(t, err)
	return "http://localhost:" + strconv.Itoa(port), strings.TrimSpace(string(address)), dataDir
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

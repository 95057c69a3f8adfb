// Package journey runs the commands against the service at AVISO_BASE_URL, which has to be a
// local stack.
package journey

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso.example/cli/internal/command"
)

// machine has a configuration directory of its own, and a browser in which Anna sits.
type machine struct {
	t    *testing.T
	file string
	user string
}

// run runs a command that has to succeed, and returns what it prints.
func (m *machine) run(args ...string) string {
	m.t.Helper()
	var out bytes.Buffer
	m.do(m.t.Context(), strings.NewReader(""), &out, 0, args...)
	return out.String()
}

func (m *machine) do(ctx context.Context, in io.Reader, out io.Writer, want int, args ...string) {
	m.t.Helper()
	var said bytes.Buffer
	code := command.Run(ctx, command.System{
		In: in, Out: out, Err: &said, ConfigFile: m.file,
		Getenv: func(name string) string { return map[string]string{"AVISO_USER_ID": m.user}[name] },
		Browse: func(_ context.Context, address string) error { return approve(address) },
	}, args)
	require.Equal(m.t, want, code, "%v: %s", args, &said)
}

// approve shares Anna's accounts at the bank. The return to this machine shows a page.
func approve(link string) error {
	cookies, _ := cookiejar.New(nil)
	browser := &http.Client{Jar: cookies, Timeout: 20 * time.Second}
	page, err := browser.Get(link)
	if err != nil {
		return err
	}
	_ = page.Body.Close()
	back, err := browser.PostForm(page.Request.URL.String(), url.Values{
		"persona": {"anna"}, "decision": {"approve"}, "account[]": {"current", "savings", "card"},
	})
	if err != nil {
		return err
	}
	return back.Body.Close()
}

func loggedIn(t *testing.T) *machine {
	t.Helper()
	address := os.Getenv("AVISO_BASE_URL")
	require.NotEmpty(t, address, "set AVISO_BASE_URL to a local stack's address")
	m := &machine{t: t, file: filepath.Join(t.TempDir(), "config.json")}
	m.do(t.Context(), strings.NewReader(os.Getenv("AVISO_CLIENT_SECRET")+"\n"), io.Discard, 0,
		"login", "--base-url", address, "--client-id", os.Getenv("AVISO_CLIENT_ID"))
	return m
}

func read[T any](t *testing.T, text string) T {
	t.Helper()
	var value T
	require.NoError(t, json.Unmarshal([]byte(text), &value), text)
	return value
}

func TestJourney(t *testing.T) {
	m := loggedIn(t)
	type object = map[string]any
	m.user, _ = read[object](t, m.run("users", "create", "--language=de", "--json"))["userId"].(string)
	assert.Len(t, read[[]object](t, m.run("terms", "accept", "--json")), 3)
	bank, _ := read[[]object](t, m.run("providers", "search", "linden", "--json"))[0]["id"].(string)
	assert.Len(t, read[[]object](t, m.run("connect", bank, "--json")), 3)
	assert.Contains(t, m.run("accounts"), "Lindenmark")

	rows, err := csv.NewReader(strings.NewReader(m.run("transactions", "--csv"))).ReadAll()
	require.NoError(t, err)
	transactions := read[[]struct {
		Amount json.Number `json:"amount"`
	}](t, m.run("transactions", "--json"))
	assert.Greater(t, len(rows), 201, "more than a page")
	assert.Len(t, rows, len(transactions)+1)
	inCSV, inJSON := new(big.Rat), new(big.Rat)
	for i, transaction := range transactions {
		add(t, inCSV, rows[i+1][2])
		add(t, inJSON, transaction.Amount.String())
	}
	assert.Equal(t, inJSON.FloatString(10), inCSV.FloatString(10))

	assert.Contains(t, m.run("categories"), "HOUSING")
	assert.NotEmpty(t, read[[]object](t, m.run("insights", "--json")))

	assert.Contains(t, m.run("cancel", "nur", "fax"), "CUSTOMER_NUMBER")
	filled := []string{"cancel", "nur", "fax", "--signature=Anna Muster", "--field=NAME=Anna Muster", "--field=ADDRESS=Am Weg 1",
		"--field=ZIP=10115", "--field=CITY=Berlin", "--field=CUSTOMER_NUMBER=4711"}
	letter := filepath.Join(t.TempDir(), "letter.pdf")
	m.run(append(filled, "--dry-run", "--output="+letter)...)
	pdf, err := os.ReadFile(letter)
	require.NoError(t, err)
	assert.True(t, bytes.HasPrefix(pdf, []byte("%PDF")))
	assert.Equal(t, "Delivered", read[object](t, m.run(append(filled, "--json")...))["status"])

	assert.Equal(t, "Ready", read[object](t, m.run("clock", m.user, "--json"))["status"])
	assert.Equal(t, "Ready", read[object](t, m.run("clock", m.user, "--by=P2W", "--json"))["status"])

	assert.NotEmpty(t, read[object](t, m.run("users", "delete", m.user, "--yes", "--json"))["erasureId"])
}

func add(t *testing.T, sum *big.Rat, amount string) {
	t.Helper()
	value, ok := new(big.Rat).SetString(amount)
	require.True(t, ok, amount)
	sum.Add(sum, value)
}

func TestListen(t *testing.T) {
	t.Run("a local stack calls this machine", func(t *testing.T) { listens(t, "verified, attempt 1") })
	t.Run("without a tunnel, what was sent is read", func(t *testing.T) { listens(t, "read from the API, attempt 1", "--poll") })
}

func listens(t *testing.T, want string, flags ...string) {
	m := loggedIn(t)
	ctx, ctrlC := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		m.do(ctx, strings.NewReader(""), writer, 0,
			append([]string{"webhooks", "listen", "--port=0", "--events=webhook.ping"}, flags...)...)
		_ = writer.Close()
	}()
	lines, shown := make(chan string, 1000), ""
	go func() {
		buffer := make([]byte, 64<<10)
		for {
			n, err := reader.Read(buffer)
			if lines <- string(buffer[:n]); err != nil {
				return
			}
		}
	}()
	await := func(text string) {
		for timeout := time.After(time.Minute); !strings.Contains(shown, text); {
			select {
			case more := <-lines:
				shown += more
			case <-timeout:
				require.Fail(t, "not shown: "+text, shown)
			}
		}
	}
	await("Stop with Ctrl-C")
	subscription, _, _ := strings.Cut(strings.SplitAfterN(shown, "(subscription ", 2)[1], ")")
	m.run("webhooks", "trigger", "webhook.ping", "--subscription="+subscription)
	await("→ 200 acknowledged")
	assert.Contains(t, shown, want)
	assert.Eventually(t, func() bool {
		return strings.Contains(m.run("webhooks", "attempts", subscription), "Acknowledged")
	}, time.Minute, 200*time.Millisecond)
	ctrlC()
	await("Deleted subscription " + subscription)
	<-ended
}

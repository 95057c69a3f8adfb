package console

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"aviso/internal/aws/config"
	"aviso/internal/clock"
	"aviso/internal/notification"
	"aviso/internal/notification/webhook"
)

// outcomes returns all outcomes that the area has.
func outcomes(t *testing.T) (all []notification.Outcome) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../notification/call.go", nil, 0)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 1 && strings.HasPrefix(spec.Names[0].Name, "Outcome") {
			text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			require.NoError(t, err)
			all = append(all, notification.Outcome(text))
		}
		return true
	})
	require.GreaterOrEqual(t, len(all), 11)
	return all
}

func attemptThat(end notification.Outcome, status int, detail string) notification.Attempt {
	return notification.Attempt{Result: notification.Result{Outcome: end, HTTPStatus: status, Detail: detail}}
}

// Each outcome has words of its own, and whoever reads them knows what to do.
func TestAdviceOnEveryOutcome(t *testing.T) {
	t.Parallel()
	said := map[string]notification.Outcome{}
	for _, end := range outcomes(t) {
		a := adviceOn(attemptThat(end, 500, "the detail"))
		badge := outcomeBadge(attemptThat(end, 500, "the detail"))
		assert.NotEmpty(t, badge.Text, end)
		assert.NotContains(t, said, a.Why, "%s says the same as %s", end, said[a.Why])
		said[a.Why] = end
		if end == notification.OutcomeAcknowledged {
			assert.Equal(t, Good, badge.Tone)
			assert.Empty(t, a.Do)
			continue
		}
		assert.Equal(t, Bad, badge.Tone, end)
		assert.NotEmpty(t, a.Do, end)
	}
}

func TestWordsHaveOnlyNamesThatAreRead(t *testing.T) {
	t.Parallel()
	var w words
	d := yaml.NewDecoder(bytes.NewReader(wordsFile))
	d.KnownFields(true)
	require.NoError(t, d.Decode(&w))
	assert.True(t, w.Callbacks[len(w.Callbacks)-1].explains(notification.Attempt{}), "the last row is for all others")
}

func TestAdviceDependsOnWhatCameBack(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		attempt notification.Attempt
		why, do string
	}{
		{attemptThat(notification.OutcomeHTTPError, 401, ""), "refused the call", "Compare the secret"},
		{attemptThat(notification.OutcomeHTTPError, 404, ""), "nothing takes a POST", "Settings"},
		{attemptThat(notification.OutcomeHTTPError, 503, ""), "overloaded", "third attempt"},
		{attemptThat(notification.OutcomeHTTPError, 502, ""), "proxy", "health checks"},
		{attemptThat(notification.OutcomeHTTPError, 500, ""), "failed while it handled", "roll that back"},
		{attemptThat(notification.OutcomeHTTPError, 415, ""), "did not accept", "firewall"},
		{attemptThat(notification.OutcomeHTTPError, 204, ""), "only status 200", "status 200"},
		{attemptThat(notification.OutcomeInvalidAcknowledgement, 200, "timestamp is missing"), "timestamp is missing", "offset"},
		{attemptThat(notification.OutcomeInvalidAcknowledgement, 200, "the body is compressed"), "compressed", "compression off"},
		{attemptThat(notification.OutcomeTimeout, 0, "timed out before a connection was made"), "one minute", "firewall"},
		{attemptThat(notification.OutcomeTimeout, 0, "timed out before a response came"), "one minute", "Acknowledge as soon as"},
		{attemptThat(notification.OutcomeConnectionError, 0, "the connection was refused"), "Nothing answers", "listens"},
		{attemptThat(notification.OutcomeConnectionError, 0, "the connection closed before a response came"), "hung up", "crashed"},
		{attemptThat(notification.OutcomeConnectionError, 0, "The call was interrupted twice on our side."), "not your server's fault", "nothing to fix"},
		{attemptThat(notification.OutcomeConnectionError, 0, "the callback could not be signed"), "could not sign", "Create a secret"},
	} {
		a := adviceOn(test.attempt)
		assert.Contains(t, a.Why, test.why)
		assert.Contains(t, strings.Join(a.Do, "\n"), test.do, test.why)
	}
}

// Whoever missed an event of any type can read what it said.
func TestEveryEventTypeCanBeReadLater(t *testing.T) {
	t.Parallel()
	for _, kind := range notification.EventTypes() {
		text := missed(kind.Type)
		if kind.Type == "webhook.ping" {
			assert.Contains(t, text, "test call")
			continue
		}
		assert.NotContains(t, text, "test call", kind.Type)
	}
}

// The page shows the headers that a call has.
func TestRequestHeadersAreThoseThatAreSent(t *testing.T) {
	t.Parallel()
	got := make(chan http.Header, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- r.Header }))
	defer server.Close()
	client := webhook.New(webhook.Options{Stage: config.Local, Now: time.Now})
	at := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	client.Call(t.Context(), notification.Call{
		URL: server.URL, EventID: "e", At: clock.Real(at), Body: []byte("{}"),
		Keys: []notification.Key{"whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"},
	})
	sent := <-got
	for _, transport := range []string{"Content-Length", "Connection"} {
		sent.Del(transport)
	}
	shown := http.Header{}
	for line := range strings.SplitSeq(requestHeaders(notification.Attempt{EventID: "e", StartedAt: clock.Real(at)}), "\n") {
		name, value, _ := strings.Cut(line, ": ")
		shown.Set(name, value)
	}
	shown.Del("Traceparent") // the call of this test is part of no trace
	shown.Set("Webhook-Signature", sent.Get("Webhook-Signature"))
	assert.Equal(t, sent, shown)
}

func TestProbeQuotesTheAddress(t *testing.T) {
	t.Parallel()
	assert.Contains(t, probe("https://h.example/a'b?c=d&e", "id"), `'https://h.example/a'\''b?c=d&e'`)
}

package carrier

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/dispatch"
)

// newLetterClock returns a client whose sandbox gives the answers in turn, and the calls that the
// sandbox received. An answer that is empty is a failure.
func newLetterClock(t *testing.T, answers ...string) (c *LetterClock, calls *[]string) {
	t.Helper()
	calls = new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*calls = append(*calls, r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization")+" "+string(body))
		answer := answers[0]
		answers = answers[1:]
		if answer == "" {
			w.WriteHeader(http.StatusInternalServerError)
		}
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	c = NewLetterClock(SandboxOptions{
		Common: Common{Now: newClock().now}, BaseURL: server.URL + "/sandbox", Token: "secret-of-mail",
	})
	return c, calls
}

func TestLetterClock(t *testing.T) {
	t.Parallel()
	until := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	const call = "POST /sandbox/clock/letters Bearer secret-of-mail "

	t.Run("asks when a letter goes on", func(t *testing.T) {
		c, calls := newLetterClock(t, `{"nextDue":"2026-11-20T12:00:01Z"}`, `{}`)
		next, err := c.NextDue(t.Context(), []string{testCancellation})
		require.NoError(t, err)
		assert.Equal(t, time.Date(2026, 11, 20, 12, 0, 1, 0, time.UTC), next)
		next, err = c.NextDue(t.Context(), []string{testCancellation})
		require.NoError(t, err)
		assert.Zero(t, next, "none waits")
		assert.Equal(t, call+`{"references":["`+testCancellation+`"]}`, (*calls)[0])
	})
	t.Run("calls until all is done that is due", func(t *testing.T) {
		c, calls := newLetterClock(t, `{"nextDue":"2026-12-01T00:00:00Z"}`, `{"nextDue":"2026-12-01T00:00:01Z"}`)
		require.NoError(t, c.Advance(t.Context(), []string{testCancellation}, until))
		want := call + `{"references":["` + testCancellation + `"],"until":"2026-12-01T00:00:00Z"}`
		assert.Equal(t, []string{want, want}, *calls)
	})
	t.Run("does not call without letters", func(t *testing.T) {
		c, calls := newLetterClock(t)
		require.NoError(t, c.Advance(t.Context(), nil, until))
		assert.Empty(t, *calls)
	})
	t.Run("reports a failure", func(t *testing.T) {
		c, _ := newLetterClock(t, "", "soon")
		err := c.Advance(t.Context(), []string{testCancellation}, until)
		requireFailure(t, err, dispatch.CarrierUnclear)
		_, err = c.NextDue(t.Context(), []string{testCancellation})
		requireFailure(t, err, dispatch.CarrierUnclear)
	})
}

package blackbox_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// answering responds in the same way to every callback.
func answering(status int, body string) func(http.ResponseWriter, callback) bool {
	return func(w http.ResponseWriter, _ callback) bool {
		if status == http.StatusTemporaryRedirect {
			w.Header().Set("Location", "/elsewhere")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
		return true
	}
}

// A callback that is not acknowledged is retried twice, with new signatures, and then
// dropped. The attempts say what was wrong.
func TestFailingReceivers(t *testing.T) {
	require.Equal(t, "1s,2s", service.retries, "run the stack at %s with RETRY_DELAYS=1s,2s, and the tests, too", service.baseURL)
	p := newPartner(t, "sandbox-2")
	for name, tt := range map[string]struct {
		respond func(http.ResponseWriter, callback) bool
		outcome string
		detail  string
		status  int
	}{
		"an error":                {answering(500, "eCh0"), "HttpError", "", 500},
		"a wrong signature":       {answering(401, ""), "HttpError", "", 401},
		"another success":         {answering(204, ""), "HttpError", "", 204},
		"nothing":                 {answering(200, ""), "InvalidAcknowledgement", "the body is empty", 200},
		"an acknowledgement cut":  {answering(200, `{"isAcknowledged":true}`), "InvalidAcknowledgement", "timestamp is missing", 200},
		"a refusal":               {answering(200, `{"isAcknowledged":false,"timestamp":"2026-03-02T12:00:00Z"}`), "NotAcknowledged", "isAcknowledged is false", 200},
		"an address to go on to":  {answering(307, ""), "RedirectRefused", "", 307},
		"more than can be wanted": {answering(200, string(make([]byte, 1<<20))), "ResponseTooLarge", "", 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newReceiver(t, tt.respond)
			path, _ := p.subscribe(t, r, "webhook.ping")
			id := p.ping(t, path)
			all := p.untilAttempts(t, path, 3)
			require.Len(t, all, 3)
			for i, a := range all {
				assert.Equal(t, id, a.EventID)
				assert.Equal(t, 3-i, a.AttemptNumber, "the newest first")
				assert.Equal(t, tt.outcome, a.Outcome)
				if tt.detail != "" {
					assert.Equal(t, tt.detail, a.Detail)
				}
				assert.NotContains(t, a.Detail, "eCh0")
				require.NotNil(t, a.HTTPStatus)
				assert.Equal(t, tt.status, *a.HTTPStatus)
				if i == 0 {
					assert.Nil(t, a.NextAttemptAt, "it is given up")
					continue
				}
				require.NotNil(t, a.NextAttemptAt)
				assert.False(t, all[i-1].StartedAt.Before(*a.NextAttemptAt), "attempt %d came too early", a.AttemptNumber+1)
				assert.GreaterOrEqual(t, a.NextAttemptAt.Sub(a.StartedAt), time.Duration(a.AttemptNumber)*time.Second)
			}
			got := r.all(event(id))
			require.Len(t, got, 3)
			mailed(t, "on-call@partner.example", strings.TrimPrefix(path, webhookSubscriptions+"/"))
			assert.Equal(t, got[0].body, got[2].body)
			assert.NotEqual(t, got[0].header.Get("webhook-timestamp"), got[2].header.Get("webhook-timestamp"))
			assert.NotEqual(t, got[0].signatures(), got[2].signatures())
		})
	}
	t.Run("an error, and then an acknowledgement", func(t *testing.T) {
		t.Parallel()
		var first sync.Once
		r := newReceiver(t, func(w http.ResponseWriter, _ callback) (failed bool) {
			first.Do(func() { failed = answering(503, "")(w, callback{}) })
			return failed
		})
		path, _ := p.subscribe(t, r, "webhook.ping")
		p.ping(t, path)
		all := p.untilAttempts(t, path, 2)
		assert.Equal(t, []string{"Acknowledged", "HttpError"}, []string{all[0].Outcome, all[1].Outcome})
		assert.Nil(t, all[0].NextAttemptAt)
	})
	t.Run("nobody", func(t *testing.T) {
		t.Parallel()
		r := newReceiver(t, nil)
		r.url = "http://127.0.0.1:1/"
		path, _ := p.subscribe(t, r, "webhook.ping")
		p.ping(t, path)
		for _, a := range p.untilAttempts(t, path, 3) {
			assert.Equal(t, "ConnectionError", a.Outcome)
			assert.Nil(t, a.HTTPStatus)
		}
	})
}

// mailed requires that somebody gets one mail with a text.
func mailed(t *testing.T, to, text string) {
	t.Helper()
	eventually(t, func() bool {
		found := slices.DeleteFunc(inbox(t), func(m mail) bool {
			return !slices.Contains(m.Destination.To, to) || !strings.Contains(m.Body.Text, text)
		})
		return len(found) == 1
	}, patience, 100*time.Millisecond, "the partner does not get a mail about it")
}

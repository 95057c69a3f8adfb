package listen

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	eventID = "1f0d8a52-5a3c-4c39-9f3e-0f6f1f9d8c11"
	ping    = `{"eventId":"` + eventID + `","eventType":"webhook.ping","isSimulated":true,"data":{"message":"hello"}}`
)

func key(text string) string { return "whsec_" + base64.StdEncoding.EncodeToString([]byte(text)) }

// signed is a callback as the service sends it.
func signed(t *testing.T, secret, body string, at time.Time) *http.Request {
	t.Helper()
	return signedAs(t, eventID, secret, body, at)
}

func signedAs(t *testing.T, id, secret, body string, at time.Time) *http.Request {
	t.Helper()
	signer, err := standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)
	signature, err := signer.Sign(id, at, []byte(body))
	require.NoError(t, err)
	req := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	req.Header.Set("webhook-id", id)
	req.Header.Set("webhook-timestamp", strconv.FormatInt(at.Unix(), 10))
	req.Header.Set("webhook-signature", signature)
	return req
}

// listener is a receiver with what it has shown.
type listener struct {
	*receiver
	shown strings.Builder
}

func newListener(t *testing.T, keys string, b behaviour) *listener {
	t.Helper()
	v, err := newVerifier(keys)
	require.NoError(t, err)
	l := &listener{}
	l.receiver = newReceiver(v, Options{behaviour: b}, &screen{out: &l.shown}, time.Now)
	return l
}

func (l *listener) answer(req *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	l.ServeHTTP(w, req)
	return w
}

func TestCallback(t *testing.T) {
	t.Parallel()
	t.Run("is acknowledged and shown", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			l := newListener(t, key("one"), behaviour{})
			w := l.answer(signed(t, key("one"), ping, time.Now()))
			assert.Equal(t, http.StatusOK, w.Code)
			assert.Equal(t, "application/json", w.Header().Get("Content-Type"))
			assert.JSONEq(t, `{"isAcknowledged":true,"timestamp":"2000-01-01T00:00:00Z"}`, w.Body.String())
			assert.Equal(t, "\n"+time.Now().Format("15:04:05")+`  webhook.ping  1f0d8a52-5a3c-4c39-9f3e-0f6f1f9d8c11  simulated
          verified, attempt 1
          {
            "eventId": "1f0d8a52-5a3c-4c39-9f3e-0f6f1f9d8c11",
            "eventType": "webhook.ping",
            "isSimulated": true,
            "data": {
              "message": "hello"
            }
          }
          → 200 acknowledged (0s)
`, l.shown.String())
		})
	})
	t.Run("that arrives again counts as the next attempt", func(t *testing.T) {
		t.Parallel()
		l := newListener(t, key("one"), behaviour{})
		for range 3 {
			assert.Equal(t, http.StatusOK, l.answer(signed(t, key("one"), ping, time.Now())).Code)
		}
		assert.Contains(t, l.shown.String(), "verified, attempt 3: this eventId has arrived before")
	})
	t.Run("is verified with any of the keys", func(t *testing.T) {
		t.Parallel()
		l := newListener(t, key("one")+" "+key("two"), behaviour{})
		assert.Equal(t, http.StatusOK, l.answer(signed(t, key("two"), ping, time.Now())).Code)
		assert.Contains(t, l.shown.String(), "verified with key 2 of 2")
	})
	for name, c := range map[string]struct {
		secret string
		at     time.Duration
		spoil  func(*http.Request)
		why    string
	}{
		"with another key":    {secret: key("two"), why: "no signature matches"},
		"old":                 {at: -6 * time.Minute, why: "signed more than 5 minutes ago"},
		"from the future":     {at: 6 * time.Minute, why: "signed more than 5 minutes in the future"},
		"without a signature": {spoil: func(r *http.Request) { r.Header.Del("webhook-signature") }, why: "webhook-signature is missing"},
		"without a time":      {spoil: func(r *http.Request) { r.Header.Set("webhook-timestamp", "now") }, why: "not a number"},
	} {
		t.Run("that is "+name+" is refused, with the reason shown", func(t *testing.T) {
			t.Parallel()
			l := newListener(t, key("one"), behaviour{fault: reject})
			secret := key("one")
			if c.secret != "" {
				secret = c.secret
			}
			req := signed(t, secret, ping, time.Now().Add(c.at))
			if c.spoil != nil {
				c.spoil(req)
			}
			w := l.answer(req)
			assert.Equal(t, http.StatusUnauthorized, w.Code)
			assert.Empty(t, w.Body.String())
			assert.Contains(t, l.shown.String(), "NOT verified: ")
			assert.Contains(t, l.shown.String(), c.why)
			assert.Contains(t, l.shown.String(), "→ 401 rejected, not acknowledged")
			assert.NotContains(t, l.shown.String(), "attempt")
		})
	}
	t.Run("that is not JSON cannot control the terminal", func(t *testing.T) {
		t.Parallel()
		l := newListener(t, key("one"), behaviour{})
		l.answer(signed(t, key("one"), "\x1b[2J\u009b2J", time.Now()))
		l.answer(signed(t, key("one"), "\"\u009b2J\"", time.Now()))
		assert.Contains(t, l.shown.String(), `(no eventType)  (no eventId)`)
		assert.Contains(t, l.shown.String(), `not JSON: "\x1b[2J\u009b2J"`)
		assert.NotContains(t, l.shown.String(), "\x1b")
		assert.NotContains(t, l.shown.String(), "\u009b")
	})
	t.Run("that is too large is refused", func(t *testing.T) {
		t.Parallel()
		l := newListener(t, key("one"), behaviour{})
		w := l.answer(signed(t, key("one"), strings.Repeat(" ", maxBody+1), time.Now()))
		assert.Equal(t, http.StatusBadRequest, w.Code)
	})
	t.Run("comes by POST", func(t *testing.T) {
		t.Parallel()
		l := newListener(t, key("one"), behaviour{})
		w := l.answer(httptest.NewRequest(http.MethodPut, "/", http.NoBody))
		assert.Equal(t, http.StatusMethodNotAllowed, w.Code)
		assert.Equal(t, "GET, HEAD, POST", w.Header().Get("Allow"))
	})
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for fault, want := range map[fault]struct {
		status     int
		body, text string
	}{
		fail:   {http.StatusInternalServerError, "", "→ 500 not acknowledged (--fail)"},
		badAck: {http.StatusOK, `{"isAcknowledged":true}`, "→ 200 acknowledged without a timestamp (--bad-ack)"},
		reject: {http.StatusOK, `{"isAcknowledged":false,"timestamp":"2000-01-01T00:00:00Z"}`, "→ 200 isAcknowledged is false (--reject)"},
		hang: {http.StatusOK, `{"isAcknowledged":true,"timestamp":"2000-01-01T00:01:01Z"}`,
			"→ 200 acknowledged too late (--hang) (1m1s)"},
	} {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				l := newListener(t, key("one"), behaviour{fault: fault})
				w := l.answer(signed(t, key("one"), ping, time.Now()))
				assert.Equal(t, want.status, w.Code)
				assert.Equal(t, want.body, strings.TrimSpace(w.Body.String()))
				assert.Contains(t, l.shown.String(), want.text)
			})
		})
	}
	t.Run("hang ends when the caller gives up", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			l := newListener(t, key("one"), behaviour{fault: hang})
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			w := l.answer(signed(t, key("one"), ping, time.Now()).WithContext(ctx))
			assert.Equal(t, http.StatusServiceUnavailable, w.Code)
			assert.Contains(t, l.shown.String(), "waiting 1m1s before responding (--hang)")
			assert.Contains(t, l.shown.String(), "the caller gave up after 1m0s")
		})
	})
	t.Run("end after the requested number of times per event", func(t *testing.T) {
		t.Parallel()
		l := newListener(t, key("one"), behaviour{fault: fail, times: 2})
		for _, want := range []int{500, 500, 200, 200} {
			assert.Equal(t, want, l.answer(signed(t, key("one"), ping, time.Now())).Code)
		}
		assert.Equal(t, 500, l.answer(signedAs(t, "another", key("one"), ping, time.Now())).Code)
	})
}

func TestForward(t *testing.T) {
	t.Parallel()
	t.Run("hands a genuine callback on as it came, and its answer back", func(t *testing.T) {
		t.Parallel()
		v, err := newVerifier(key("one"))
		require.NoError(t, err)
		receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if genuine, how := v.verify(body, r.Header); !genuine {
				t.Error(how)
			}
			w.WriteHeader(http.StatusTeapot)
			_, _ = io.WriteString(w, `{"mine":true}`)
		}))
		t.Cleanup(receiver.Close)
		l := newListener(t, key("one"), behaviour{fault: fail, times: 1})
		l.forwardTo = receiver.URL
		assert.Equal(t, http.StatusInternalServerError, l.answer(signed(t, key("one"), ping, time.Now())).Code)
		w := l.answer(signed(t, key("one"), ping, time.Now()))
		assert.Equal(t, http.StatusTeapot, w.Code)
		assert.JSONEq(t, `{"mine":true}`, w.Body.String())
		assert.Contains(t, l.shown.String(), "→ 418 answered by "+receiver.URL)
	})
	t.Run("says so if nobody answers", func(t *testing.T) {
		t.Parallel()
		gone := httptest.NewServer(http.NotFoundHandler())
		gone.Close()
		l := newListener(t, key("one"), behaviour{})
		l.forwardTo = gone.URL
		assert.Equal(t, http.StatusBadGateway, l.answer(signed(t, key("one"), ping, time.Now())).Code)
		assert.Contains(t, l.shown.String(), gone.URL+" did not answer")
	})
	t.Run("keeps what is not genuine away", func(t *testing.T) {
		t.Parallel()
		receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("was called") }))
		t.Cleanup(receiver.Close)
		l := newListener(t, key("one"), behaviour{})
		l.forwardTo = receiver.URL
		assert.Equal(t, http.StatusUnauthorized, l.answer(signed(t, key("two"), ping, time.Now())).Code)
	})
}

func TestLines(t *testing.T) {
	t.Parallel()
	l := newListener(t, key("one"), behaviour{})
	l.screen.json = true
	l.answer(signed(t, key("one"), ping, time.Now()))
	l.answer(signed(t, key("two"), "\x1b", time.Now()))
	lines := strings.Split(strings.TrimSpace(l.shown.String()), "\n")
	require.Len(t, lines, 2)
	assert.Contains(t, lines[0], `"isVerified":true`)
	assert.Contains(t, lines[0], `"eventType":"webhook.ping"`)
	assert.Contains(t, lines[1], `"isVerified":false`)
	assert.NotContains(t, lines[1], "\x1b")
}

func TestPage(t *testing.T) {
	t.Parallel()
	t.Run("tells a user who returns from the bank how it went", func(t *testing.T) {
		t.Parallel()
		l := newListener(t, key("one"), behaviour{})
		w := l.answer(httptest.NewRequest(http.MethodGet, "/?connectionId=c-1&status=success", http.NoBody))
		assert.Equal(t, http.StatusOK, w.Code)
		assert.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"))
		assert.Contains(t, w.Body.String(), "<h1>Welcome back</h1>")
		assert.Contains(t, w.Body.String(), "<dd>c-1</dd>")
		assert.Contains(t, w.Body.String(), "<dd>success</dd>")
		assert.Contains(t, l.shown.String(), "connectionId c-1, status success")
	})
	t.Run("speaks the browser's language, and says how it went", func(t *testing.T) {
		t.Parallel()
		l := newListener(t, key("one"), behaviour{})
		for status, want := range map[string]string{
			"success": "Ihre Bank ist verbunden.", "cancelled": "Sie haben abgebrochen. Es wurde nichts verbunden.",
			"failed": "Ihre Bank konnte nicht verbunden werden.",
		} {
			req := httptest.NewRequest(http.MethodGet, "/?connectionId=c-1&status="+status, http.NoBody)
			req.Header.Set("Accept-Language", "de-AT,de;q=0.9,en;q=0.5")
			w := l.answer(req)
			assert.Equal(t, "de", w.Header().Get("Content-Language"))
			assert.Contains(t, w.Body.String(), `<html lang="de">`)
			assert.Contains(t, w.Body.String(), "<h1>Willkommen zurück</h1>")
			assert.Contains(t, w.Body.String(), want)
			assert.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'")
		}
	})
	t.Run("escapes the query in HTML", func(t *testing.T) {
		t.Parallel()
		l := newListener(t, key("one"), behaviour{})
		w := l.answer(httptest.NewRequest(http.MethodGet, "/?connectionId=%3Cscript%3E&status=%3Cb%3E", http.NoBody))
		assert.Contains(t, w.Body.String(), "<dd>&lt;script&gt;</dd>")
		assert.NotContains(t, w.Body.String(), "<script>")
		assert.NotContains(t, w.Body.String(), "<b>")
	})
	t.Run("explains itself to a visitor who does not come from a bank", func(t *testing.T) {
		t.Parallel()
		l := newListener(t, key("one"), behaviour{})
		w := l.answer(httptest.NewRequest(http.MethodGet, "/", http.NoBody))
		assert.Contains(t, w.Body.String(), "<h1>This is a webhook receiver</h1>")
		assert.NotContains(t, w.Body.String(), "<dt>")
		assert.Empty(t, l.shown.String())
	})
	t.Run("has no icon", func(t *testing.T) {
		t.Parallel()
		l := newListener(t, key("one"), behaviour{})
		assert.Equal(t, http.StatusNotFound, l.answer(httptest.NewRequest(http.MethodGet, "/favicon.ico", http.NoBody)).Code)
	})
}

func TestWords(t *testing.T) {
	t.Parallel()
	var all map[string]words
	require.NoError(t, json.Unmarshal(wordsJSON, &all))
	assert.Len(t, all, 13)
	for language, texts := range all {
		for _, name := range []string{"title", "text", "success", "cancelled", "failed"} {
			assert.NotEmpty(t, texts[name], "%s in %s", name, language)
		}
	}
}

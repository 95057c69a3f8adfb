package replydesk_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/replydesk"
)

const id = "0196f1de-6c1b-7c55-9a0e-3d5c7a1f2b44"

// service returns a status and records the replies it receives.
type service struct {
	status int
	told   []map[string]string
	token  string
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body map[string]string
	if r.URL.Path != "/carriers/v1/replies" || json.NewDecoder(r.Body).Decode(&body) != nil {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	s.told, s.token = append(s.told, body), r.Header.Get("Authorization")
	w.WriteHeader(s.status)
}

func newDesk(t *testing.T, status int) (http.Handler, *service) {
	t.Helper()
	s := &service{status: status}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return replydesk.New(replydesk.Options{BaseURL: server.URL, Token: "secret", Log: slog.New(slog.DiscardHandler)}), s
}

func post(h http.Handler, fields url.Values) *httptest.ResponseRecorder {
	req := httptest.NewRequest(http.MethodPost, replydesk.Path, strings.NewReader(fields.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return w
}

func get(h http.Handler, target string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
	return w
}

func TestForm(t *testing.T) {
	h, _ := newDesk(t, http.StatusNoContent)
	w := get(h, replydesk.Path+"?cancellation="+id)
	assert.Equal(t, http.StatusOK, w.Code)
	assert.Contains(t, w.Body.String(), `value="`+id+`"`)
	assert.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'")
	for _, value := range []string{"Confirmed", "UserNotFound", "InconsistentData", "AlreadyCancelled", "BindingPeriod"} {
		assert.Contains(t, w.Body.String(), `value="`+value+`"`)
	}

	t.Run("shows only a valid ID from the address", func(t *testing.T) {
		body := get(h, replydesk.Path+"?cancellation=%3Cscript%3E&done=%3Cscript%3E").Body.String()
		assert.NotContains(t, body, "script>")
	})

	t.Run("has no other methods", func(t *testing.T) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodDelete, replydesk.Path, nil))
		assert.Equal(t, http.StatusMethodNotAllowed, w.Code)
		assert.Equal(t, "GET, POST", w.Header().Get("Allow"))
	})
}

func TestAnswer(t *testing.T) {
	for value, want := range map[string]map[string]string{
		"Confirmed":     {"cancellationId": id, "status": "Confirmed", "statusReason": ""},
		"BindingPeriod": {"cancellationId": id, "status": "Rejected", "statusReason": "BindingPeriod"},
	} {
		t.Run(value, func(t *testing.T) {
			h, s := newDesk(t, http.StatusNoContent)
			w := post(h, url.Values{"cancellation": {id}, "answer": {value}})
			require.Equal(t, http.StatusSeeOther, w.Code)
			assert.Equal(t, []map[string]string{want}, s.told)
			assert.Equal(t, "Bearer secret", s.token)
			assert.Contains(t, get(h, w.Header().Get("Location")).Body.String(), "Done.")
		})
	}
	for name, tt := range map[string]struct {
		fields  url.Values
		service int
		want    int
	}{
		"no id": {url.Values{"answer": {"Confirmed"}}, http.StatusNoContent, http.StatusUnprocessableEntity},
		"an invalid ID": {url.Values{"cancellation": {"4711"}, "answer": {"Confirmed"}},
			http.StatusNoContent, http.StatusUnprocessableEntity},
		"no answer": {url.Values{"cancellation": {id}}, http.StatusNoContent, http.StatusUnprocessableEntity},
		"an unknown answer": {url.Values{"cancellation": {id}, "answer": {"Perhaps"}}, http.StatusNoContent,
			http.StatusUnprocessableEntity},
		"an unknown cancellation": {url.Values{"cancellation": {id}, "answer": {"Confirmed"}}, http.StatusNotFound, http.StatusNotFound},
		"a cancellation that cannot have a reply": {url.Values{"cancellation": {id}, "answer": {"Confirmed"}},
			http.StatusConflict, http.StatusConflict},
		"a service that rejects the reply": {url.Values{"cancellation": {id}, "answer": {"Confirmed"}},
			http.StatusUnauthorized, http.StatusBadGateway},
		"a form that is too large": {url.Values{"cancellation": {strings.Repeat("a", 9<<10)}},
			http.StatusNoContent, http.StatusBadRequest},
	} {
		t.Run("rejects "+name, func(t *testing.T) {
			h, s := newDesk(t, tt.service)
			w := post(h, tt.fields)
			assert.Equal(t, tt.want, w.Code)
			assert.Contains(t, w.Body.String(), `role="alert"`)
			assert.Equal(t, tt.service != http.StatusNoContent, len(s.told) > 0)
		})
	}

	t.Run("reports when the service is unreachable", func(t *testing.T) {
		h := replydesk.New(replydesk.Options{BaseURL: "http://127.0.0.1:1", Log: slog.New(slog.DiscardHandler)})
		assert.Equal(t, http.StatusBadGateway, post(h, url.Values{"cancellation": {id}, "answer": {"Confirmed"}}).Code)
	})
}

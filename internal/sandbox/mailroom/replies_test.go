package mailroom_test

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/mailroom/mailroomtest"
)

const id = "0196f1de-6c1b-7c55-9a0e-3d5c7a1f2b44"

// told is what the service was told.
type told struct {
	CancellationID string
	Mails          map[string]string
}

// service returns a status and records the replies it receives.
type service struct {
	status int
	told   []told
	token  string
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body told
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
	return desk(t, server.URL), s
}

// desk is that of the service at this address, with no letters.
func desk(t *testing.T, baseURL string) http.Handler {
	t.Helper()
	processor := *newEnv(t).Processor
	processor.Client, processor.BaseURL = mailroom.NewClient(), baseURL
	mux := http.NewServeMux()
	mailroom.HandlePages(&processor, mux, nil, "secret")
	return mux
}

func post(h http.Handler, fields url.Values) *httptest.ResponseRecorder {
	req := httptest.NewRequest(http.MethodPost, mailroom.ReplyPath, strings.NewReader(fields.Encode()))
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
	w := get(h, mailroom.ReplyPath+"?cancellation="+id)
	assert.Equal(t, http.StatusOK, w.Code)
	assert.Contains(t, w.Body.String(), `value="`+id+`"`)
	assert.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'")
	for _, value := range []string{"Confirmed", "UserNotFound", "InconsistentData", "AlreadyCancelled", "BindingPeriod"} {
		assert.Contains(t, w.Body.String(), `value="`+value+`"`)
	}

	t.Run("shows only a valid ID from the address", func(t *testing.T) {
		body := get(h, mailroom.ReplyPath+"?cancellation=%3Cscript%3E&done=%3Cscript%3E").Body.String()
		assert.NotContains(t, body, "script>")
	})

	t.Run("has no other methods", func(t *testing.T) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodDelete, mailroom.ReplyPath, nil))
		assert.Equal(t, http.StatusMethodNotAllowed, w.Code)
		assert.Equal(t, "GET, POST", w.Header().Get("Allow"))
	})
}

func TestAnswer(t *testing.T) {
	for value, want := range map[string]string{
		"Confirmed": "We confirm your cancellation.", "BindingPeriod": "the minimum term runs until", "AutoReply": "on leave",
	} {
		t.Run(value, func(t *testing.T) {
			h, s := newDesk(t, http.StatusNoContent)
			w := post(h, url.Values{"cancellation": {id}, "answer": {value}})
			require.Equal(t, http.StatusSeeOther, w.Code)
			require.Len(t, s.told, 1)
			assert.Equal(t, id, s.told[0].CancellationID)
			m, err := mail.ReadMessage(strings.NewReader(s.told[0].Mails["en"]))
			require.NoError(t, err)
			text, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, m.Body))
			require.NoError(t, err)
			assert.Contains(t, string(text), want)
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
		h := desk(t, "http://127.0.0.1:1")
		assert.Equal(t, http.StatusBadGateway, post(h, url.Values{"cancellation": {id}, "answer": {"Confirmed"}}).Code)
	})
}

// waiting is what the page lists for programs.
func waiting(t *testing.T, w *mailroomtest.Env) []string {
	t.Helper()
	rec := w.Do(t, "GET", mailroom.ReplyPath, map[string]string{"Accept": "application/json"}, nil)
	var list struct {
		Waiting []struct{ CancellationID string }
	}
	require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &list), rec.Body)
	ids := []string{}
	for _, l := range list.Waiting {
		ids = append(ids, l.CancellationID)
	}
	return ids
}

// The page lists what waits for an answer, with whole IDs, until it has one.
func TestWhatWaitsIsListed(t *testing.T) {
	w := newEnv(t)
	assert.Empty(t, waiting(t, w))
	assert.Contains(t, w.Do(t, "GET", mailroom.ReplyPath, nil, nil).Body.String(), "Nothing waits for an answer.")
	other := "0196f1de-6c1b-7c55-9a0e-3d5c7a1f2b55"
	letter := func(n, cancellation string, state mailroom.State) {
		t.Helper()
		l := mailroom.Letter{
			ID: "0196f1de-6c1b-7c55-9a0e-3d5c7a1f000" + n, Carrier: mailroom.Post, How: mailroom.Mail, State: state,
			To: "Stromwerk AG", CancellationID: cancellation, CreatedAt: w.Now(),
		}
		require.NoError(t, w.Store.Save(t.Context(), l))
	}
	letter("1", id, "sent")
	letter("2", id, "delivered")
	letter("3", other, "processing")
	letter("4", "", "delivered")
	assert.Equal(t, []string{id}, waiting(t, w), "once, and not before the organization can have the letter")
	page := w.Do(t, "GET", mailroom.ReplyPath, nil, nil).Body.String()
	assert.Contains(t, page, "<code>"+id+"</code>")
	assert.Contains(t, page, `href="/sandbox/replies?cancellation=`+id+`"`)
	assert.Contains(t, page, "Stromwerk AG")

	w.Answer = http.StatusConflict
	require.Equal(t, http.StatusConflict, w.Form(t, mailroom.ReplyPath, "cancellation", id, "answer", "Confirmed").Code)
	assert.Equal(t, []string{id}, waiting(t, w))
	w.Answer = http.StatusNoContent
	require.Equal(t, http.StatusSeeOther, w.Form(t, mailroom.ReplyPath, "cancellation", id, "answer", "BindingPeriod").Code)
	assert.Empty(t, waiting(t, w))
	page = w.Do(t, "GET", mailroom.PagePath, nil, nil).Body.String()
	assert.Equal(t, 2, strings.Count(page, "Rejected: binding period"))

	erased := "0196f1de-6c1b-7c55-9a0e-3d5c7a1f2b66"
	letter("7", erased, "sent")
	assert.Equal(t, []string{erased}, waiting(t, w))
	w.Answer = http.StatusNotFound
	require.Equal(t, http.StatusNotFound, w.Form(t, mailroom.ReplyPath, "cancellation", erased, "answer", "Confirmed").Code)
	assert.Empty(t, waiting(t, w), "a user who has been erased waits for nothing")

	letter("5", other, "undeliverable")
	assert.Empty(t, waiting(t, w), "a letter that came back leaves nothing to answer")
	letter("6", other, "sent")
	assert.Equal(t, []string{other}, waiting(t, w), "but the next channel does")
}

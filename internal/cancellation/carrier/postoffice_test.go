package carrier

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const testOrganisation = "b85c7b52-debb-4b15-b5db-d86b0a4e9bbf"

// postOffice simulates Pingen's API and refuses everything undocumented.
type postOffice struct {
	peer
	t   *testing.T
	url string
	now func() time.Time

	tokens  int
	life    int // of a token, in seconds
	token   string
	uploads map[string][]byte
	letters map[string]*postedLetter
	order   []string
	keys    map[string]string // Idempotency-Key to letter
	// born is the status of a new letter, and checked the next one, after the letter
	// has been read.
	born, checked string
	tracking      string
}

type postedLetter struct {
	status     string
	pdf        []byte
	attributes map[string]any
	sends      int
	gone       bool
}

func newPostOffice(t *testing.T, now func() time.Time) *postOffice {
	t.Helper()
	o := &postOffice{
		t: t, now: now, life: 43200, born: "valid", checked: "valid",
		uploads: map[string][]byte{}, letters: map[string]*postedLetter{}, keys: map[string]string{},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { o.serve(w, r, o.work) }))
	t.Cleanup(server.Close)
	o.url = server.URL
	return o
}

func (o *postOffice) carrier(edit ...func(*PostOptions)) *Post {
	options := PostOptions{
		Common: Common{Now: o.now, Transport: o.transport()}, BaseURL: o.url + "/post",
		IdentityURL: o.url + "/post/identity", OrganisationID: testOrganisation, ClientID: "client",
		ClientSecret: "secret-of-client", WebhookSecret: "secret-of-webhook", ReturnAddress: testReturnAddress,
	}
	for _, e := range edit {
		e(&options)
	}
	p, err := NewPost(options)
	require.NoError(o.t, err)
	return p
}

// only returns the only letter.
func (o *postOffice) only() *postedLetter {
	o.t.Helper()
	require.Len(o.t, o.letters, 1)
	return o.letters[o.order[0]]
}

func (o *postOffice) sends() (n int) {
	for _, l := range o.letters {
		n += l.sends
	}
	return n
}

func (o *postOffice) work(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if !assert.NoError(o.t, err) {
		return
	}
	path, _ := strings.CutPrefix(r.URL.Path, "/post")
	switch {
	case path == "/identity/auth/access-tokens":
		o.giveToken(w, r, body)
		return
	case strings.HasPrefix(path, "/upload/"):
		assert.Equal(o.t, http.MethodPut, r.Method)
		assert.Empty(o.t, r.Header.Get("Authorization"), "a signed address is its own credential")
		assert.Equal(o.t, "application/pdf", r.Header.Get("Content-Type"))
		o.uploads[o.url+r.URL.Path] = body
		w.WriteHeader(http.StatusOK)
		return
	}
	if r.Header.Get("Authorization") != "Bearer "+o.token || o.token == "" {
		asJSON(w, jsonAPI, http.StatusUnauthorized, map[string]any{"errors": []any{}})
		return
	}
	assert.Equal(o.t, []string{jsonAPI}, r.Header.Values("Accept"))
	if len(body) > 0 {
		assert.Equal(o.t, []string{jsonAPI}, r.Header.Values("Content-Type"))
	}
	letters := "/organisations/" + testOrganisation + "/deliveries/letters"
	switch id, action, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(path, letters), "/"), "/"); {
	case r.Method == http.MethodGet && path == "/file-upload":
		at := o.url + "/post/upload/" + uuid.NewString()
		asJSON(w, jsonAPI, 200, map[string]any{"data": map[string]any{
			"id": uuid.NewString(), "type": "file_uploads", "attributes": map[string]any{"url": at, "url_signature": "signed " + at},
		}})
	case r.Method == http.MethodPost && path == letters:
		o.create(w, r, body)
	case r.Method == http.MethodGet && action == "":
		o.answer(w, id, 200)
		if l := o.letters[id]; l != nil && l.status == o.born {
			l.status = o.checked
		}
	case r.Method == http.MethodPatch && action == "send":
		o.send(w, id, body)
	case r.Method == http.MethodPatch && action == "cancel":
		assert.Empty(o.t, body)
		o.cancel(w, id)
	case r.Method == http.MethodDelete && action == "":
		o.remove(w, id)
	default:
		assert.Fail(o.t, "not documented", "%s %s", r.Method, r.URL)
		w.WriteHeader(http.StatusNotFound)
	}
}

func (o *postOffice) giveToken(w http.ResponseWriter, r *http.Request, body []byte) {
	assert.Equal(o.t, http.MethodPost, r.Method)
	assert.Equal(o.t, "application/x-www-form-urlencoded", r.Header.Get("Content-Type"))
	form, err := url.ParseQuery(string(body))
	assert.NoError(o.t, err)
	assert.Equal(o.t, url.Values{
		"grant_type": {"client_credentials"}, "client_id": {"client"}, "client_secret": {"secret-of-client"}, "scope": {"letter"},
	}, form)
	o.tokens++
	o.token = fmt.Sprintf("token-%d", o.tokens)
	asJSON(w, "application/json", 200, map[string]any{"token_type": "Bearer", "expires_in": o.life, "access_token": o.token})
}

func (o *postOffice) create(w http.ResponseWriter, r *http.Request, body []byte) {
	var in struct {
		Data struct {
			ID         string         `json:"id"`
			Type       string         `json:"type"`
			Attributes map[string]any `json:"attributes"`
		} `json:"data"`
	}
	requireJSON(o.t, body, &in)
	assert.Equal(o.t, typeLetters, in.Data.Type)
	key := r.Header.Get("Idempotency-Key")
	assert.NotEmpty(o.t, key)
	assert.LessOrEqual(o.t, len(key), 64)
	if id := o.keys[key]; id != "" {
		w.Header().Set("Idempotent-Replayed", "true")
		asJSON(
			w, jsonAPI, 201,
			map[string]any{"data": map[string]any{"id": id, "type": "letters", "attributes": map[string]any{"status": o.born}}},
		)
		return
	}
	at, _ := in.Data.Attributes["file_url"].(string)
	pdf, uploaded := o.uploads[at]
	if !uploaded || in.Data.Attributes["file_url_signature"] != "signed "+at || in.Data.Attributes["auto_send"] != false {
		asJSON(w, jsonAPI, 422, map[string]any{"errors": []any{}})
		return
	}
	id := uuid.NewString()
	o.letters[id] = &postedLetter{status: o.born, pdf: pdf, attributes: in.Data.Attributes}
	o.order, o.keys[key] = append(o.order, id), id
	o.answer(w, id, 201)
}

func (o *postOffice) send(w http.ResponseWriter, id string, body []byte) {
	l := o.letters[id]
	if l == nil || l.gone {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	var in struct {
		Data struct {
			ID, Type   string
			Attributes map[string]any
		}
	}
	requireJSON(o.t, body, &in)
	assert.Equal(o.t, id, in.Data.ID)
	assert.Equal(o.t, typeLetters, in.Data.Type)
	for _, name := range []string{"delivery_product", "print_mode", "print_spectrum"} {
		assert.Equal(o.t, l.attributes[name], in.Data.Attributes[name])
	}
	assert.Equal(o.t, l.attributes["meta_data"], in.Data.Attributes["meta_data"])
	if l.status != "valid" {
		asJSON(w, jsonAPI, 422, map[string]any{"errors": []any{}})
		return
	}
	l.sends++
	l.status = "submitted"
	o.answer(w, id, 200)
}

func (o *postOffice) cancel(w http.ResponseWriter, id string) {
	switch l := o.letters[id]; {
	case l == nil || l.gone:
		w.WriteHeader(http.StatusNotFound)
	case l.status == "submitted":
		l.status = "cancelled"
		w.WriteHeader(http.StatusAccepted)
	default:
		w.WriteHeader(http.StatusUnprocessableEntity)
	}
}

func (o *postOffice) remove(w http.ResponseWriter, id string) {
	switch l := o.letters[id]; {
	case l == nil || l.gone:
		w.WriteHeader(http.StatusNotFound)
	case l.status == "sent" || l.status == "cancelling":
		w.WriteHeader(http.StatusForbidden)
	default:
		l.gone = true
		w.WriteHeader(http.StatusNoContent)
	}
}

func (o *postOffice) answer(w http.ResponseWriter, id string, status int) {
	l := o.letters[id]
	if l == nil || l.gone {
		asJSON(w, jsonAPI, http.StatusNotFound, map[string]any{"errors": []any{}})
		return
	}
	attributes := map[string]any{"status": l.status, "tracking_number": nil}
	if o.tracking != "" && l.sends > 0 {
		attributes["tracking_number"] = o.tracking
	}
	asJSON(w, jsonAPI, status, map[string]any{"data": map[string]any{"id": id, "type": "letters", "attributes": attributes}})
}

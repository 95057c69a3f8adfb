package carrier

import (
	"context"
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

	"aviso/internal/cancellation"
)

const testOrganisation = "b85c7b52-debb-4b15-b5db-d86b0a4e9bbf"

// postOffice plays Pingen's API and refuses whatever is not documented.
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
	// born is the status of a new letter, and checked the one that follows once
	// it was read.
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
		Common: Common{Now: o.now, Transport: o.transport()}, BaseURL: o.url + "/post", IdentityURL: o.url + "/post/identity",
		OrganisationID: testOrganisation, ClientID: "client", ClientSecret: "secret-of-client", WebhookSecret: "secret-of-webhook", ReturnAddress: testReturnAddress,
	}
	for _, e := range edit {
		e(&options)
	}
	p, err := NewPost(options)
	require.NoError(o.t, err)
	return p
}

// only is the one letter there is.
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
		asJSON(w, jsonAPI, 201, map[string]any{"data": map[string]any{"id": id, "type": "letters", "attributes": map[string]any{"status": o.born}}})
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

var testReturnAddress = cancellation.PostalAddress{
	Recipient: []string{"Aviso"}, Street: "Postfach 1", PostalCode: "8001", City: "Zürich", CountryCode: "CH",
}

var testAddress = cancellation.PostalAddress{
	Recipient: []string{"Strom AG", "Kundenservice"}, Street: "Musterallee 12 a",
	PostalCode: "10115", City: "Musterstadt", CountryCode: "DE",
}

func letterShipment(kind cancellation.ChannelKind) cancellation.Shipment {
	return newShipment(cancellation.Channel{Kind: kind, Address: testAddress})
}

func TestPostSends(t *testing.T) {
	t.Run("mail", func(t *testing.T) {
		o := newPostOffice(t, newClock().now)
		s := letterShipment(cancellation.ChannelMail)
		var noted string
		s.Note = func(_ context.Context, reference string) error {
			noted = reference
			assert.Zero(t, o.sends(), "the reference is noted before the letter is sent")
			return nil
		}

		receipt, err := o.carrier().Send(t.Context(), s)

		require.NoError(t, err)
		assert.Equal(t, cancellation.Receipt{Reference: o.order[0]}, receipt)
		assert.Equal(t, o.order[0], noted)
		l := o.only()
		assert.Equal(t, s.Document.PDF, l.pdf)
		assert.Equal(t, 1, l.sends)
		delete(l.attributes, "file_url")
		delete(l.attributes, "file_url_signature")
		assert.Equal(t, map[string]any{
			"file_original_name": testCancellation + "-Kuendigung.pdf", "address_position": "left", "auto_send": false,
			"delivery_product": "fast", "print_mode": "simplex", "print_spectrum": "grayscale",
		}, l.attributes)
	})

	t.Run("registered mail", func(t *testing.T) {
		o := newPostOffice(t, newClock().now)
		o.tracking = "98.00.123456.12345678"

		receipt, err := o.carrier().Send(t.Context(), letterShipment(cancellation.ChannelRegisteredMail))

		require.NoError(t, err)
		assert.Equal(t, "98.00.123456.12345678", receipt.TrackingNumber)
		l := o.only()
		assert.Equal(t, "registered", l.attributes["delivery_product"])
		assert.Equal(t, map[string]any{
			"recipient": map[string]any{
				"name": "Strom AG", "street": "Musterallee", "number": "12 a", "zip": "10115", "city": "Musterstadt", "country": "DE",
			},
			"sender": map[string]any{"name": "Aviso", "pobox": "Postfach 1", "zip": "8001", "city": "Zürich", "country": "CH"},
		}, l.attributes["meta_data"])
	})

	t.Run("no registered mail that could not come back", func(t *testing.T) {
		o := newPostOffice(t, newClock().now)
		p := o.carrier(func(o *PostOptions) { o.ReturnAddress = cancellation.PostalAddress{} })
		_, err := p.Send(t.Context(), letterShipment(cancellation.ChannelRegisteredMail))
		requireFailure(t, err, cancellation.CarrierRefused)
		assert.Zero(t, o.calls)
	})

	t.Run("no other channel", func(t *testing.T) {
		o := newPostOffice(t, newClock().now)
		_, err := o.carrier().Send(t.Context(), letterShipment(cancellation.ChannelFax))
		assert.Error(t, err)
		assert.Zero(t, o.calls)
	})
}

func TestPostWaitsUntilTheLetterIsChecked(t *testing.T) {
	o := newPostOffice(t, newClock().now)
	o.born, o.checked = "validating", "valid"
	p, s := o.carrier(), letterShipment(cancellation.ChannelMail)
	s.Note = func(_ context.Context, reference string) error { s.Reference = reference; return nil }

	_, err := p.Send(t.Context(), s)
	e := requireFailure(t, err, cancellation.CarrierBusy)
	assert.Equal(t, checkAgain, e.RetryAfter)
	require.NotEmpty(t, s.Reference)

	_, err = p.Send(t.Context(), s) // read once more while it is checked
	requireFailure(t, err, cancellation.CarrierBusy)
	receipt, err := p.Send(t.Context(), s)

	require.NoError(t, err)
	assert.Equal(t, s.Reference, receipt.Reference)
	assert.Equal(t, 1, o.only().sends)
}

func TestPostGoesOnByStatus(t *testing.T) {
	for status, want := range map[string]struct {
		failure cancellation.CarrierFailure // empty for a receipt
		sends   int
	}{
		"valid":      {"", 1},
		"validating": {cancellation.CarrierBusy, 0}, "fixing": {cancellation.CarrierBusy, 0},
		"submitted": {"", 0}, "awaiting_credits": {"", 0}, "accepted": {"", 0}, "inspection": {"", 0}, "processing": {"", 0},
		"printing": {"", 0}, "transferring": {"", 0}, "sent": {"", 0}, "delivered": {"", 0},
		"action_required": {cancellation.CarrierRefused, 0}, "invalid": {cancellation.CarrierRefused, 0},
		"unprintable": {cancellation.CarrierRefused, 0}, "rejected": {cancellation.CarrierRefused, 0},
		"expired": {cancellation.CarrierRefused, 0}, "cancelling": {cancellation.CarrierRefused, 0},
		"cancelled": {cancellation.CarrierRefused, 0}, "cancelled_expired": {cancellation.CarrierRefused, 0},
		"undeliverable": {cancellation.CarrierRefused, 0},
		"beamed":        {cancellation.CarrierUnclear, 0}, "": {cancellation.CarrierUnclear, 0},
	} {
		t.Run(status, func(t *testing.T) {
			o := newPostOffice(t, newClock().now)
			id := uuid.NewString()
			o.letters[id], o.born, o.checked = &postedLetter{status: status, attributes: map[string]any{
				"delivery_product": "fast", "print_mode": "simplex", "print_spectrum": "grayscale",
			}}, "none", "none"
			s := letterShipment(cancellation.ChannelMail)
			s.Reference, s.TriedAt = id, testNow
			s.Note = func(context.Context, string) error { assert.Fail(t, "noted before"); return nil }

			receipt, err := o.carrier().Send(t.Context(), s)

			assert.Equal(t, want.sends, o.sends())
			if want.failure != "" {
				requireFailure(t, err, want.failure)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, id, receipt.Reference)
		})
	}
}

func TestPostSendsNothingUnnoted(t *testing.T) {
	o := newPostOffice(t, newClock().now)
	o.born = "validating"
	p, s := o.carrier(), letterShipment(cancellation.ChannelMail)
	note := s.Note
	s.Note = func(context.Context, string) error { return errNotNoted }

	_, err := p.Send(t.Context(), s)
	assert.ErrorIs(t, requireFailure(t, err, cancellation.CarrierBusy), errNotNoted)
	assert.Zero(t, o.sends())

	s.Note = note
	o.only().status = "valid" // which the repeated answer does not know
	_, err = p.Send(t.Context(), s)
	require.NoError(t, err)
	assert.Equal(t, 1, o.only().sends, "the letter of the first try is the one that is sent")
}

func TestPostIdempotencyKeyThatIsSpent(t *testing.T) {
	for name, other := range map[string]*reply{
		"objects to another upload": {status: 409}, "is refused": {status: 422}, "is not understood": {status: 400},
		"repeats a failure": {status: 500, header: map[string]string{"Idempotent-Replayed": "true"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := newPostOffice(t, newClock().now)
			o.instead = func(_ int, r *http.Request) *reply {
				if r.Header.Get("Idempotency-Key") == testShipment {
					return other
				}
				return nil
			}

			_, err := o.carrier().Send(t.Context(), letterShipment(cancellation.ChannelMail))

			require.NoError(t, err)
			assert.Equal(t, 1, o.only().sends)
		})
	}
}

func TestPostFailures(t *testing.T) {
	isCreate := func(r *http.Request) bool {
		return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/letters")
	}
	isSend := func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/send") }
	run := func(t *testing.T, other *reply, which func(r *http.Request) bool, edit ...func(*PostOptions)) error {
		t.Helper()
		o := newPostOffice(t, newClock().now)
		o.instead = func(_ int, r *http.Request) *reply {
			if which(r) {
				return other
			}
			return nil
		}
		_, err := o.carrier(edit...).Send(t.Context(), letterShipment(cancellation.ChannelMail))
		assert.Zero(t, o.sends())
		return err
	}

	t.Run("before the letter is created", func(t *testing.T) {
		for name, which := range map[string]func(r *http.Request) bool{
			"token":          func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/access-tokens") },
			"upload address": func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/file-upload") },
			"upload":         func(r *http.Request) bool { return r.Method == http.MethodPut },
		} {
			t.Run(name, func(t *testing.T) {
				forEachStatus(t, func(t *testing.T, status int, _ cancellation.CarrierFailure) {
					requireFailure(t, run(t, &reply{status: status}, which), cancellation.CarrierBusy)
				})
				requireFailure(t, run(t, &reply{hangUp: true}, which), cancellation.CarrierBusy)
			})
		}
	})
	t.Run("when it is created", func(t *testing.T) {
		forEachStatus(t, func(t *testing.T, status int, want cancellation.CarrierFailure) {
			if want == cancellation.CarrierUnclear {
				want = cancellation.CarrierBusy // nothing is sent by it
			}
			requireFailure(t, run(t, &reply{status: status}, isCreate), want)
		})
		for _, body := range []string{
			``, `{`, `null`, `[]`, `{"data":[]}`, `{"data":{"id":"","type":"letters"}}`,
			`{"data":{"id":"../../x","type":"letters"}}`, `{"data":{"id":"a","type":"batches"}}`,
		} {
			requireFailure(t, run(t, &reply{status: 201, body: body}, isCreate), cancellation.CarrierBusy)
		}
	})
	t.Run("when it is sent", func(t *testing.T) {
		forEachStatus(t, func(t *testing.T, status int, want cancellation.CarrierFailure) {
			requireFailure(t, run(t, &reply{status: status}, isSend), want)
		})
		for _, body := range []string{``, `{`, `{"data":{"id":"5e0a3a0e-66a1-4a53-8a0c-92c2b7cf9c11","type":"letters"}}`} {
			requireFailure(t, run(t, &reply{status: 200, body: body}, isSend), cancellation.CarrierUnclear)
		}
		requireFailure(t, run(t, &reply{hangUp: true}, isSend), cancellation.CarrierUnclear)
	})
	t.Run("the carrier's wish to wait is kept", func(t *testing.T) {
		e := requireFailure(t, run(t, &reply{status: 429, header: map[string]string{"Retry-After": "7"}}, isSend), cancellation.CarrierBusy)
		assert.Equal(t, 7*time.Second, e.RetryAfter)
		e = requireFailure(t, run(t, &reply{status: 503, header: map[string]string{"Retry-After": testNow.Add(time.Minute).Format(http.TimeFormat)}}, isSend), cancellation.CarrierUnclear)
		assert.Equal(t, time.Minute, e.RetryAfter)
	})
	t.Run("an upload address that leads elsewhere", func(t *testing.T) {
		isUpload := func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/file-upload") }
		for _, at := range []string{"", "file:///etc/passwd", "/relative", "ftp://x.example/a", "http://user:pw@x.example/a", "://"} {
			body := fmt.Sprintf(`{"data":{"attributes":{"url":%q,"url_signature":"s"}}}`, at)
			requireFailure(t, run(t, &reply{status: 200, body: body}, isUpload), cancellation.CarrierBusy)
		}
	})
	t.Run("a reference that cannot be read leaves the letter unclear", func(t *testing.T) {
		forEachStatus(t, func(t *testing.T, status int, _ cancellation.CarrierFailure) {
			o := newPostOffice(t, newClock().now)
			o.instead = func(_ int, r *http.Request) *reply {
				if r.Method == http.MethodGet {
					return &reply{status: status}
				}
				return nil
			}
			s := letterShipment(cancellation.ChannelMail)
			s.Reference = uuid.NewString()
			_, err := o.carrier().Send(t.Context(), s)
			requireFailure(t, err, cancellation.CarrierUnclear)
		})
		s := letterShipment(cancellation.ChannelMail)
		s.Reference = "../letters"
		o := newPostOffice(t, newClock().now)
		_, err := o.carrier().Send(t.Context(), s)
		requireFailure(t, err, cancellation.CarrierUnclear)
		assert.Zero(t, o.calls)
	})
}

// A try may break off at any call, before or after the carrier has done its
// work; whatever the next tries are told, one letter is sent.
func TestPostSendsOnceWhereverATryBreaksOff(t *testing.T) {
	for _, born := range []string{"valid", "validating"} {
		for _, after := range []bool{false, true} {
			for n := 1; n <= 8; n++ {
				t.Run(fmt.Sprintf("%s letter, call %d, after its work %v", born, n, after), func(t *testing.T) {
					clock := newClock()
					o := newPostOffice(t, clock.now)
					o.born, o.checked = born, "valid"
					o.instead = func(call int, _ *http.Request) *reply {
						if call == n {
							return &reply{hangUp: true, after: after}
						}
						return nil
					}
					p, s := o.carrier(), letterShipment(cancellation.ChannelMail)
					s.Note = func(_ context.Context, reference string) error { s.Reference = reference; return nil }
					receipt := sendUntilTaken(t, p, &s, clock)
					assert.Equal(t, 1, o.sends())
					assert.Equal(t, 1, o.letters[receipt.Reference].sends)
				})
			}
		}
	}
}

// sendUntilTaken tries as the service does: it keeps what was noted, and when
// a try began that nobody knows the end of.
func sendUntilTaken(t *testing.T, c cancellation.Carrier, s *cancellation.Shipment, clock *testClock) cancellation.Receipt {
	t.Helper()
	for range 8 {
		began := clock.now()
		receipt, err := c.Send(t.Context(), *s)
		if err == nil {
			return receipt
		}
		var e *cancellation.CarrierError
		require.ErrorAs(t, err, &e)
		require.NotEqual(t, cancellation.CarrierRefused, e.Failure, "%v", err)
		if e.Failure == cancellation.CarrierUnclear && s.TriedAt.IsZero() {
			s.TriedAt = began
		}
		clock.pass(max(e.RetryAfter, time.Second))
	}
	require.Fail(t, "the letter was never taken")
	return cancellation.Receipt{}
}

func TestPostToken(t *testing.T) {
	t.Run("is kept until shortly before its end", func(t *testing.T) {
		clock := newClock()
		o := newPostOffice(t, clock.now)
		o.life = 600
		p := o.carrier()
		send := func() {
			s := letterShipment(cancellation.ChannelMail)
			s.ID = uuid.NewString()
			_, err := p.Send(t.Context(), s)
			require.NoError(t, err)
		}
		send()
		clock.pass(8 * time.Minute)
		send()
		assert.Equal(t, 1, o.tokens)
		clock.pass(time.Minute)
		send()
		assert.Equal(t, 2, o.tokens)
	})
	t.Run("that is not taken is replaced once", func(t *testing.T) {
		o := newPostOffice(t, newClock().now)
		p := o.carrier()
		_, err := p.Send(t.Context(), letterShipment(cancellation.ChannelMail))
		require.NoError(t, err)
		o.token = "changed"
		s := letterShipment(cancellation.ChannelMail)
		s.ID = uuid.NewString()
		_, err = p.Send(t.Context(), s)
		require.NoError(t, err)
		assert.Equal(t, 2, o.tokens)

		o.instead = func(_ int, r *http.Request) *reply {
			if strings.HasSuffix(r.URL.Path, "/access-tokens") {
				return nil
			}
			return &reply{status: 401}
		}
		before := o.calls
		s.ID = uuid.NewString()
		_, err = p.Send(t.Context(), s)
		requireFailure(t, err, cancellation.CarrierBusy)
		assert.Equal(t, 3, o.calls-before, "two calls and a new token between them")
	})
	t.Run("that is none", func(t *testing.T) {
		for _, body := range []string{``, `{}`, `{"access_token":""}`, `{"access_token":"a b"}`, `{"access_token":"a\r\nX: y"}`, `{"access_token":"a","expires_in":"soon"}`} {
			o := newPostOffice(t, newClock().now)
			o.instead = func(int, *http.Request) *reply { return &reply{status: 200, body: body} }
			_, err := o.carrier().Send(t.Context(), letterShipment(cancellation.ChannelMail))
			requireFailure(t, err, cancellation.CarrierBusy)
			assert.Equal(t, 1, o.calls)
		}
	})
}

func TestPostDelete(t *testing.T) {
	setUp := func(t *testing.T, status string) (*postOffice, string) {
		t.Helper()
		o := newPostOffice(t, newClock().now)
		id := uuid.NewString()
		o.letters[id] = &postedLetter{status: status}
		return o, id
	}
	for _, status := range []string{"valid", "submitted", "action_required", "cancelled"} {
		t.Run(status, func(t *testing.T) {
			o, id := setUp(t, status)
			p := o.carrier()
			require.NoError(t, p.Delete(t.Context(), id))
			assert.True(t, o.letters[id].gone)
			assert.NoError(t, p.Delete(t.Context(), id), "deleting again is no error")
		})
	}
	t.Run("one that is sent stays", func(t *testing.T) {
		o, id := setUp(t, "sent")
		requireFailure(t, o.carrier().Delete(t.Context(), id), cancellation.CarrierRefused)
	})
	t.Run("one on its way goes later", func(t *testing.T) {
		for _, status := range []string{"processing", "validating", "submitted", "cancelling", "beamed"} {
			o, id := setUp(t, status)
			o.instead = func(_ int, r *http.Request) *reply {
				if r.Method == http.MethodDelete {
					return &reply{status: http.StatusForbidden}
				}
				return nil
			}
			p := o.carrier()
			if status == "submitted" { // cancelled by then, and yet not to be deleted
				requireFailure(t, p.Delete(t.Context(), id), cancellation.CarrierRefused)
				continue
			}
			e := requireFailure(t, p.Delete(t.Context(), id), cancellation.CarrierBusy)
			assert.Equal(t, time.Minute, e.RetryAfter)
		}
	})
	t.Run("one that never was", func(t *testing.T) {
		o, _ := setUp(t, "valid")
		assert.NoError(t, o.carrier().Delete(t.Context(), uuid.NewString()))
	})
	t.Run("no reference", func(t *testing.T) {
		o, _ := setUp(t, "valid")
		requireFailure(t, o.carrier().Delete(t.Context(), "../x"), cancellation.CarrierRefused)
		assert.Zero(t, o.calls)
	})
	t.Run("a carrier that fails", func(t *testing.T) {
		for _, method := range []string{http.MethodPatch, http.MethodDelete, http.MethodGet} {
			o, id := setUp(t, "sent")
			o.instead = func(_ int, r *http.Request) *reply {
				if r.Method == method {
					return &reply{status: 503}
				}
				return nil
			}
			requireFailure(t, o.carrier().Delete(t.Context(), id), cancellation.CarrierUnclear)
			assert.False(t, o.letters[id].gone)
		}
	})
}

func TestPartyOf(t *testing.T) {
	for street, want := range map[string]party{
		"Musterallee 12":                {Street: "Musterallee", Number: "12"},
		"Straße des 17. Juni 135":       {Street: "Straße des 17. Juni", Number: "135"},
		"Am Markt 3-5":                  {Street: "Am Markt", Number: "3-5"},
		"Wiener Str. 12/3":              {Street: "Wiener Str.", Number: "12/3"},
		"Hauptplatz":                    {Street: "Hauptplatz"},
		"Postfach 10 20 30":             {POBox: "Postfach 10 20 30"},
		"P.O. Box 7":                    {POBox: "P.O. Box 7"},
		"Case postale 99":               {POBox: "Case postale 99"},
		"":                              {},
		"12":                            {Street: "12"},
		strings.Repeat("Langgasse", 10): {Street: strings.Repeat("Langgasse", 10)[:40]},
	} {
		t.Run(street, func(t *testing.T) {
			want.Name, want.Zip, want.City, want.Country = "Strom AG", "10115", "Musterstadt", "DE"
			a := testAddress
			a.Street = street
			assert.Equal(t, want, partyOf(a))
		})
	}
	t.Run("long names are cut by characters", func(t *testing.T) {
		got := partyOf(cancellation.PostalAddress{Recipient: []string{strings.Repeat("ü", 60)}, City: strings.Repeat("ö", 30)})
		assert.Equal(t, strings.Repeat("ü", 45), got.Name)
		assert.Equal(t, strings.Repeat("ö", 25), got.City)
	})
}

func TestNewPostWantsItsOptions(t *testing.T) {
	good := PostOptions{
		Common: Common{Now: newClock().now}, BaseURL: "https://api.example", IdentityURL: "https://identity.example",
		OrganisationID: "o", ClientID: "c", ClientSecret: "s", WebhookSecret: "w",
	}
	_, err := NewPost(good)
	require.NoError(t, err)
	for name, spoil := range map[string]func(*PostOptions){
		"clock": func(o *PostOptions) { o.Now = nil }, "base": func(o *PostOptions) { o.BaseURL = "api.example" },
		"query":    func(o *PostOptions) { o.BaseURL += "?x=1" },
		"user":     func(o *PostOptions) { o.IdentityURL = "https://u:p@identity.example" },
		"identity": func(o *PostOptions) { o.IdentityURL = "" }, "organisation": func(o *PostOptions) { o.OrganisationID = "a/b" },
		"client": func(o *PostOptions) { o.ClientID = "" }, "secret": func(o *PostOptions) { o.ClientSecret = "" },
		"webhook secret": func(o *PostOptions) { o.WebhookSecret = "" },
	} {
		t.Run(name, func(t *testing.T) {
			o := good
			spoil(&o)
			_, err := NewPost(o)
			assert.Error(t, err)
		})
	}
}

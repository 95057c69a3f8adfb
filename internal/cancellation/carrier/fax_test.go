package carrier

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
)

const (
	testProject        = "3acb7ae1-cf3d-4112-ba5e-3a9d8c71cd47"
	testCallbackSecret = "secret-of-callbacks-with-32-characters"
	testNumber         = "+49301234567"
)

// faxGateway plays Sinch's API and refuses whatever is not documented.
type faxGateway struct {
	peer
	t   *testing.T
	url string
	now func() time.Time

	faxes     []*gatewayFax
	pageSize  int // what the gateway gives at most
	firstPage int
	pageName  string
}

type gatewayFax struct {
	id, to, status string
	created        time.Time
	request        map[string]any
	labels         map[string]string
	pdf            []byte
	errorType      string
	errorCode      int
	completed      *time.Time
	fileGone       bool
}

func (g *gatewayFax) shown() map[string]any {
	shown := map[string]any{
		"id": g.id, "direction": "OUTBOUND", "to": g.to, "status": g.status, "labels": g.labels,
		"createTime": g.created.Format(time.RFC3339Nano), "projectId": testProject,
	}
	if g.errorType != "" {
		shown["errorType"], shown["errorCode"], shown["errorMessage"] = g.errorType, g.errorCode, "Erika Mustermann is busy"
	}
	if g.completed != nil {
		shown["completedTime"] = g.completed.Format(time.RFC3339)
	}
	return shown
}

func newFaxGateway(t *testing.T, now func() time.Time) *faxGateway {
	t.Helper()
	g := &faxGateway{t: t, now: now, pageSize: 1000, firstPage: 1, pageName: "page"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { g.serve(w, r, g.work) }))
	t.Cleanup(server.Close)
	g.url = server.URL
	return g
}

func faxOptions(base string, now func() time.Time) FaxOptions {
	return FaxOptions{
		Common: Common{Now: now}, BaseURL: base + "/v3", ProjectID: testProject,
		KeyID: "key", KeySecret: "secret-of-key", CallbackBaseURL: "https://aviso.example", CallbackSecret: testCallbackSecret,
	}
}

func (g *faxGateway) carrier(edit ...func(*FaxOptions)) *Fax {
	o := faxOptions(g.url, g.now)
	o.Transport = g.transport()
	for _, e := range edit {
		e(&o)
	}
	f, err := NewFax(o)
	require.NoError(g.t, err)
	return f
}

func (g *faxGateway) add(status string, labels map[string]string) *gatewayFax {
	added := &gatewayFax{
		id: fmt.Sprintf("01HDF5S9P29WC29J578J8E%04d", len(g.faxes)), to: testNumber, status: status, created: g.now(), labels: labels,
	}
	g.faxes = append(g.faxes, added)
	return added
}

func (g *faxGateway) work(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if !assert.NoError(g.t, err) {
		return
	}
	if user, password, ok := r.BasicAuth(); !ok || user != "key" || password != "secret-of-key" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	path, ok := strings.CutPrefix(r.URL.Path, "/v3/projects/"+testProject+"/faxes")
	assert.True(g.t, ok, r.URL.Path)
	path = strings.TrimPrefix(path, "/")
	switch {
	case r.Method == http.MethodPost && path == "":
		g.send(w, r, body)
	case r.Method == http.MethodGet && path == "":
		g.list(w, r.URL.Query())
	case r.Method == http.MethodGet:
		for _, one := range g.faxes {
			if one.id == path {
				asJSON(w, "application/json", 200, one.shown())
				return
			}
		}
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodDelete:
		for _, one := range g.faxes {
			if one.id+"/file" == path && !one.fileGone {
				one.fileGone = true
				w.WriteHeader(http.StatusNoContent)
				return
			}
		}
		w.WriteHeader(http.StatusNotFound)
	default:
		assert.Fail(g.t, "not documented", "%s %s", r.Method, r.URL)
	}
}

func (g *faxGateway) send(w http.ResponseWriter, r *http.Request, body []byte) {
	assert.Equal(g.t, "application/json", r.Header.Get("Content-Type"))
	var in struct {
		To    string `json:"to"`
		Files []struct{ File, FileType string }
	}
	labels := struct{ Labels map[string]string }{}
	requireJSON(g.t, body, &in)
	requireJSON(g.t, body, &labels)
	if !assert.Len(g.t, in.Files, 1) {
		return
	}
	assert.Equal(g.t, "PDF", in.Files[0].FileType)
	pdf, err := base64.StdEncoding.DecodeString(in.Files[0].File)
	assert.NoError(g.t, err)
	added := g.add("IN_PROGRESS", labels.Labels)
	added.to, added.pdf = in.To, pdf
	requireJSON(g.t, body, &added.request)
	asJSON(w, "application/json", 200, added.shown())
}

// list filters by day, direction and the number's beginning, as documented.
func (g *faxGateway) list(w http.ResponseWriter, query url.Values) {
	day := query.Get("createTime")
	_, err := time.Parse(time.DateOnly, day)
	assert.NoError(g.t, err)
	assert.Equal(g.t, "OUTBOUND", query.Get("direction"))
	found := []any{}
	for _, one := range g.faxes {
		if one.created.UTC().Format(time.DateOnly) == day && strings.HasPrefix(one.to, query.Get("to")) {
			found = append(found, one.shown())
		}
	}
	page := g.firstPage
	if query.Has("page") {
		page, err = strconv.Atoi(query.Get("page"))
		assert.NoError(g.t, err)
	}
	from := min((page-g.firstPage)*g.pageSize, len(found))
	asJSON(w, "application/json", 200, map[string]any{
		"faxes": found[from:min(from+g.pageSize, len(found))], g.pageName: page, "pageSize": g.pageSize,
		"totalPages": (len(found) + g.pageSize - 1) / g.pageSize, "totalItems": len(found),
	})
}

func faxShipment() cancellation.Shipment {
	return newShipment(cancellation.Channel{Kind: cancellation.ChannelFax, Fax: testNumber})
}

func TestFaxSends(t *testing.T) {
	g := newFaxGateway(t, newClock().now)
	f, s := g.carrier(func(o *FaxOptions) { o.From, o.ServiceID = "+498912345", "01GVRB50KEQFFE1SGMPFRNBG6J" }), faxShipment()

	receipt, err := f.Send(t.Context(), s)

	require.NoError(t, err)
	require.Len(t, g.faxes, 1)
	sent := g.faxes[0]
	assert.Equal(t, cancellation.Receipt{Reference: sent.id}, receipt)
	assert.Equal(t, s.Document.PDF, sent.pdf)
	delete(sent.request, "files")
	callback, _ := sent.request["callbackUrl"].(string)
	delete(sent.request, "callbackUrl")
	assert.Equal(t, map[string]any{
		"to": testNumber, "from": "+498912345", "serviceId": "01GVRB50KEQFFE1SGMPFRNBG6J",
		"labels":     map[string]any{"cancellationId": testCancellation, "shipmentId": testShipment},
		"maxRetries": 3.0, "callbackUrlContentType": "application/json", "headerTimeZone": "Europe/Berlin", "resolution": "FINE",
	}, sent.request)
	token, ok := strings.CutPrefix(callback, "https://aviso.example/carriers/v1/fax/"+testCancellation+"/"+testShipment+"/")
	assert.True(t, ok, callback)
	assert.Len(t, token, 43, "256 bits")

	t.Run("no other channel", func(t *testing.T) {
		_, err := f.Send(t.Context(), letterShipment(cancellation.ChannelMail))
		assert.Error(t, err)
	})
	t.Run("no number", func(t *testing.T) {
		for _, number := range []string{"", "030 123", "+", "+0301234", "+49301234567890123", testNumber + ",+4930", "+49\r\n30"} {
			s.Channel.Fax = number
			_, err := f.Send(t.Context(), s)
			requireFailure(t, err, cancellation.CarrierRefused)
		}
	})
	assert.Len(t, g.faxes, 1)
}

func TestFaxLooksForTheFaxOfAnEarlierTry(t *testing.T) {
	ours := map[string]string{"cancellationId": testCancellation, "shipmentId": testShipment}
	other := map[string]string{"cancellationId": testCancellation, "shipmentId": "another"}

	t.Run("not before it must be in the list", func(t *testing.T) {
		clock := newClock()
		g := newFaxGateway(t, clock.now)
		s := faxShipment()
		s.TriedAt = testNow
		clock.pass(30 * time.Second)
		_, err := g.carrier().Send(t.Context(), s)
		e := requireFailure(t, err, cancellation.CarrierUnclear)
		assert.Equal(t, 90*time.Second, e.RetryAfter)
		assert.Zero(t, g.calls)
	})
	for pageName, firstPage := range map[string]int{"page": 0, "pageNumber": 1} {
		t.Run(fmt.Sprintf("on the last of many pages whose %s begins with %d", pageName, firstPage), func(t *testing.T) {
			clock := newClock()
			g := newFaxGateway(t, clock.now)
			g.pageSize, g.firstPage, g.pageName = 2, firstPage, pageName
			for range 4 {
				g.add("COMPLETED", other)
			}
			found := g.add("QUEUED", ours)
			clock.pass(time.Hour)
			s := faxShipment()
			s.TriedAt = testNow
			receipt, err := g.carrier().Send(t.Context(), s)
			require.NoError(t, err)
			assert.Equal(t, found.id, receipt.Reference)
			assert.Len(t, g.faxes, 5)
		})
	}
	t.Run("on the day after a try at midnight", func(t *testing.T) {
		clock := newClock()
		clock.at = time.Date(2026, time.November, 21, 0, 0, 1, 0, time.UTC)
		g := newFaxGateway(t, clock.now)
		found := g.add("IN_PROGRESS", ours)
		s := faxShipment()
		s.TriedAt = clock.now().Add(-2 * time.Second)
		clock.pass(time.Hour)
		receipt, err := g.carrier().Send(t.Context(), s)
		require.NoError(t, err)
		assert.Equal(t, found.id, receipt.Reference)
	})
	t.Run("and sends where there is none", func(t *testing.T) {
		clock := newClock()
		g := newFaxGateway(t, clock.now)
		g.add("COMPLETED", other)
		g.add("COMPLETED", map[string]string{"cancellationId": "another", "shipmentId": testShipment})
		g.add("COMPLETED", nil)
		s := faxShipment()
		s.TriedAt = testNow
		clock.pass(time.Hour)
		_, err := g.carrier().Send(t.Context(), s)
		require.NoError(t, err)
		assert.Len(t, g.faxes, 4)
	})
	t.Run("and sends nothing where the list cannot be read", func(t *testing.T) {
		check := func(t *testing.T, other reply) {
			t.Helper()
			clock := newClock()
			g := newFaxGateway(t, clock.now)
			g.instead = func(_ int, r *http.Request) *reply {
				if r.Method == http.MethodGet {
					return &other
				}
				return nil
			}
			s := faxShipment()
			s.TriedAt = testNow
			clock.pass(time.Hour)
			_, err := g.carrier().Send(t.Context(), s)
			requireFailure(t, err, cancellation.CarrierUnclear)
			assert.Empty(t, g.faxes)
		}
		forEachStatus(t, func(t *testing.T, status int, _ cancellation.CarrierFailure) { check(t, reply{status: status}) })
		for _, body := range []string{``, `{`, `[]`, `{}`, `{"faxes":null}`, `{"faxes":{}}`, `{"faxes":[],"totalPages":2}`, `{"faxes":[],"page":1,"totalPages":99}`} {
			check(t, reply{status: 200, body: body})
		}
		check(t, reply{hangUp: true})
	})
}

func TestFaxFailures(t *testing.T) {
	run := func(t *testing.T, other reply) error {
		t.Helper()
		g := newFaxGateway(t, newClock().now)
		g.instead = func(int, *http.Request) *reply { return &other }
		_, err := g.carrier().Send(t.Context(), faxShipment())
		assert.Equal(t, 1, g.calls)
		return err
	}
	forEachStatus(t, func(t *testing.T, status int, want cancellation.CarrierFailure) {
		requireFailure(t, run(t, reply{status: status, body: `{"message":"+49 30 Erika Mustermann"}`}), want)
	})
	t.Run("401", func(t *testing.T) {
		requireFailure(t, run(t, reply{status: 401}), cancellation.CarrierBusy)
	})
	for _, body := range []string{``, `{`, `null`, `[]`, `{}`, `{"id":""}`, `{"id":"../x"}`, `{"id":7}`} {
		t.Run("answer "+body, func(t *testing.T) {
			requireFailure(t, run(t, reply{status: 200, body: body}), cancellation.CarrierUnclear)
		})
	}
	t.Run("no answer", func(t *testing.T) {
		requireFailure(t, run(t, reply{hangUp: true}), cancellation.CarrierUnclear)
	})
}

func TestFaxSendsOnceWhereverATryBreaksOff(t *testing.T) {
	for _, after := range []bool{false, true} {
		for n := 1; n <= 3; n++ {
			for m := n + 1; m <= n+3; m++ {
				t.Run(fmt.Sprintf("calls %d and %d, after their work %v", n, m, after), func(t *testing.T) {
					clock := newClock()
					g := newFaxGateway(t, clock.now)
					g.instead = func(call int, _ *http.Request) *reply {
						if call == n || call == m {
							return &reply{hangUp: true, after: after}
						}
						return nil
					}
					s := faxShipment()
					receipt := sendUntilTaken(t, g.carrier(), &s, clock)
					require.Len(t, g.faxes, 1)
					assert.Equal(t, g.faxes[0].id, receipt.Reference)
				})
			}
		}
	}
}

func TestFaxDelete(t *testing.T) {
	g := newFaxGateway(t, newClock().now)
	added := g.add("COMPLETED", nil)
	f := g.carrier()
	require.NoError(t, f.Delete(t.Context(), added.id))
	assert.True(t, added.fileGone)
	assert.NoError(t, f.Delete(t.Context(), added.id), "deleting again is no error")
	assert.NoError(t, f.Delete(t.Context(), "01HDFNEVERWAS"))
	requireFailure(t, f.Delete(t.Context(), "../faxes"), cancellation.CarrierRefused)
	g.instead = func(int, *http.Request) *reply { return &reply{status: 500} }
	requireFailure(t, f.Delete(t.Context(), added.id), cancellation.CarrierUnclear)
}

func jsonCallback(f *Fax, id string) FaxCallback {
	body, _ := json.Marshal(map[string]any{"event": "FAX_COMPLETED", "fax": map[string]any{"id": id, "status": "COMPLETED"}})
	return FaxCallback{
		CancellationID: testCancellation, ShipmentID: testShipment, Token: f.callbackToken(testCancellation, testShipment),
		ContentType: "application/json; charset=utf-8", Body: body,
	}
}

func formCallback(f *Fax, id string) FaxCallback {
	c := jsonCallback(f, id)
	c.ContentType = "multipart/form-data; boundary=XX"
	c.Body = []byte(strings.ReplaceAll(`--XX
Content-Disposition: form-data; name="event"
Content-Type: application/json

FAX_COMPLETED
--XX
Content-Disposition: form-data; name="file"; filename="fax.pdf"
Content-Type: application/pdf

%PDF
--XX
Content-Disposition: form-data; name="fax"
Content-Type: application/json

{"id":"`+id+`","status":"COMPLETED"}
--XX--
`, "\n", "\r\n"))
	return c
}

func TestParseFaxCallback(t *testing.T) {
	ours := map[string]string{"cancellationId": testCancellation, "shipmentId": testShipment}
	done := time.Date(2026, time.November, 20, 9, 20, 0, 0, time.UTC)

	for name, tt := range map[string]struct {
		status string
		reason string
		want   cancellation.ReportState
	}{
		"queued":      {"QUEUED", "", cancellation.ReportTaken},
		"in progress": {"IN_PROGRESS", "", cancellation.ReportTaken},
		"completed":   {"COMPLETED", "", cancellation.ReportDelivered},
		"failed":      {"FAILURE", "CALL_ERROR-17", cancellation.ReportFailed},
	} {
		for form, callback := range map[string]func(*Fax, string) FaxCallback{"JSON": jsonCallback, "form": formCallback} {
			t.Run(name+" as "+form, func(t *testing.T) {
				g := newFaxGateway(t, newClock().now)
				sent := g.add(tt.status, ours)
				want := cancellation.Report{
					CancellationID: testCancellation, ShipmentID: testShipment, Channel: cancellation.ChannelFax,
					Reference: sent.id, State: tt.want, Reason: tt.reason, At: testNow,
				}
				if tt.status == "FAILURE" {
					sent.errorType, sent.errorCode = "CALL_ERROR", 17
				}
				if tt.want != cancellation.ReportTaken {
					sent.completed, want.At = &done, done
				}
				f := g.carrier()

				got, err := f.ParseCallback(t.Context(), callback(f, sent.id))

				require.NoError(t, err)
				assert.Equal(t, want, got)
			})
		}
	}

	t.Run("a token of another shipment, or none, is refused without a call", func(t *testing.T) {
		g := newFaxGateway(t, newClock().now)
		f := g.carrier()
		for name, spoil := range map[string]func(*FaxCallback){
			"none":                   func(c *FaxCallback) { c.Token = "" },
			"another":                func(c *FaxCallback) { c.Token = f.callbackToken(testCancellation, "another") },
			"ids that changed place": func(c *FaxCallback) { c.CancellationID, c.ShipmentID = c.ShipmentID, c.CancellationID },
			"ids that run together":  func(c *FaxCallback) { c.CancellationID, c.ShipmentID = c.CancellationID+"\n"+c.ShipmentID, "" },
		} {
			c := jsonCallback(f, "01HDF")
			spoil(&c)
			_, err := f.ParseCallback(t.Context(), c)
			assert.ErrorIs(t, err, ErrNotAuthentic, name)
		}
		assert.Zero(t, g.calls)
	})
	t.Run("a fax of somebody else is refused", func(t *testing.T) {
		g := newFaxGateway(t, newClock().now)
		f := g.carrier()
		for _, labels := range []map[string]string{
			nil, {"cancellationId": testCancellation}, {"shipmentId": testShipment},
			{"cancellationId": testCancellation, "shipmentId": "another"}, {"cancellationId": "another", "shipmentId": testShipment},
		} {
			_, err := f.ParseCallback(t.Context(), jsonCallback(f, g.add("COMPLETED", labels).id))
			assert.ErrorIs(t, err, ErrNotAuthentic)
		}
		_, err := f.ParseCallback(t.Context(), jsonCallback(f, "01HDFNEVERWAS"))
		assert.ErrorIs(t, err, ErrNotAuthentic)
	})
	t.Run("an answer about another fax is refused", func(t *testing.T) {
		g := newFaxGateway(t, newClock().now)
		f := g.carrier()
		sent := g.add("COMPLETED", ours)
		shown, err := json.Marshal(sent.shown())
		require.NoError(t, err)
		g.instead = func(int, *http.Request) *reply { return &reply{status: 200, body: string(shown)} }
		_, err = f.ParseCallback(t.Context(), jsonCallback(f, "01HDFANOTHER"))
		assert.ErrorIs(t, err, ErrNotAuthentic)
	})
	t.Run("a status that is new reports nothing", func(t *testing.T) {
		g := newFaxGateway(t, newClock().now)
		f := g.carrier()
		_, err := f.ParseCallback(t.Context(), jsonCallback(f, g.add("PAUSED", ours).id))
		assert.ErrorIs(t, err, ErrNothingReported)
	})
	t.Run("a reason that is a sentence is not kept", func(t *testing.T) {
		g := newFaxGateway(t, newClock().now)
		f := g.carrier()
		sent := g.add("FAILURE", ours)
		sent.errorType = "Erika Mustermann is not there"
		report, err := f.ParseCallback(t.Context(), jsonCallback(f, sent.id))
		require.NoError(t, err)
		assert.Equal(t, "Unknown-0", report.Reason)
	})
	t.Run("a body that says nothing is malformed", func(t *testing.T) {
		g := newFaxGateway(t, newClock().now)
		f := g.carrier()
		for _, tt := range []struct{ media, body string }{
			{"application/json", ``}, {"application/json", `{`}, {"application/json", `[]`}, {"application/json", `{"fax":null}`},
			{"application/json", `{"fax":{"id":5}}`}, {"application/json", `{"fax":{"id":"../../x"}}`}, {"text/plain", `{"fax":{"id":"a"}}`},
			{"", `{"fax":{"id":"a"}}`}, {"multipart/form-data", "--XX"}, {"multipart/form-data; boundary=XX", "--XX\r\n"},
			{"multipart/form-data; boundary=XX", "--XX\r\nContent-Disposition: form-data; name=\"fax\"\r\n\r\nnothing\r\n--XX--"},
		} {
			c := jsonCallback(f, "a")
			c.ContentType, c.Body = tt.media, []byte(tt.body)
			_, err := f.ParseCallback(t.Context(), c)
			assert.ErrorIs(t, err, ErrMalformedCallback, "%s %s", tt.media, tt.body)
		}
		assert.Zero(t, g.calls)
	})
	t.Run("a carrier that cannot be asked is told apart", func(t *testing.T) {
		g := newFaxGateway(t, newClock().now)
		f := g.carrier()
		for _, other := range []*reply{{status: 500}, {hangUp: true}, {status: 200, body: `{`}} {
			g.instead = func(int, *http.Request) *reply { return other }
			_, err := f.ParseCallback(t.Context(), jsonCallback(f, "01HDF"))
			requireFailure(t, err, cancellation.CarrierUnclear)
		}
	})
}

func FuzzFaxCallbackBody(f *testing.F) {
	fax, err := NewFax(faxOptions("https://fax.example", newClock().now))
	require.NoError(f, err)
	for _, c := range []FaxCallback{jsonCallback(fax, "01HDF"), formCallback(fax, "01HDF")} {
		f.Add(c.ContentType, c.Body)
	}
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		id := faxID(contentType, body)
		if idPattern.MatchString(id) {
			assert.NotContains(t, id, "/")
			assert.Contains(t, string(body), id[:1])
		}
	})
}

func TestNewFaxWantsItsOptions(t *testing.T) {
	_, err := NewFax(faxOptions("https://fax.example", newClock().now))
	require.NoError(t, err)
	for name, spoil := range map[string]func(*FaxOptions){
		"clock": func(o *FaxOptions) { o.Now = nil }, "base": func(o *FaxOptions) { o.BaseURL = "" },
		"project": func(o *FaxOptions) { o.ProjectID = "" }, "key": func(o *FaxOptions) { o.KeyID = "" },
		"secret": func(o *FaxOptions) { o.KeySecret = "" }, "callback": func(o *FaxOptions) { o.CallbackBaseURL = "ftp://x" },
		"callback secret": func(o *FaxOptions) { o.CallbackSecret = "short" }, "number": func(o *FaxOptions) { o.From = "030" },
	} {
		t.Run(name, func(t *testing.T) {
			o := faxOptions("https://fax.example", newClock().now)
			spoil(&o)
			_, err := NewFax(o)
			assert.Error(t, err)
		})
	}
}

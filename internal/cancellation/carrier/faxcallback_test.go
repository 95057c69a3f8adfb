package carrier

import (
	"encoding/json"
	"net/http"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/evidence"
)

func jsonCallback(f *Fax, id string) FaxCallback {
	body, _ := json.Marshal(map[string]any{"event": "FAX_COMPLETED", "fax": map[string]any{"id": id, "status": "COMPLETED"}})
	return FaxCallback{
		CancellationID: testCancellation, ShipmentID: testShipment, Token: path.Base(f.callbackURL(testCancellation, testShipment)),
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
		want   dispatch.ReportState
	}{
		"queued":      {"QUEUED", "", dispatch.ReportAccepted},
		"in progress": {"IN_PROGRESS", "", dispatch.ReportAccepted},
		"completed":   {"COMPLETED", "", dispatch.ReportDelivered},
		"failed":      {"FAILURE", "CALL_ERROR-17", dispatch.ReportFailed},
	} {
		for form, callback := range map[string]func(*Fax, string) FaxCallback{"JSON": jsonCallback, "form": formCallback} {
			t.Run(name+" as "+form, func(t *testing.T) {
				g := newFaxGateway(t, newClock().now)
				sent := g.add(tt.status, ours)
				want := dispatch.Report{
					CancellationID: testCancellation, ShipmentID: testShipment, Channel: cancellation.ChannelFax,
					Reference: sent.id, State: tt.want, Reason: tt.reason, At: testNow,
				}
				if tt.status == "FAILURE" {
					sent.errorType, sent.errorCode = "CALL_ERROR", 17
				}
				if tt.want != dispatch.ReportAccepted {
					sent.completed, want.At = &done, done
				}
				f := g.carrier()

				got, err := f.ParseCallback(t.Context(), callback(f, sent.id))

				require.NoError(t, err)
				assert.Contains(t, string(got.Received.Body), tt.status, "what proves it is what Sinch says, not the call")
				got.Received = evidence.Received{}
				assert.Equal(t, want, got)
			})
		}
	}

	t.Run("refuses a missing or wrong token without a call", func(t *testing.T) {
		g := newFaxGateway(t, newClock().now)
		f := g.carrier()
		for name, spoil := range map[string]func(*FaxCallback){
			"none":             func(c *FaxCallback) { c.Token = "" },
			"another":          func(c *FaxCallback) { c.Token = path.Base(f.callbackURL(testCancellation, "another")) },
			"swapped IDs":      func(c *FaxCallback) { c.CancellationID, c.ShipmentID = c.ShipmentID, c.CancellationID },
			"concatenated IDs": func(c *FaxCallback) { c.CancellationID, c.ShipmentID = c.CancellationID+"\n"+c.ShipmentID, "" },
		} {
			c := jsonCallback(f, "01HDF")
			spoil(&c)
			_, err := f.ParseCallback(t.Context(), c)
			assert.ErrorIs(t, err, ErrNotAuthentic, name)
		}
		assert.Zero(t, g.calls)
	})
	t.Run("accepts a URL signed with the previous secret while that is configured", func(t *testing.T) {
		g := newFaxGateway(t, newClock().now)
		before := jsonCallback(g.carrier(), g.add("COMPLETED", ours).id)
		const fresh = "another-secret-of-callbacks-of-32-characters"
		rotated := func(o *FaxOptions) { o.CallbackSecret, o.PreviousCallbackSecret = fresh, testCallbackSecret }
		report, err := g.carrier(rotated).ParseCallback(t.Context(), before)
		require.NoError(t, err)
		assert.Equal(t, dispatch.ReportDelivered, report.State)
		_, err = g.carrier(func(o *FaxOptions) { o.CallbackSecret = fresh }).ParseCallback(t.Context(), before)
		assert.ErrorIs(t, err, ErrNotAuthentic)
	})
	t.Run("refuses somebody else's fax", func(t *testing.T) {
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
	t.Run("refuses a response about another fax", func(t *testing.T) {
		g := newFaxGateway(t, newClock().now)
		f := g.carrier()
		sent := g.add("COMPLETED", ours)
		shown, err := json.Marshal(sent.shown())
		require.NoError(t, err)
		g.instead = func(int, *http.Request) *reply { return &reply{status: 200, body: string(shown)} }
		_, err = f.ParseCallback(t.Context(), jsonCallback(f, "01HDFANOTHER"))
		assert.ErrorIs(t, err, ErrNotAuthentic)
	})
	t.Run("reports nothing for an unknown status", func(t *testing.T) {
		g := newFaxGateway(t, newClock().now)
		f := g.carrier()
		_, err := f.ParseCallback(t.Context(), jsonCallback(f, g.add("PAUSED", ours).id))
		assert.ErrorIs(t, err, ErrNothingReported)
	})
	t.Run("discards a reason that is not a code", func(t *testing.T) {
		g := newFaxGateway(t, newClock().now)
		f := g.carrier()
		sent := g.add("FAILURE", ours)
		sent.errorType = "Erika Mustermann is not there"
		report, err := f.ParseCallback(t.Context(), jsonCallback(f, sent.id))
		require.NoError(t, err)
		assert.Equal(t, "Unknown-0", report.Reason)
	})
	t.Run("rejects a body without a fax ID", func(t *testing.T) {
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
	t.Run("returns a carrier error if Sinch is unavailable", func(t *testing.T) {
		g := newFaxGateway(t, newClock().now)
		f := g.carrier()
		for _, other := range []*reply{{status: 500}, {hangUp: true}, {status: 200, body: `{`}} {
			g.instead = func(int, *http.Request) *reply { return other }
			_, err := f.ParseCallback(t.Context(), jsonCallback(f, "01HDF"))
			requireFailure(t, err, dispatch.CarrierUnclear)
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

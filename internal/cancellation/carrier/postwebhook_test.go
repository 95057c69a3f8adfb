package carrier

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
)

const (
	testLetter = "cccccccc-1111-4222-8333-444444444444"
	testEvent  = "dddddddd-1111-4222-8333-444444444444"
)

type object = map[string]any

// newWebhook returns a webhook in Pingen's format since July 2026, modified by the
// edits.
func newWebhook(kind string, edits ...func(data, letter, event object)) []byte {
	data := object{
		"id": "aaaaaaaa-1111-4222-8333-444444444444", "type": kind,
		"attributes": object{"url": "https://partner.example/hook", "created_at": "2026-11-20T10:15:00+0100"},
		"relationships": object{
			"organisation": object{"data": object{"id": testOrganisation, "type": "organisations"}},
			"deliverable":  object{"data": object{"id": testLetter, "type": "letters"}},
			"event":        object{"data": object{"id": testEvent, "type": "deliverables_events"}},
		},
	}
	letter := object{"status": "sent", "tracking_number": nil}
	event := object{"code": "transferred_to_distributor", "name": "Strom AG, Musterstadt"}
	for _, edit := range edits {
		edit(data, letter, event)
	}
	body, err := json.Marshal(object{"data": data, "included": []object{
		{"type": "organisations", "id": testOrganisation, "attributes": object{"name": "Aviso"}},
		{"type": "letters", "id": testLetter, "attributes": letter},
		{"type": "deliverables_events", "id": testEvent, "attributes": event},
	}})
	if err != nil {
		panic(err)
	}
	return body
}

func sign(body []byte) http.Header {
	mac := hmac.New(sha256.New, []byte("secret-of-webhook"))
	mac.Write(body)
	return http.Header{"Signature": {hex.EncodeToString(mac.Sum(nil))}}
}

func testPost(t testing.TB, edit ...func(*PostOptions)) *Post {
	t.Helper()
	o := PostOptions{
		Common: Common{Now: newClock().now}, BaseURL: "https://api.example", IdentityURL: "https://identity.example",
		OrganisationID: testOrganisation, ClientID: "c", ClientSecret: "s", WebhookSecret: "secret-of-webhook",
	}
	for _, e := range edit {
		e(&o)
	}
	p, err := NewPost(o)
	require.NoError(t, err)
	return p
}

func TestParseWebhook(t *testing.T) {
	at := time.Date(2026, time.November, 20, 9, 15, 0, 0, time.UTC)
	code := func(code string) func(data, letter, event object) {
		return func(_, _, event object) { event["code"] = code }
	}
	report := func(state dispatch.ReportState, reason string) dispatch.Report {
		return dispatch.Report{Channel: cancellation.ChannelMail, Reference: testLetter, State: state, Reason: reason, At: at}
	}
	for name, tt := range map[string]struct {
		body []byte
		want dispatch.Report
	}{
		"sent":          {newWebhook("webhook_sent"), report(dispatch.ReportAccepted, "")},
		"delivered":     {newWebhook("webhook_delivered"), report(dispatch.ReportDelivered, "")},
		"undeliverable": {newWebhook("webhook_undeliverable", code("undeliverable")), report(dispatch.ReportFailed, "undeliverable")},
		"issues":        {newWebhook("webhook_issues", code("file_too_many_pages")), report(dispatch.ReportFailed, "file_too_many_pages")},
		"an issue without code": {
			newWebhook("webhook_issues", func(_, _, event object) { delete(event, "code") }),
			report(dispatch.ReportFailed, "webhook_issues"),
		},
		"a code that is a sentence": {
			newWebhook("webhook_undeliverable", code("Erika Mustermann moved to Musterstadt")),
			report(dispatch.ReportFailed, "Unknown"),
		},
		"as it was until July 2026": {
			newWebhook("webhook_sent", func(data, _, _ object) {
				relationships := data["relationships"].(object)
				relationships["letter"] = relationships["deliverable"]
				delete(relationships, "deliverable")
				relationships["event"] = object{"data": object{"id": testEvent, "type": "letters_events"}}
			}),
			report(dispatch.ReportAccepted, ""),
		},
		"without a time it is now": {
			newWebhook("webhook_sent", func(data, _, _ object) { data["attributes"].(object)["created_at"] = "soon" }),
			func() dispatch.Report {
				r := report(dispatch.ReportAccepted, "")
				r.At = testNow
				return r
			}(),
		},
		"with a tracking number": {
			newWebhook("webhook_sent", func(_, letter, _ object) { letter["tracking_number"] = "98.00.1234" }),
			func() dispatch.Report {
				r := report(dispatch.ReportAccepted, "")
				r.TrackingNumber = "98.00.1234"
				return r
			}(),
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := testPost(t).ParseWebhook(sign(tt.body), tt.body)
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}

	for name, tt := range map[string]struct {
		body []byte
		want error
	}{
		"no JSON":             {[]byte("Erika Mustermann"), ErrMalformedCallback},
		"empty":               {nil, ErrMalformedCallback},
		"no type":             {[]byte(`{"data":{}}`), ErrMalformedCallback},
		"null":                {[]byte(`null`), ErrMalformedCallback},
		"an ID with a path":   {newWebhook("webhook_sent", relate("../x", "letters")), ErrMalformedCallback},
		"a letter without id": {newWebhook("webhook_sent", relate("", "letters")), ErrNothingReported},
		"an e-mail":           {newWebhook("webhook_sent", relate(testLetter, "emails")), ErrNothingReported},
		"of another kind":     {newWebhook("webhook_channel_subscriptions"), ErrNothingReported},
		"waits for money":     {newWebhook("webhook_issues", code("waiting_for_funds")), ErrNothingReported},
		"waits for papers":    {newWebhook("webhook_issues", code("waiting_for_legitimacy")), ErrNothingReported},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := testPost(t).ParseWebhook(sign(tt.body), tt.body)
			assert.ErrorIs(t, err, tt.want)
			assertNothingPersonal(t, err.Error())
		})
	}
}

func relate(id, kind string) func(data, letter, event object) {
	return func(data, _, _ object) {
		data["relationships"].(object)["deliverable"] = object{"data": object{"id": id, "type": kind}}
	}
}

func TestWebhookSignature(t *testing.T) {
	body := newWebhook("webhook_delivered")
	good := sign(body).Get("Signature")
	flipped := "0"
	if good[0] == '0' {
		flipped = "1"
	}
	for name, header := range map[string]http.Header{
		"missing": {}, "empty": {"Signature": {""}}, "of another body": sign(append(body, ' ')),
		"no hexadecimal": {"Signature": {"sha256=" + good}}, "cut short": {"Signature": {good[:62]}},
		"too long": {"Signature": {good + "00"}}, "off by one": {"Signature": {flipped + good[1:]}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := testPost(t).ParseWebhook(header, body)
			assert.ErrorIs(t, err, ErrNotAuthentic)
		})
	}
	t.Run("with the previous key is accepted while that is configured", func(t *testing.T) {
		_, err := testPost(
			t,
			func(o *PostOptions) { o.WebhookSecret, o.PreviousWebhookSecret = "fresh", "secret-of-webhook" },
		).ParseWebhook(sign(body), body)
		assert.NoError(t, err)
		_, err = testPost(t, func(o *PostOptions) { o.WebhookSecret = "fresh" }).ParseWebhook(sign(body), body)
		assert.ErrorIs(t, err, ErrNotAuthentic)
	})
	t.Run("with an empty key is never accepted", func(t *testing.T) {
		mac := hmac.New(sha256.New, nil)
		mac.Write(body)
		_, err := testPost(t).ParseWebhook(http.Header{"Signature": {hex.EncodeToString(mac.Sum(nil))}}, body)
		assert.ErrorIs(t, err, ErrNotAuthentic)
	})
	t.Run("may be in upper case", func(t *testing.T) {
		_, err := testPost(t).ParseWebhook(http.Header{"Signature": {strings.ToUpper(good)}}, body)
		assert.NoError(t, err)
	})
}

func FuzzParseWebhook(f *testing.F) {
	for _, kind := range []string{"webhook_sent", "webhook_delivered", "webhook_undeliverable", "webhook_issues"} {
		f.Add(newWebhook(kind))
	}
	f.Add([]byte(`{"data":{"type":"webhook_sent","relationships":{"letter":{"data":{"id":"x","type":"letters"}}}}}`))
	p := testPost(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		report, err := p.ParseWebhook(sign(body), body)
		if err != nil {
			assert.Zero(t, report)
			return
		}
		assert.True(t, idPattern.MatchString(report.Reference))
		assert.Contains(
			t, []dispatch.ReportState{dispatch.ReportAccepted, dispatch.ReportDelivered, dispatch.ReportFailed},
			report.State,
		)
		assert.Equal(t, report.State == dispatch.ReportFailed, report.Reason != "")
		assert.False(t, report.At.IsZero() && report.At.Location() != time.UTC)
	})
}

package blackbox_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
)

// Calls from anybody but the carriers are rejected and change nothing.
func TestCancelCallbacksFromOthers(t *testing.T) {
	p := newPartner(t, "sandbox")
	c := p.cancel(t, letterTo(p.product(t, "Success Society")))
	p.untilCancellation(t, c.CancellationID, stands("Delivered"))
	signature := strings.Repeat("0", 64)
	sent := `{"data":{"type":"webhook_sent","relationships":{"deliverable":{"data":{"id":"` + uuid.NewString() + `","type":"letters"}}}}}`
	confirmed := `{"cancellationId":"` + c.CancellationID + `","status":"Confirmed","statusReason":""}`
	fax := "/carriers/v1/fax/" + c.CancellationID + "/" + uuid.NewString() + "/"
	for name, r := range map[string]request{
		"a letter's, not signed":           {path: "/carriers/v1/pingen", body: sent},
		"a letter's, wrongly signed":       {path: "/carriers/v1/pingen", body: sent, header: map[string]string{"Signature": signature}},
		"a letter's, signed with no hex":   {path: "/carriers/v1/pingen", body: sent, header: map[string]string{"Signature": marker}},
		"a letter's, broken":               {path: "/carriers/v1/pingen", body: `{"data":` + marker, header: map[string]string{"Signature": signature}},
		"a letter's, empty":                {path: "/carriers/v1/pingen", header: map[string]string{"Signature": signature}},
		"a letter's, by a partner":         {path: "/carriers/v1/pingen", body: sent, header: p.headers()},
		"a fax's, of a guessed address":    {path: fax + marker, body: `{"event":"FAX_COMPLETED"}`, header: map[string]string{"Content-Type": "application/json"}},
		"a fax's, of an address like ours": {path: fax + strings.Repeat("A", 43), body: `{"event":"FAX_COMPLETED"}`},
		"a fax's, with broken IDs":         {path: "/carriers/v1/fax/%0a/%E2%80%AE/" + marker, body: marker},
		"a fax's, with endless IDs":        {path: "/carriers/v1/fax/" + strings.Repeat("a", 4000) + "/b/c"},
		"an answer, without a token":       {path: "/carriers/v1/replies", body: confirmed},
		"an answer, with a guess":          {path: "/carriers/v1/replies", body: confirmed, header: map[string]string{"Authorization": "Bearer " + marker}},
		"an answer, by a partner":          {path: "/carriers/v1/replies", body: confirmed, header: p.headers()},
	} {
		t.Run(name, func(t *testing.T) {
			r.method = http.MethodPost
			if service.samLocal && strings.Contains(r.path, "%0a") {
				refusedBySAM(t, r)
				return
			}
			refused(t, r, 401, "unauthorized")
		})
	}
	t.Run("an answer, broken", func(t *testing.T) {
		for _, broken := range []string{"", marker, `[]`, `{"cancellationId":17}`} {
			a := send(t, request{method: http.MethodPost, path: "/carriers/v1/replies", body: broken})
			assert.Contains(t, []int{400, 401}, a.status)
			assert.NotContains(t, string(a.body), marker)
		}
	})
	t.Run("a huge one", func(t *testing.T) {
		huge := strings.Repeat("x", 4<<20) // which Lambda takes, in an event of base64
		for _, path := range []string{"/carriers/v1/pingen", fax + "x"} {
			refused(t, request{method: http.MethodPost, path: path, body: huge}, 401, "unauthorized")
		}
	})
	t.Run("by another method, or elsewhere", func(t *testing.T) {
		for _, path := range []string{"/carriers/v1/pingen", fax + "x", "/carriers/v1/replies"} {
			a := refused(t, request{method: http.MethodGet, path: path}, 405, "method_not_allowed")
			assert.Equal(t, "POST", a.header.Get("Allow"))
		}
		for _, path := range []string{"/carriers/v1", "/carriers/v1/", "/carriers/v1/none", "/carriers/v1/fax/a/b",
			"/carriers/v1/fax/a/b/c/d"} {
			refused(t, request{method: http.MethodPost, path: path}, 404, "not_found")
		}
	})
	assert.Equal(t, "Created Queued Sent Delivered", p.cancellation(t, c.CancellationID).steps())
}

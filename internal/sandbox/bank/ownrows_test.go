package bank_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// put adds rows as Aviso does and returns the response's status.
func put(t *testing.T, p *TPP, consentID, resourceID, batch, rows string) int {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), "PUT", Base+"/sandbox/banks/lindenmark/test-rows/"+batch,
		strings.NewReader(`{"resourceId":"`+resourceID+`","rows":[`+rows+`]}`))
	req.Header.Set("Consent-Id", consentID)
	req.Header.Set("X-Request-Id", uuid.NewString())
	req.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	p.Handler.ServeHTTP(rec, req)
	return rec.Code
}

func ownRow(amount, day, note string) string {
	return fmt.Sprintf(`{"amount":%s,"bookingDate":%q,"counterparty":"Kornblume Markt","note":%q}`, amount, day, note)
}

func TestOwnRowsAreReported(t *testing.T) {
	p, id, a := open(t, "lindenmark")
	before, balance := everything(t, p, id, a, "both", "2026-09-01"), amounts(t, p, id)
	first := uuid.NewString()
	for range 2 { // the same batch adds once
		require.Equal(t, http.StatusNoContent, put(t, p, id, a.ResourceID, first,
			ownRow("-12.5", "2026-10-01", "one")+","+ownRow("3000", "2026-11-20", "two")))
	}
	require.Equal(t, http.StatusNoContent, put(t, p, id, a.ResourceID, uuid.NewString(),
		`{"amount":-7,"bookingDate":"2026-11-19","note":"three","merchantCategoryCode":"5411","pending":true},`+
			`{"amount":-9,"bookingDate":"2026-10-02","note":"four","mandateId":"M-7","creditorId":"DE98ZZZ09999999999"}`))
	now := everything(t, p, id, a, "both", "2026-09-01")
	require.Len(t, now.booked, len(before.booked)+3)
	require.Len(t, now.pending, len(before.pending)+1)
	found := map[string]row{}
	for _, r := range append(now.booked, now.pending...) {
		found[r.RemittanceInformationUnstructured] = r
	}
	assert.Equal(t, "-12.50", found["one"].TransactionAmount.Amount)
	assert.Equal(t, "2026-10-01", found["one"].BookingDate)
	assert.Equal(t, "Kornblume Markt", found["one"].CreditorName)
	assert.Equal(t, "Kornblume Markt", found["two"].DebtorName)
	assert.Equal(t, "PMNT-CCRD-POSD", found["three"].BankTransactionCode)
	assert.Equal(t, []string{"PMNT-RDDT-ESDD", "M-7", "DE98ZZZ09999999999"},
		[]string{found["four"].BankTransactionCode, found["four"].MandateID, found["four"].CreditorID})
	assert.NotEqual(t, balance["closingBooked"], amounts(t, p, id)["closingBooked"])

	p.Now = p.Now.AddDate(0, 0, 2)
	assert.Len(t, everything(t, p, id, a, "booked", "2026-11-22").booked, 1, "a pending row is booked")
	anew := p.Authorise(t, ConsentBody, "anna", "current")
	renewed := accounts(t, p, anew, "")[0]
	rows := everything(t, p, anew, renewed, "booked", "2026-10-01")
	kept := false
	for _, r := range rows.booked {
		kept = kept || r.RemittanceInformationUnstructured == "one" && r.EntryReference == found["one"].EntryReference
	}
	assert.True(t, kept, "the next consent has them, too, with their references")

	p.Do(t, "DELETE", "/v1/consents/"+id, nil, "") // answered with 401: it has ended
	assert.Equal(t, rows, everything(t, p, anew, renewed, "booked", "2026-10-01"))
	require.Equal(t, http.StatusNoContent, p.Do(t, "DELETE", "/v1/consents/"+anew, nil, "").StatusCode)
	anew = p.Authorise(t, ConsentBody, "anna", "current")
	left := everything(t, p, anew, accounts(t, p, anew, "")[0], "booked", "2026-10-01")
	assert.Len(t, left.booked, len(rows.booked)-4, "they went with their consent")
}

func TestOwnRowsThatAreRefused(t *testing.T) {
	p, id, a := open(t, "lindenmark")
	good := ownRow("-1", "2026-11-20", "x")
	for name, test := range map[string]struct {
		consent, account, batch, rows string
		status                        int
	}{
		"an unknown consent":      {uuid.NewString(), a.ResourceID, uuid.NewString(), good, 403},
		"an account not included": {id, uuid.NewString(), uuid.NewString(), good, 404},
		"a batch without a UUID":  {id, a.ResourceID, "1", good, 404},
		"tomorrow":                {id, a.ResourceID, uuid.NewString(), ownRow("-1", "2026-11-21", "x"), 400},
		"before the history":      {id, a.ResourceID, uuid.NewString(), ownRow("-1", "2020-11-21", "x"), 400},
		"three decimal places":    {id, a.ResourceID, uuid.NewString(), ownRow("-1.001", "2026-11-20", "x"), 400},
		"an unknown member":       {id, a.ResourceID, uuid.NewString(), `{"a":1}`, 400},
	} {
		assert.Equal(t, test.status, put(t, p, test.consent, test.account, test.batch, test.rows), name)
	}
	hundred := strings.Repeat(good+",", 99) + good
	for range 5 {
		require.Equal(t, http.StatusNoContent, put(t, p, id, a.ResourceID, uuid.NewString(), hundred))
	}
	assert.Equal(t, http.StatusConflict, put(t, p, id, a.ResourceID, uuid.NewString(), good), "500 are enough")
	p.Now = p.Now.Add(time.Second)
	p.Tell(t, "revoke")
	assert.Equal(t, 401, put(t, p, id, a.ResourceID, uuid.NewString(), good))
}

package xs2a

import (
	"bytes"
	"io"
	"net/http"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
)

// sameAnswer answers every request alike, and checks that it goes to the bank.
type sameAnswer struct {
	t           *testing.T
	status      int
	contentType string
	body        []byte
	calls       int
}

func (a *sameAnswer) RoundTrip(req *http.Request) (*http.Response, error) {
	a.calls++
	assert.Equal(a.t, "https://b.example:443", pfm.Origin(req.URL))
	return &http.Response{
		StatusCode: a.status, Header: http.Header{"Content-Type": {a.contentType}}, Request: req,
		Body: io.NopCloser(bytes.NewReader(a.body)),
	}, nil
}

// FuzzAnswer gives one answer to every call. The client returns clean values or a
// *pfm.SupplierError, calls nobody but the bank, and stops.
func FuzzAnswer(f *testing.F) {
	for _, body := range []string{
		``, `{}`, `{"consentStatus":"valid","validUntil":"2026-12-31"}`, `{"consentStatus":"\u202e"}`, tppMessage("CONSENT_EXPIRED"),
		`{"accounts":[{"resourceId":"r","iban":"DE1","currency":"EUR","_links":{"balances":{"href":"/psd2/v1/b"}}}],"balances":[]}`,
		`{"accounts":[{"resourceId":"../x","currency":"EUR"}]}`,
		`{"accounts":[{"resourceId":"r","currency":"EUR","_links":{"balances":{"href":"//evil.example"}}}]}`,
		`{"balances":[{"balanceType":"expected","balanceAmount":{"currency":"EUR","amount":"-0.1e9"}}]}`,
		`{"consentId":"c","_links":{"scaRedirect":{"href":"https://login.b.example/x"}}}`,
		`{"consentId":"c","_links":{"startAuthorisation":{"href":"/psd2/v1/a"},"scaRedirect":{"href":"javascript:alert(1)"}}}`,
		`{"transactions":{"booked":[]},"_links":{"next":{"href":"/psd2/v1/accounts/r/transactions?page=2"}}}`,
	} {
		f.Add(200, "application/json", []byte(body))
	}
	f.Add(400, "application/problem+json", []byte(`{"code":"PARAMETER_NOT_SUPPORTED"}`))
	f.Add(429, "text/html", []byte(`<html>`))
	bank := pfm.BankEndpoint{BaseURL: "https://b.example/psd2"}
	f.Fuzz(func(t *testing.T, status int, contentType string, body []byte) {
		if status < 200 || status > 599 || status >= 300 && status < 400 {
			return // net/http follows redirects itself
		}
		answer := &sameAnswer{t: t, status: status, contentType: contentType, body: body}
		c := client(func(o *Options) { o.Transport = answer })
		failed := func(err error) bool {
			if err == nil {
				return false
			}
			var e *pfm.SupplierError
			require.ErrorAs(t, err, &e)
			return true
		}

		if accounts, err := c.Accounts(t.Context(), bank, session); !failed(err) {
			for _, a := range accounts {
				assert.Regexp(t, `^([A-Z]{3})?$`, a.Currency)
				assert.True(t, isIdentifier(a.ResourceID) || a.Incomplete)
				for _, r := range a.IBAN + a.BBAN + a.MaskedPAN + a.Name + a.Product + a.CashAccountType {
					assert.False(t, unicode.IsControl(r))
				}
				for _, b := range a.Balances {
					assert.Regexp(t, `^([A-Z]{3})?$`, b.Currency)
				}
			}
		}
		if requested, err := c.RequestConsent(t.Context(), bank, pfm.ConsentRequest{}); !failed(err) {
			assert.True(t, isIdentifier(requested.Session.ConsentID))
			assert.Regexp(t, `^https?://[^/]`, requested.Next.URL)
		}
		_, err := c.Consent(t.Context(), bank, pfm.Session{ConsentID: "c"})
		failed(err)
		assert.LessOrEqual(t, answer.calls, 2000, "the client follows the bank for ever")
	})
}

package xs2a

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outbound"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

var session = pfm.Session{ConsentID: "c-1"}

// secrets are in the bank's texts in these tests and must not be in errors.
var secrets = []string{"Erika", "Mustermann", "DE40100100103307118608"}

func TestRefusalKinds(t *testing.T) {
	for _, tt := range []struct {
		status int
		code   string
		read   pfm.SupplierErrorKind
	}{
		{400, "FORMAT_ERROR", pfm.SupplierRejected},
		{400, "PARAMETER_NOT_CONSISTENT", pfm.SupplierRejected},
		{400, "PARAMETER_NOT_SUPPORTED", pfm.SupplierRejected},
		{400, "SERVICE_INVALID", pfm.SupplierRejected},
		{400, "RESOURCE_UNKNOWN", pfm.SupplierRejected},
		{400, "RESOURCE_EXPIRED", pfm.SupplierRejected},
		{400, "RESOURCE_BLOCKED", pfm.SupplierRejected},
		{400, "TIMESTAMP_INVALID", pfm.SupplierRejected},
		{400, "PERIOD_INVALID", pfm.SupplierRejected},
		{400, "SCA_METHOD_UNKNOWN", pfm.SupplierRejected},
		{400, "SCA_INVALID", pfm.SupplierRejected},
		{400, "CONSENT_UNKNOWN", pfm.SupplierConsentUnknown},
		{400, "SESSIONS_NOT_SUPPORTED", pfm.SupplierRejected},
		{401, "CERTIFICATE_INVALID", pfm.SupplierRejected},
		{401, "CERTIFICATE_EXPIRED", pfm.SupplierRejected},
		{401, "CERTIFICATE_BLOCKED", pfm.SupplierRejected},
		{401, "CERTIFICATE_REVOKED", pfm.SupplierRejected},
		{401, "CERTIFICATE_MISSING", pfm.SupplierRejected},
		{401, "ROLE_INVALID", pfm.SupplierRejected},
		{401, "SIGNATURE_INVALID", pfm.SupplierRejected},
		{401, "SIGNATURE_MISSING", pfm.SupplierRejected},
		{401, "CORPORATE_ID_INVALID", pfm.SupplierRejected},
		{401, "PSU_CREDENTIALS_INVALID", pfm.SupplierRejected},
		{401, "TOKEN_UNKNOWN", pfm.SupplierRejected},
		{401, "TOKEN_INVALID", pfm.SupplierRejected},
		{401, "TOKEN_EXPIRED", pfm.SupplierRejected},
		{401, "CONSENT_EXPIRED", pfm.SupplierConsentExpired},
		{403, "CONSENT_EXPIRED", pfm.SupplierConsentExpired},
		{401, "CONSENT_INVALID", pfm.SupplierConsentInvalid},
		{403, "CONSENT_INVALID", pfm.SupplierConsentInvalid},
		{401, "CONSENT_UNKNOWN", pfm.SupplierConsentUnknown},
		{403, "CONSENT_UNKNOWN", pfm.SupplierConsentUnknown},
		{403, "SERVICE_BLOCKED", pfm.SupplierRejected},
		{404, "RESOURCE_UNKNOWN", pfm.SupplierRejected},
		{405, "SERVICE_INVALID", pfm.SupplierRejected},
		{406, "REQUESTED_FORMATS_INVALID", pfm.SupplierRejected},
		{408, "", pfm.SupplierUnavailable},
		{409, "STATUS_INVALID", pfm.SupplierRejected},
		{415, "", pfm.SupplierRejected},
		{429, "ACCESS_EXCEEDED", pfm.SupplierRateLimited},
		{429, "", pfm.SupplierRateLimited},
		{403, "ACCESS_EXCEEDED", pfm.SupplierRateLimited},
		{401, "", pfm.SupplierRejected},
		{404, "", pfm.SupplierRejected},
		{500, "", pfm.SupplierUnavailable},
		{502, "", pfm.SupplierUnavailable},
		{503, "CONSENT_EXPIRED", pfm.SupplierUnavailable},
		{304, "", pfm.SupplierInvalidResponse},
	} {
		t.Run(strings.TrimSpace(http.StatusText(tt.status)+" "+tt.code), func(t *testing.T) {
			p := newPeer(t)
			// For this URL there is no simpler form to try.
			body := ""
			if tt.status != http.StatusNotModified {
				body = tppMessage(tt.code)
			}
			p.on("GET /v1/accounts/a/balances", tt.status, body)
			to := must(follow(p.bank, must(address(p.bank, "accounts")), "/v1/accounts/a/balances"))

			r := read(pfm.BankEndpoint{}, session, readBalances)
			r.link = to.String()
			_, err := client().balances(t.Context(), r)

			e := requireKind(t, err, tt.read)
			assert.Equal(t, tt.status, e.Status)
			assert.Equal(t, tt.code, e.BankCode)
			assert.Equal(t, "read balances", e.Operation)
			for _, secret := range append(secrets, "c-1", "127.0.0.1") {
				assert.NotContains(t, err.Error(), secret)
			}
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestMessageCode(t *testing.T) {
	for name, tt := range map[string]struct{ body, want string }{
		"the standard's form":             {tppMessage("CONSENT_EXPIRED"), "CONSENT_EXPIRED"},
		"RFC 7807":                        {`{"type":"https://b.example/p","code":"CONSENT_EXPIRED"}`, "CONSENT_EXPIRED"},
		"RFC 7807 with more errors":       {`{"code":"FORMAT_ERROR","additionalErrors":[{"code":"CONSENT_UNKNOWN"}]}`, "CONSENT_UNKNOWN"},
		"a bare list":                     {` [{"category":"ERROR","code":"ACCESS_EXCEEDED"}]`, "ACCESS_EXCEEDED"},
		"the consent before other errors": {`{"tppMessages":[{"code":"FORMAT_ERROR"},{"code":"CONSENT_INVALID"}]}`, "CONSENT_INVALID"},
		"the first of other errors":       {`{"tppMessages":[{"code":"PERIOD_INVALID"},{"code":"FORMAT_ERROR"}]}`, "PERIOD_INVALID"},
		"no warning": {
			`{"tppMessages":[{"category":"WARNING","code":"CONSENT_INVALID"},{"code":"FORMAT_ERROR"}]}`, "FORMAT_ERROR",
		},
		"no code of the bank's own":         {tppMessage("DE40100100103307118608"), ""},
		"no code in lower case":             {tppMessage("consent_expired"), ""},
		"nothing in an empty body":          {"", ""},
		"nothing in a page of HTML":         {"<html>Erika Mustermann</html>", ""},
		"nothing in a broken list":          {`[{"code":`, ""},
		"nothing in an unknown object":      {`{"error":"invalid_token"}`, ""},
		"nothing in messages of wrong type": {`{"tppMessages":"CONSENT_EXPIRED"}`, ""},
		"nothing in a null":                 {`null`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tt.want, messageCode([]byte(tt.body)))
		})
	}
}

func TestRefusalReadsCodesFromJSONWhateverItsName(t *testing.T) {
	for contentType, want := range map[string]string{
		"application/json":                        "CONSENT_EXPIRED",
		"application/problem+json; charset=utf-8": "CONSENT_EXPIRED",
		"text/plain":                              "CONSENT_EXPIRED",
		"":                                        "CONSENT_EXPIRED",
	} {
		p := newPeer(t)
		p.answer("GET /v1/consents/c", answer{401, map[string]string{"Content-Type": contentType}, tppMessage("CONSENT_EXPIRED")})

		_, err := client().Consent(t.Context(), p.bank, pfm.Session{ConsentID: "c"})

		var e *pfm.SupplierError
		require.ErrorAs(t, err, &e)
		assert.Equal(t, want, e.BankCode, contentType)
	}
}

func TestRefusalWithEndlessBodyIsStillARefusal(t *testing.T) {
	p := newPeer(t).on("GET /v1/consents/c", 401, strings.Repeat("x", bankwire.MaxErrorResponse+1))

	_, err := client().Consent(t.Context(), p.bank, pfm.Session{ConsentID: "c"})

	requireKind(t, err, pfm.SupplierRejected)
}

func TestRetryAfter(t *testing.T) {
	for name, tt := range map[string]struct {
		header string
		want   time.Duration
	}{
		"seconds":                 {"120", 2 * time.Minute},
		"a date":                  {testNow.Add(time.Hour).Format(http.TimeFormat), time.Hour},
		"nothing for a past date": {testNow.Add(-time.Hour).Format(http.TimeFormat), 0},
		"at most a day":           {"864000", 24 * time.Hour},
		"at most a day by date":   {testNow.AddDate(1, 0, 0).Format(http.TimeFormat), 24 * time.Hour},
		"no overflow":             {"18446744073709551615", 24 * time.Hour},
		"nothing for a negative":  {"-5", 0},
		"nothing for text":        {"soon", 0},
		"nothing if empty":        {"", 0},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tt.want, outbound.RetryAfter(tt.header, testNow, 24*time.Hour))
		})
	}

	t.Run("is set for limits and outages", func(t *testing.T) {
		for _, status := range []int{429, 503} {
			p := newPeer(t)
			p.answer("GET /v1/consents/c", answer{status: status, header: map[string]string{"Retry-After": "90"}})

			_, err := client().Consent(t.Context(), p.bank, pfm.Session{ConsentID: "c"})

			var e *pfm.SupplierError
			require.ErrorAs(t, err, &e)
			assert.Equal(t, 90*time.Second, e.RetryAfter)
			assert.True(t, e.Temporary())
		}
	})
}

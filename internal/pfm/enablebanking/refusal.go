package enablebanking

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"aviso/internal/outbound"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

const (
	// limitPause is how long to wait after a limit if the aggregator does not say it.
	limitPause    = 6 * time.Hour
	maxRetryAfter = 24 * time.Hour
)

// kinds are the aggregator's codes, and how to react to each. Its HTTP status says less. A
// code that is not here is dropped.
var kinds = map[string]pfm.SupplierErrorKind{
	"ASPSP_ERROR":               pfm.SupplierUnavailable,
	"ASPSP_TIMEOUT":             pfm.SupplierUnavailable,
	"ASPSP_RATE_LIMIT_EXCEEDED": pfm.SupplierRateLimited,

	"EXPIRED_SESSION":           pfm.SupplierConsentExpired,
	"CLOSED_SESSION":            pfm.SupplierConsentExpired,
	"REVOKED_SESSION":           pfm.SupplierConsentInvalid,
	"WRONG_SESSION_STATUS":      pfm.SupplierConsentInvalid,
	"ASPSP_PSU_ACTION_REQUIRED": pfm.SupplierConsentInvalid,
	"SESSION_DOES_NOT_EXIST":    pfm.SupplierConsentUnknown,

	// Our application's set-up: an operator mends it, so users need not do anything.
	"AUTHORIZATION_NOT_PROVIDED": pfm.SupplierUnavailable,
	"UNAUTHORIZED_ACCESS":        pfm.SupplierUnavailable,
	"UNAUTHORIZED_IP":            pfm.SupplierUnavailable,
	"INVALID_HOST":               pfm.SupplierUnavailable,
	"ACCESS_DENIED":              pfm.SupplierUnavailable,
	"NO_ACCOUNTS_ADDED":          pfm.SupplierUnavailable,
	"REDIRECT_URI_NOT_ALLOWED":   pfm.SupplierUnavailable,
	"WRONG_ASPSP_PROVIDED":       pfm.SupplierUnavailable,
	// A key that has gone bad: the next sync begins the list again.
	"WRONG_CONTINUATION_KEY": pfm.SupplierUnavailable,

	"ASPSP_ACCOUNT_NOT_ACCESSIBLE": pfm.SupplierRejected,
	"ACCOUNT_DOES_NOT_EXIST":       pfm.SupplierRejected,
	"INVALID_ACCOUNT_ID":           pfm.SupplierRejected,
	"EXPIRED_AUTHORIZATION_CODE":   pfm.SupplierRejected,
	"WRONG_AUTHORIZATION_CODE":     pfm.SupplierRejected,
	"ALREADY_AUTHORIZED":           pfm.SupplierRejected,
	"WRONG_CREDENTIALS_PROVIDED":   pfm.SupplierRejected,
	wrongPeriod:                    pfm.SupplierRejected,
	"WRONG_REQUEST_PARAMETERS":     pfm.SupplierRejected,
	"WRONG_DATE_INTERVAL":          pfm.SupplierRejected,
	"DATE_FROM_IN_FUTURE":          pfm.SupplierRejected,
	"DATE_TO_WITHOUT_DATE_FROM":    pfm.SupplierRejected,
	"TRANSACTION_DOES_NOT_EXIST":   pfm.SupplierRejected,
	"PSU_HEADER_NOT_PROVIDED":      pfm.SupplierRejected,
	"PSU_HEADER_INVALID":           pfm.SupplierRejected,
}

const (
	wrongPeriod = "WRONG_TRANSACTIONS_PERIOD"
	// periodInvalid is the port's code for a history that is too long.
	periodInvalid = "PERIOD_INVALID"
)

// refusal is what the body of a refusal says.
type refusal struct {
	code string
	// consentOver says that the bank no longer accepts the consent, although the
	// aggregator's session goes on.
	consentOver bool
}

// readRefusal reads a refusal. Some are not JSON, and some are the bank's own.
func readRefusal(body []byte) refusal {
	var w struct {
		Error  json.RawMessage `json:"error"`
		Detail json.RawMessage `json:"detail"`
	}
	var r refusal
	if json.Unmarshal(body, &w) != nil {
		return r
	}
	var code string
	if json.Unmarshal(w.Error, &code) == nil {
		if _, known := kinds[code]; known {
			r.code = code
		}
	}
	r.consentOver = r.code == "ASPSP_ERROR" && saysConsentOver(string(w.Detail))
	return r
}

// saysConsentOver looks for the bank's own code, whatever surrounds it.
func saysConsentOver(detail string) bool {
	for _, code := range []string{
		"CONSENT_EXPIRED", "CONSENT_INVALID", "CONSENT_UNKNOWN", "TOKEN_EXPIRED", "TOKEN_INVALID", "TOKEN_UNKNOWN",
		"INVALID_GRANT",
	} {
		if strings.Contains(strings.ToUpper(detail), code) {
			return true
		}
	}
	return false
}

// isAboutOurKey reports whether the aggregator does not accept our token. Such refusals
// have no code.
func (r refusal) isAboutOurKey(status int) bool {
	return r.code == "" && (status == http.StatusUnauthorized || status == http.StatusForbidden)
}

// refused returns the error of a response with a status other than 2xx.
func (c *Client) refused(of request, resp *http.Response, r refusal) *pfm.SupplierError {
	if r.isAboutOurKey(resp.StatusCode) { // it may have been replaced
		c.applications.forget(of.bank.ASPSP.Secret)
	}
	e := bankwire.Failure(of.op, r.kind(resp.StatusCode), resp.StatusCode, nil)
	e.BankCode = r.code
	if r.code == wrongPeriod {
		e.BankCode = periodInvalid
	}
	if e.Kind == pfm.SupplierRateLimited {
		e.RetryAfter = outbound.RetryAfter(resp.Header.Get("Retry-After"), c.caller.Now(), maxRetryAfter)
		if e.RetryAfter == 0 {
			e.RetryAfter = limitPause
		}
	}
	return e
}

func (r refusal) kind(status int) pfm.SupplierErrorKind {
	switch {
	case r.consentOver:
		return pfm.SupplierConsentInvalid
	case r.code != "":
		return kinds[r.code]
	case status == http.StatusTooManyRequests:
		return pfm.SupplierRateLimited
	case status >= 500, status == http.StatusRequestTimeout, r.isAboutOurKey(status):
		return pfm.SupplierUnavailable
	case status < 400:
		return pfm.SupplierInvalidResponse
	default:
		return pfm.SupplierRejected
	}
}

package enablebanking

import (
	"encoding/json"
	"net/http"
	"slices"
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

// kindOf says how to react to a code of the aggregator, whose HTTP status says less. It returns "" for a
// code that it does not know.
func kindOf(code string) pfm.SupplierErrorKind {
	switch code {
	case "ASPSP_RATE_LIMIT_EXCEEDED":
		return pfm.SupplierRateLimited
	case "EXPIRED_SESSION", "CLOSED_SESSION":
		return pfm.SupplierConsentExpired
	case "REVOKED_SESSION", "WRONG_SESSION_STATUS", "ASPSP_PSU_ACTION_REQUIRED":
		return pfm.SupplierConsentInvalid
	case "SESSION_DOES_NOT_EXIST":
		return pfm.SupplierConsentUnknown
	case "ASPSP_ERROR", "ASPSP_TIMEOUT",
		// Our application's set-up: an operator mends it, so users need not do anything.
		"AUTHORIZATION_NOT_PROVIDED", "UNAUTHORIZED_ACCESS", "UNAUTHORIZED_IP", "INVALID_HOST", "ACCESS_DENIED",
		"NO_ACCOUNTS_ADDED", "REDIRECT_URI_NOT_ALLOWED", "WRONG_ASPSP_PROVIDED",
		// A key that has gone bad: the next sync begins the list again.
		"WRONG_CONTINUATION_KEY":
		return pfm.SupplierUnavailable
	case "ASPSP_ACCOUNT_NOT_ACCESSIBLE", "ACCOUNT_DOES_NOT_EXIST", "INVALID_ACCOUNT_ID", "EXPIRED_AUTHORIZATION_CODE",
		"WRONG_AUTHORIZATION_CODE", "ALREADY_AUTHORIZED", "WRONG_CREDENTIALS_PROVIDED", wrongPeriod,
		"WRONG_REQUEST_PARAMETERS", "WRONG_DATE_INTERVAL", "DATE_FROM_IN_FUTURE", "DATE_TO_WITHOUT_DATE_FROM",
		"TRANSACTION_DOES_NOT_EXIST", "PSU_HEADER_NOT_PROVIDED", "PSU_HEADER_INVALID":
		return pfm.SupplierRejected
	default:
		return ""
	}
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
	if json.Unmarshal(w.Error, &code) == nil && kindOf(code) != "" {
		r.code = code
	}
	r.consentOver = r.code == "ASPSP_ERROR" && saysConsentOver(string(w.Detail))
	return r
}

// saysConsentOver looks for the bank's own code, whatever surrounds it.
func saysConsentOver(detail string) bool {
	return slices.ContainsFunc([]string{
		"CONSENT_EXPIRED", "CONSENT_INVALID", "CONSENT_UNKNOWN", "TOKEN_EXPIRED", "TOKEN_INVALID", "TOKEN_UNKNOWN",
		"INVALID_GRANT",
	}, func(code string) bool { return strings.Contains(strings.ToUpper(detail), code) })
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
		return kindOf(r.code)
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

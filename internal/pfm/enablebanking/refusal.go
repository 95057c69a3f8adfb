package enablebanking

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// limitPause is the wait after a rate limit if the aggregator does not send one.
const limitPause = 6 * time.Hour

// kindOf returns the kind of error for a code of the aggregator, which says more than the HTTP status. It returns ""
// for an unknown code.
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
		// Our application's set-up: an operator must correct it, users cannot.
		"AUTHORIZATION_NOT_PROVIDED", "UNAUTHORIZED_ACCESS", "UNAUTHORIZED_IP", "INVALID_HOST", "ACCESS_DENIED",
		"NO_ACCOUNTS_ADDED", "REDIRECT_URI_NOT_ALLOWED", "WRONG_ASPSP_PROVIDED",
		// An expired continuation key: the next sync starts the list again.
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

// refused returns the error of a response with a status other than 2xx. Some of these are not JSON, and some come
// from the bank.
func (c *Client) refused(bank pfm.BankEndpoint, status int, body []byte) *pfm.SupplierError {
	var w bankwire.Object
	_ = json.Unmarshal(body, &w)
	code := bankwire.Get[string](w, "error")
	e := &pfm.SupplierError{Kind: kindOf(code), BankCode: code}
	switch {
	case code == "ASPSP_ERROR" && saysConsentOver(string(w["detail"])):
		e.Kind = pfm.SupplierConsentInvalid // the aggregator's session remains valid, though
	case code == wrongPeriod:
		e.BankCode = periodInvalid
	case e.Kind == "":
		e.Kind, e.BankCode = bankwire.RefusalKind(status), ""
		if status == http.StatusUnauthorized || status == http.StatusForbidden { // our key may have been replaced
			e.Kind = pfm.SupplierUnavailable
			c.tokens.Forget(bank.ASPSP.Secret)
		}
	}
	if e.Kind == pfm.SupplierRateLimited {
		e.RetryAfter = limitPause
	}
	return e
}

// saysConsentOver looks for the bank's own code anywhere in the text.
func saysConsentOver(detail string) bool {
	return slices.ContainsFunc([]string{
		"CONSENT_EXPIRED", "CONSENT_INVALID", "CONSENT_UNKNOWN", "TOKEN_EXPIRED", "TOKEN_INVALID", "TOKEN_UNKNOWN",
		"INVALID_GRANT",
	}, func(code string) bool { return strings.Contains(strings.ToUpper(detail), code) })
}

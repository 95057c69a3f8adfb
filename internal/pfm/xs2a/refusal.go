package xs2a

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

var (
	errBadEndpoint   = errors.New("base URL is not an absolute http or https URL")
	errBadIdentifier = errors.New("malformed identifier")
)

// consentKinds are the codes that determine the kind with any 4xx status, because banks use them with different
// statuses.
var consentKinds = map[string]pfm.SupplierErrorKind{
	"CONSENT_EXPIRED": pfm.SupplierConsentExpired,
	"CONSENT_INVALID": pfm.SupplierConsentInvalid,
	"CONSENT_UNKNOWN": pfm.SupplierConsentUnknown,
}

// standardCodes are the standard's message codes for the Account Information Service. Any other code is the bank's
// own text and is dropped.
var standardCodes = map[string]bool{
	"ACCESS_EXCEEDED": true, "CERTIFICATE_BLOCKED": true, "CERTIFICATE_EXPIRED": true,
	"CERTIFICATE_INVALID": true, "CERTIFICATE_MISSING": true, "CERTIFICATE_REVOKED": true,
	"CONSENT_EXPIRED": true, "CONSENT_INVALID": true, "CONSENT_UNKNOWN": true,
	"CORPORATE_ID_INVALID": true, "FORMAT_ERROR": true, "PARAMETER_NOT_CONSISTENT": true,
	"PARAMETER_NOT_SUPPORTED": true, "PERIOD_INVALID": true, "PSU_CREDENTIALS_INVALID": true,
	"REQUESTED_FORMATS_INVALID": true, "RESOURCE_BLOCKED": true, "RESOURCE_EXPIRED": true,
	"RESOURCE_UNKNOWN": true, "ROLE_INVALID": true, "SCA_INVALID": true, "SCA_METHOD_UNKNOWN": true,
	"SERVICE_BLOCKED": true, "SERVICE_INVALID": true, "SESSIONS_NOT_SUPPORTED": true,
	"SIGNATURE_INVALID": true, "SIGNATURE_MISSING": true, "STATUS_INVALID": true,
	"TIMESTAMP_INVALID": true, "TOKEN_EXPIRED": true, "TOKEN_INVALID": true, "TOKEN_UNKNOWN": true,
}

// refusal returns the error for a response with a status other than 2xx.
func refusal(r request, status int, body []byte) *pfm.SupplierError {
	code := messageCode(body)
	if r.form != nil {
		code = tokenErrorCode(body)
	}
	kind := refusalKind(r, status, code)
	if kind == pfm.SupplierRejected && isFault(r, status, body) {
		kind = pfm.SupplierUnavailable
	}
	return &pfm.SupplierError{Kind: kind, BankCode: code}
}

// isFault reports whether a web page has come instead of the bank's answer about an authorisation: a gateway sends it
// while the bank cannot be reached, with statuses such as 400 and 404. With 401 and 403 it may be about our rights.
func isFault(r request, status int, body []byte) bool {
	isAuthorisation := r.form != nil ||
		slices.Contains([]string{requestConsent, startAuthorisation, readSCAStatus, readMetadata}, r.op)
	return isAuthorisation && status != http.StatusUnauthorized && status != http.StatusForbidden &&
		bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
}

func refusalKind(r request, status int, code string) pfm.SupplierErrorKind {
	kind := bankwire.RefusalKind(status)
	consentKind, isAboutConsent := consentKinds[code]
	switch {
	case kind != pfm.SupplierRejected:
		return kind
	case refusesToken(r, status, code), r.op == renewToken && code == invalidGrant:
		return pfm.SupplierConsentInvalid
	case code == "ACCESS_EXCEEDED":
		return pfm.SupplierRateLimited
	case r.op == requestConsent, r.op == startAuthorisation:
		// No consent is valid yet, so none can have ended: CONSENT_INVALID refers to the request.
		return kind
	case isAboutConsent:
		return consentKind
	case r.op != readConsent && r.op != endConsent:
		return kind
	case code == "RESOURCE_EXPIRED":
		return pfm.SupplierConsentExpired
	case code == "RESOURCE_UNKNOWN", status == http.StatusNotFound, status == http.StatusGone:
		return pfm.SupplierConsentUnknown
	default:
		return kind
	}
}

// refusesForm reports whether err means that the bank does not support an optional form of the request. A simpler
// form is then worth a call. FORMAT_ERROR is one of the codes, because banks validate query parameters before they
// interpret them.
func refusesForm(err error) bool {
	e := pfm.FailureOf(err)
	return e.Status == http.StatusBadRequest && slices.Contains([]string{
		"PARAMETER_NOT_SUPPORTED", "PARAMETER_NOT_CONSISTENT", "SERVICE_INVALID", "FORMAT_ERROR",
	}, e.BankCode)
}

// refusesRows reports whether err may be about an optional parameter of a read. Banks use all kinds of statuses and
// codes for that. So any refusal counts unless it is about the consent or a rate limit.
func refusesRows(err error) bool {
	e := pfm.FailureOf(err)
	return e.Kind == pfm.SupplierRejected && e.BankCode != "PERIOD_INVALID" || e.Status == http.StatusNotImplemented
}

// message is an element of tppMessages, or of additionalErrors in the RFC 7807 form, which has a title and a detail.
type message struct {
	Category string        `json:"category"`
	Code     string        `json:"code"`
	Text     bankwire.Text `json:"text"`
	Title    bankwire.Text `json:"title"`
	Detail   bankwire.Text `json:"detail"`
}

// messagesOf returns the messages of an error body in either form. Some banks send only the list of messages, like an
// example of the standard.
func messagesOf(body []byte) (messages []message) {
	var response struct {
		message
		TPPMessages      []message `json:"tppMessages"`
		AdditionalErrors []message `json:"additionalErrors"`
	}
	switch {
	case json.Unmarshal(body, &messages) == nil:
	case json.Unmarshal(body, &response) == nil:
		messages = slices.Concat(response.TPPMessages, []message{response.message}, response.AdditionalErrors)
	}
	return messages
}

// own returns the bank's own words in an error body.
func own(body []byte) string {
	var all []string
	for _, m := range messagesOf(body) {
		for _, text := range []string{bankwire.Clean(m.Code), string(m.Text), string(m.Title), string(m.Detail)} {
			if text != "" && !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	return strings.Join(all, ", ")
}

// messageCode returns the standard's code from an error body. If there are several, one about the consent's state takes
// precedence.
func messageCode(body []byte) string {
	first := ""
	for _, m := range messagesOf(body) {
		if m.Category == "WARNING" || !standardCodes[m.Code] {
			continue
		}
		if _, ok := consentKinds[m.Code]; ok {
			return m.Code
		}
		if first == "" {
			first = m.Code
		}
	}
	return first
}

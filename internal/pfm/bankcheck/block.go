package bankcheck

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"aviso/internal/pfm"
)

// block adds the finding for an error that ends the check.
func (c *Checker) block(r *Report, err error) {
	seen := inWords(err)
	e, ok := errors.AsType[*pfm.SupplierError](err)
	if !ok {
		r.add(refused, seen, nil)
		return
	}
	code, settings := c.reason(e)
	if e.RetryAfter > 0 {
		seen += ", to be repeated after " + e.RetryAfter.String()
	}
	if code == noAnswer && errors.Is(e, context.DeadlineExceeded) {
		seen = e.Operation + ": no answer in time"
	}
	r.add(code, seen, settings)
}

// reason returns the code of an error, and the settings that answer it.
func (c *Checker) reason(e *pfm.SupplierError) (Code, map[string]any) {
	cause := ""
	if e.Err != nil {
		cause = e.Err.Error()
	}
	isAbout := func(text string) bool { return strings.Contains(cause, text) }
	asks := e.Operation == "request consent" || e.Operation == "start authorisation"
	switch {
	case strings.HasPrefix(cause, "certificate "):
		return ownCertificate, nil
	case isAbout("TLS"):
		return tlsRefused, map[string]any{"endpoint.transportSecret": "<name of the secret>"}
	case isAbout("no client ID"):
		return clientIDMissing, map[string]any{"endpoint.sca.clientId": "<your ID at the bank>"}
	case isAbout("PKCE"):
		return noPKCE, nil
	case isAbout("no redirect"):
		return embeddedOnly, nil
	case e.Kind == pfm.SupplierRateLimited:
		return rateLimited, nil
	case e.Kind == pfm.SupplierUnavailable && e.Status == 0:
		return noAnswer, nil
	case e.Kind == pfm.SupplierUnavailable:
		return serverError, nil
	case e.Kind == pfm.SupplierInvalidResponse:
		return unreadableAnswer, nil
	case strings.HasPrefix(e.BankCode, "CERTIFICATE_"), e.BankCode == "ROLE_INVALID":
		return certificateRefused, map[string]any{"endpoint.transportSecret": "<name of the secret>"}
	case strings.HasPrefix(e.BankCode, "SIGNATURE_"):
		return sealWanted, map[string]any{"endpoint.sealSecret": "<name of the secret>"}
	case asks && (strings.HasPrefix(e.BankCode, "TOKEN_") || e.BankCode == "" && e.Status == http.StatusUnauthorized):
		return tokenWanted, map[string]any{
			"endpoint.sca.tokenFirst": true, "endpoint.sca.metadataUrl": "<address of the server's metadata>",
		}
	case asks && c.refusalNames("PSU-ID"):
		return psuIDWanted, map[string]any{"endpoint.sca.asksPsuId": true}
	case asks && (e.BankCode == "CONSENT_INVALID" || c.refusalNames("iban")):
		return ibansWanted, map[string]any{"endpoint.sca.asksIbans": true}
	case !asks && (e.Kind == pfm.SupplierConsentExpired || e.Kind == pfm.SupplierConsentInvalid ||
		e.Kind == pfm.SupplierConsentUnknown):
		return consentNotHonoured, nil
	default:
		return refused, nil
	}
}

// refusalNames reports whether the last refusal has a word in its text or its path.
func (c *Checker) refusalNames(word string) bool {
	for _, e := range slices.Backward(c.seen) {
		if e.Status >= http.StatusBadRequest {
			return strings.Contains(strings.ToLower(string(e.Body)), strings.ToLower(word))
		}
	}
	return false
}

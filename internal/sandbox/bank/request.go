package bank

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"net/url"

	"aviso/internal/sandbox/persona"
)

// maxBody is far larger than any request of the standard, and than a batch of own rows.
const maxBody = 256 << 10

// consentRequest is the body of POST /v1/consents. All members are required: pointers
// distinguish a missing member from a false or empty one.
type consentRequest struct {
	Access                   *Access `json:"access"`
	RecurringIndicator       *bool   `json:"recurringIndicator"`
	ValidUntil               *string `json:"validUntil"`
	FrequencyPerDay          *int    `json:"frequencyPerDay"`
	CombinedServiceIndicator *bool   `json:"combinedServiceIndicator"`
}

// readJSON reads one JSON object without unknown members.
func readJSON(w http.ResponseWriter, r *http.Request, into any) error {
	if media, _, err := mime.ParseMediaType(header(r, "Content-Type")); err != nil || media != "application/json" {
		return &tppError{status: http.StatusUnsupportedMediaType, code: "FORMAT_ERROR", path: "Content-Type",
			text: "The body must be application/json."}
	}
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return formatError(wrong.Field, "The member has the wrong type.")
		}
		return formatError("", "The body is not a JSON object as defined by the standard.")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return formatError("", "The body holds more than one JSON value.")
	}
	return nil
}

// psuAddress reports whether the request carries the customer's address. IPv6 is allowed
// although the standard's document has the format ipv4: customers do use IPv6, and their
// address must be forwarded as it is.
func psuAddress(r *http.Request) (bool, error) {
	value := header(r, "PSU-IP-Address")
	if value == "" {
		return false, nil
	}
	if a, err := netip.ParseAddr(value); err != nil || a.Zone() != "" {
		return false, formatError("PSU-IP-Address", "The header must be an IP address.")
	}
	return true, nil
}

// redirects reads where to send the customer. This bank supports the redirect approach
// only.
func redirects(r *http.Request) (ok, nok string, err error) {
	switch header(r, "TPP-Redirect-Preferred") {
	case "", "true":
	case "false":
		return "", "", badRequest("PARAMETER_NOT_SUPPORTED", "TPP-Redirect-Preferred",
			"The bank supports only the redirect approach.")
	default:
		return "", "", formatError("TPP-Redirect-Preferred", "The header must be true or false.")
	}
	ok, nok = header(r, "TPP-Redirect-URI"), header(r, "TPP-Nok-Redirect-URI")
	if !isReturnURL(ok) {
		return "", "", formatError("TPP-Redirect-URI",
			"The header is required and must be an absolute http or https address.")
	}
	if nok != "" && !isReturnURL(nok) {
		return "", "", formatError("TPP-Nok-Redirect-URI", "The header must be an absolute http or https address.")
	}
	return ok, nok, nil
}

func isReturnURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil &&
		u.Fragment == ""
}

// check validates the request and returns the day up to which the consent is valid.
func (c consentRequest) check(today persona.Day) (persona.Day, error) {
	switch {
	case c.Access == nil:
		return 0, formatError("access", "The member is required.")
	case c.RecurringIndicator == nil:
		return 0, formatError("recurringIndicator", "The member is required.")
	case c.ValidUntil == nil:
		return 0, formatError("validUntil", "The member is required.")
	case c.FrequencyPerDay == nil:
		return 0, formatError("frequencyPerDay", "The member is required.")
	case c.CombinedServiceIndicator == nil:
		return 0, formatError("combinedServiceIndicator", "The member is required.")
	case *c.CombinedServiceIndicator:
		return 0, badRequest("SESSIONS_NOT_SUPPORTED", "combinedServiceIndicator",
			"The bank does not combine services.")
	case *c.FrequencyPerDay < 1 || *c.FrequencyPerDay > 4:
		return 0, formatError("frequencyPerDay", "The member must be from 1 to 4.")
	case !*c.RecurringIndicator && *c.FrequencyPerDay != 1:
		return 0, formatError("frequencyPerDay", "The frequency of a one-off access must be 1.")
	}
	until, err := persona.ParseDay(*c.ValidUntil)
	if err != nil {
		return 0, formatError("validUntil", "The member must be a day as YYYY-MM-DD.")
	}
	if until < today {
		return 0, badRequest("PERIOD_INVALID", "validUntil", "The day is in the past.")
	}
	return until, c.Access.check()
}

// check requires exactly one of the ways to ask for access.
func (a Access) check() error {
	ways := 0
	for path, value := range map[string]string{
		"access/allPsd2": a.AllPSD2, "access/availableAccounts": a.AvailableAccounts,
		"access/availableAccountsWithBalance": a.AvailableAccountsWithBalance,
	} {
		switch value {
		case "":
		case "allAccounts", "allAccountsWithOwnerName":
			ways++
		default:
			return formatError(path, "The member must be allAccounts or allAccountsWithOwnerName.")
		}
	}
	listed, empty := false, false
	for _, list := range a.lists() {
		listed = listed || list != nil
		empty = empty || list != nil && len(list) == 0
		for _, ref := range list {
			if (ref.IBAN == "") == (ref.MaskedPAN == "") || ref.IBAN != "" && !isIBAN(ref.IBAN) ||
				ref.MaskedPAN != "" && !isMaskedPAN(ref.MaskedPAN) || ref.Currency != "" && !isCurrency(ref.Currency) {
				return formatError("access",
					"An account needs an IBAN or a masked card number, and optionally a currency.")
			}
		}
	}
	if listed {
		ways++
	}
	switch {
	case ways != 1:
		return formatError("access", "The access must use exactly one of the ways to ask for accounts.")
	case empty && a.dedicated():
		return formatError("access", "If one list is empty, all must be empty.")
	case len(a.RestrictedTo) > 0 && a.dedicated():
		return formatError("access/restrictedTo", "The member must not be used with named accounts.")
	case a.AdditionalInformation != nil && !listed:
		return formatError("access/additionalInformation", "The member requires a list of accounts.")
	}
	return nil
}

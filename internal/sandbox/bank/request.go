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

// maxBody is far above any request of the standard.
const maxBody = 64 << 10

// consentRequest is the body of POST /v1/consents. Pointers tell a missing
// member from a false or empty one: all of them are required.
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
		return &refusal{status: http.StatusUnsupportedMediaType, code: "FORMAT_ERROR", path: "Content-Type", text: "The body must be application/json."}
	}
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return formatError(wrong.Field, "The member has the wrong type.")
		}
		return formatError("", "The body is not the JSON object of the standard.")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return formatError("", "The body holds more than one JSON value.")
	}
	return nil
}

// psuAddress is the customer's address; false where the header is missing. IPv6
// is let through although the standard's document has the format ipv4: customers
// do come by IPv6, and their address must be forwarded as it is.
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

// redirects reads where the customer is to be sent. This bank knows the redirect
// approach only.
func redirects(r *http.Request) (ok, nok string, err error) {
	switch header(r, "TPP-Redirect-Preferred") {
	case "", "true":
	case "false":
		return "", "", badRequest("PARAMETER_NOT_SUPPORTED", "TPP-Redirect-Preferred", "The bank offers the redirect approach only.")
	default:
		return "", "", formatError("TPP-Redirect-Preferred", "The header must be true or false.")
	}
	ok, nok = header(r, "TPP-Redirect-URI"), header(r, "TPP-Nok-Redirect-URI")
	if !returnAddress(ok) {
		return "", "", formatError("TPP-Redirect-URI", "The header is required and must be an absolute http or https address.")
	}
	if nok != "" && !returnAddress(nok) {
		return "", "", formatError("TPP-Nok-Redirect-URI", "The header must be an absolute http or https address.")
	}
	return ok, nok, nil
}

func returnAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil && u.Fragment == ""
}

// check tells whether a consent with this content can be offered, and as which
// day its validUntil is read.
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
		return 0, badRequest("SESSIONS_NOT_SUPPORTED", "combinedServiceIndicator", "The bank does not combine services.")
	case *c.FrequencyPerDay < 1 || *c.FrequencyPerDay > 4:
		return 0, formatError("frequencyPerDay", "The member must be from 1 to 4.")
	case !*c.RecurringIndicator && *c.FrequencyPerDay != 1:
		return 0, formatError("frequencyPerDay", "A one-off access has the frequency 1.")
	}
	until, err := persona.ParseDay(*c.ValidUntil)
	if err != nil {
		return 0, formatError("validUntil", "The member must be a day as YYYY-MM-DD.")
	}
	if until < today {
		return 0, badRequest("PERIOD_INVALID", "validUntil", "The day has passed.")
	}
	return until, c.Access.check()
}

// check allows exactly one of the ways to ask for access.
func (a Access) check() error {
	ways := 0
	for path, value := range map[string]string{
		"access/allPsd2": a.AllPSD2, "access/availableAccounts": a.AvailableAccounts, "access/availableAccountsWithBalance": a.AvailableAccountsWithBalance,
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
				return formatError("access", "An account is named by an IBAN or a masked card number, and optionally a currency.")
			}
		}
	}
	if listed {
		ways++
	}
	switch {
	case ways != 1:
		return formatError("access", "The access must ask in exactly one way.")
	case empty && a.dedicated():
		return formatError("access", "Where one list is empty, all must be.")
	case len(a.RestrictedTo) > 0 && a.dedicated():
		return formatError("access/restrictedTo", "The member does not go with named accounts.")
	case a.AdditionalInformation != nil && !listed:
		return formatError("access/additionalInformation", "The member needs a list of accounts.")
	}
	return nil
}

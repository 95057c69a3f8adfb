package xs2a

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// unattendedPerDay is how often a day the accounts may be read without the user. It
// is the maximum that the standard allows without an agreement with the bank.
const unattendedPerDay = 4

// wireAccess is the accountAccess of a request, in one of three forms.
type wireAccess struct {
	Accounts     *[]namedAccount `json:"accounts,omitempty"`
	Balances     *[]namedAccount `json:"balances,omitempty"`
	Transactions *[]namedAccount `json:"transactions,omitempty"`
	AllPSD2      string          `json:"allPsd2,omitempty"`
}

type namedAccount struct {
	IBAN string `json:"iban"`
}

// bankOffered names no accounts, so that the user picks them at the bank.
func bankOffered() wireAccess {
	return wireAccess{Balances: &[]namedAccount{}, Transactions: &[]namedAccount{}}
}

// global is for banks that do not offer the choice.
func global() wireAccess { return wireAccess{AllPSD2: "allAccounts"} }

type wireConsentRequest struct {
	Access                   wireAccess `json:"access"`
	RecurringIndicator       bool       `json:"recurringIndicator"`
	ValidUntil               pfm.Date   `json:"validUntil"`
	FrequencyPerDay          int        `json:"frequencyPerDay"`
	CombinedServiceIndicator bool       `json:"combinedServiceIndicator"`
}

// named asks for these accounts only.
func named(ibans []string) wireAccess {
	list := make([]namedAccount, len(ibans))
	for i, iban := range ibans {
		list[i] = namedAccount{IBAN: iban}
	}
	return wireAccess{Accounts: &list, Balances: &list, Transactions: &list}
}

// requestAccess requests a bank-offered consent, for which the user picks the accounts at
// the bank. If the bank does not support that, it requests a consent for all accounts. If
// the user has named accounts, it requests a consent for those.
func (c *Client) requestAccess(
	ctx context.Context, bank pfm.BankEndpoint, req pfm.ConsentRequest, s pfm.Session, a pfm.UserAnswer,
) (scaAnswer, error) {
	if len(a.IBANs) > 0 {
		return c.createConsent(ctx, bank, req, s, a, named(a.IBANs))
	}
	created, err := c.createConsent(ctx, bank, req, s, a, bankOffered())
	if refusesForm(err) || refusesCompletion(err) {
		created, err = c.createConsent(ctx, bank, req, s, a, global())
	}
	return created, err
}

// refusesCompletion reports whether the bank requires the request to name the
// accounts, for which the standard's code is CONSENT_INVALID.
func refusesCompletion(err error) bool {
	e := pfm.FailureOf(err)
	return e.Kind == pfm.SupplierRejected && e.BankCode == "CONSENT_INVALID"
}

func (c *Client) createConsent(
	ctx context.Context, bank pfm.BankEndpoint, req pfm.ConsentRequest, s pfm.Session, a pfm.UserAnswer,
	access wireAccess,
) (scaAnswer, error) {
	header := userHeader(req, a)
	header["TPP-Explicit-Authorisation-Preferred"] = "false"
	var created scaAnswer
	err := c.do(ctx, request{
		bank: bank, op: requestConsent, method: http.MethodPost, path: []string{"consents"},
		header: header, session: s,
		body: wireConsentRequest{
			Access:             access,
			RecurringIndicator: true,
			ValidUntil:         req.ValidUntil,
			FrequencyPerDay:    unattendedPerDay,
		},
	}, func(at *url.URL, body []byte) (err error) {
		if created, err = c.readSCA(bank, at, body); err == nil && !isIdentifier(created.consentID) {
			err = errBadIdentifier
		}
		return err
	})
	return created, err
}

// userHeader returns the headers about the user and where to redirect them back.
func userHeader(req pfm.ConsentRequest, a pfm.UserAnswer) map[string]string {
	return withPSUHeaders(map[string]string{
		"PSU-IP-Address":                req.PSUIPAddress,
		"PSU-ID":                        bankwire.Clean(a.PSUID),
		"PSU-User-Agent":                bankwire.Clean(req.PSUUserAgent),
		"TPP-Redirect-Preferred":        "true",
		"TPP-Redirect-URI":              req.RedirectURL,
		"TPP-Nok-Redirect-URI":          req.RefusedURL,
		"TPP-Brand-Logging-Information": req.Brand,
	}, req.PSUHeaders)
}

// Consent reads the consent. A state that the standard does not define is an invalid
// response, since nobody knows what it allows.
func (c *Client) Consent(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) (pfm.Consent, error) {
	var consent pfm.Consent
	err := c.do(ctx, request{
		bank: bank, op: readConsent, method: http.MethodGet, path: []string{"consents", s.ConsentID}, session: s,
	}, func(_ *url.URL, body []byte) error {
		var w struct {
			ConsentStatus pfm.ConsentState `json:"consentStatus"`
			ValidUntil    day              `json:"validUntil"`
			LastAction    day              `json:"lastActionDate"`
			Links         json.RawMessage  `json:"_links"`
		}
		if err := bankwire.Unmarshal(body, &w); err != nil {
			return err
		}
		switch w.ConsentStatus {
		case pfm.ConsentReceived, pfm.ConsentPartiallyAuthorised, pfm.ConsentValid, pfm.ConsentRejected,
			pfm.ConsentRevokedByPSU, pfm.ConsentExpired, pfm.ConsentTerminatedByTPP:
			consent = pfm.Consent{
				State: w.ConsentStatus, ValidUntil: pfm.Date(w.ValidUntil), LastAction: pfm.Date(w.LastAction),
			}
			var on links
			if bankwire.Unmarshal(w.Links, &on) == nil {
				consent.CardAccounts = on["card-account"].Href != "" || on["cardAccount"].Href != ""
			}
			return nil
		default:
			return bankwire.ErrMalformed
		}
	})
	return consent, err
}

// EndConsent deletes the consent, and then revokes its token. Nobody else uses the session
// any longer, so a token that has expired is renewed for that.
func (c *Client) EndConsent(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) error {
	if renewed, err := c.RenewSession(ctx, bank, s); err == nil {
		s = renewed
	}
	var err error
	if s.ConsentID != "" { // else a token came first, and no consent after it
		err = c.deleteConsent(ctx, bank, s)
	}
	if err == nil {
		c.revoke(ctx, bank, s)
	}
	return err
}

// deleteConsent deletes the consent. Banks refuse in different ways to delete a consent
// that has already ended, so after a refusal deleteConsent checks the state.
func (c *Client) deleteConsent(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) error {
	err := c.do(ctx, request{
		bank: bank, op: endConsent, method: http.MethodDelete, path: []string{"consents", s.ConsentID}, session: s,
	}, nil)
	switch pfm.FailureOf(err).Kind {
	case pfm.SupplierConsentUnknown, pfm.SupplierConsentExpired:
		return nil
	case pfm.SupplierConsentInvalid, pfm.SupplierRejected:
		if c.hasEnded(ctx, bank, s) {
			return nil
		}
	}
	return err
}

func (c *Client) hasEnded(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) bool {
	consent, err := c.Consent(ctx, bank, s)
	kind := pfm.FailureOf(err).Kind
	return kind == pfm.SupplierConsentUnknown || kind == pfm.SupplierConsentExpired || slices.Contains([]pfm.ConsentState{
		pfm.ConsentRejected, pfm.ConsentRevokedByPSU, pfm.ConsentExpired, pfm.ConsentTerminatedByTPP,
	}, consent.State)
}

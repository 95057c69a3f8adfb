package xs2a

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"aviso/internal/pfm"
)

// errNoRedirect says that the bank only authorises users in ways that we do not
// support: embedded, decoupled or by OAuth 2.0.
var errNoRedirect = errors.New("bank offers no redirect")

// unattendedPerDay is how often a day the accounts may be read without the user. It
// is the maximum that the standard allows without an agreement with the bank.
const unattendedPerDay = 4

// wireAccess is the accountAccess of a request, in one of two forms.
type wireAccess struct {
	Balances     *[]string `json:"balances,omitempty"`
	Transactions *[]string `json:"transactions,omitempty"`
	AllPSD2      string    `json:"allPsd2,omitempty"`
}

// bankOffered names no accounts, so that the user picks them at the bank.
func bankOffered() wireAccess {
	return wireAccess{Balances: &[]string{}, Transactions: &[]string{}}
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

// RequestConsent requests a bank-offered consent, for which the user picks the
// accounts at the bank. If the bank does not support that, it requests a consent for
// all accounts. It starts the authorisation if the bank has not.
func (c *Client) RequestConsent(
	ctx context.Context, bank pfm.BankEndpoint, req pfm.ConsentRequest,
) (pfm.ConsentProgress, error) {
	to, err := address(bank, "consents")
	if err != nil {
		return pfm.ConsentProgress{}, failure(requestConsent, pfm.SupplierRejected, 0, err)
	}
	created, err := c.createConsent(ctx, bank, to, req, bankOffered())
	if refusesForm(err) || refusesCompletion(err) {
		created, err = c.createConsent(ctx, bank, to, req, global())
	}
	if err == nil && created.start != nil {
		created.redirect, err = c.startAuthorisation(ctx, bank, created.start, req)
	}
	if err != nil {
		return pfm.ConsentProgress{}, err
	}
	return pfm.ConsentProgress{
		Session: pfm.Session{ConnectionID: req.ConnectionID, ConsentID: created.id},
		Next:    pfm.Step{Kind: pfm.StepRedirect, URL: created.redirect.String()},
	}, nil
}

// ContinueConsent reads how the consent stands after the user has been at the bank.
func (c *Client) ContinueConsent(
	ctx context.Context, bank pfm.BankEndpoint, _ pfm.ConsentRequest, s pfm.Session, _ pfm.UserAnswer,
) (pfm.ConsentProgress, error) {
	consent, err := c.Consent(ctx, bank, s)
	return pfm.ConsentProgress{Session: s, Consent: consent}, err
}

// RenewSession returns the session, which needs nothing but the consent's ID.
func (c *Client) RenewSession(_ context.Context, _ pfm.BankEndpoint, s pfm.Session) (pfm.Session, error) {
	return s, nil
}

// refusesCompletion reports whether the bank requires the request to name the
// accounts, for which the standard's code is CONSENT_INVALID.
func refusesCompletion(err error) bool {
	var e *pfm.SupplierError
	return errors.As(err, &e) && e.Kind == pfm.SupplierRejected && e.BankCode == "CONSENT_INVALID"
}

// createdConsent is a new consent, with either the URL to which to redirect the user
// or the URL with which to start the authorisation first.
type createdConsent struct {
	id              string
	redirect, start *url.URL
}

func (c *Client) createConsent(
	ctx context.Context, bank pfm.BankEndpoint, to *url.URL, req pfm.ConsentRequest, access wireAccess,
) (createdConsent, error) {
	header := userHeader(req)
	header["TPP-Explicit-Authorisation-Preferred"] = "false"
	var created createdConsent
	err := c.do(ctx, request{
		bank: bank, op: requestConsent, method: http.MethodPost, url: to, header: header,
		body: wireConsentRequest{
			Access:             access,
			RecurringIndicator: true,
			ValidUntil:         req.ValidUntil,
			FrequencyPerDay:    unattendedPerDay,
		},
	}, func(body []byte) error {
		var w struct {
			ConsentID string `json:"consentId"`
			Links     links  `json:"_links"`
		}
		if err := unmarshal(body, &w); err != nil {
			return err
		}
		if !isIdentifier(w.ConsentID) {
			return errBadIdentifier
		}
		created.id = w.ConsentID
		var err error
		if start, ok := w.Links["startAuthorisation"]; ok && w.Links["scaRedirect"].Href == "" {
			created.start, err = follow(bank, to, start.Href)
		} else {
			created.redirect, err = scaRedirect(bank, to, w.Links)
		}
		return err
	})
	return created, err
}

// startAuthorisation starts the authorisation explicitly, for banks that do not
// start it with the consent.
func (c *Client) startAuthorisation(
	ctx context.Context, bank pfm.BankEndpoint, to *url.URL, req pfm.ConsentRequest,
) (*url.URL, error) {
	var redirect *url.URL
	err := c.do(ctx, request{
		bank: bank, op: startAuthorisation, method: http.MethodPost, url: to, header: userHeader(req), body: struct{}{},
	}, func(body []byte) error {
		var w struct {
			Links links `json:"_links"`
		}
		err := unmarshal(body, &w)
		if err == nil {
			redirect, err = scaRedirect(bank, to, w.Links)
		}
		return err
	})
	return redirect, err
}

// scaRedirect returns the URL where the user authorises the consent. It may be on
// any host.
func scaRedirect(bank pfm.BankEndpoint, from *url.URL, l links) (*url.URL, error) {
	link, ok := l["scaRedirect"]
	if !ok {
		return nil, errNoRedirect
	}
	return resolve(bank, from, link.Href)
}

// userHeader returns the headers about the user and where to redirect them back.
func userHeader(req pfm.ConsentRequest) map[string]string {
	return map[string]string{
		"PSU-IP-Address":         req.PSUIPAddress,
		"PSU-User-Agent":         clean(req.PSUUserAgent),
		"TPP-Redirect-Preferred": "true",
		"TPP-Redirect-URI":       req.RedirectURL,
		"TPP-Nok-Redirect-URI":   req.RefusedURL,
	}
}

// Consent reads the consent. A state that the standard does not define is an invalid
// response, since nobody knows what it allows.
func (c *Client) Consent(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) (pfm.Consent, error) {
	to, err := address(bank, "consents", s.ConsentID)
	if err != nil {
		return pfm.Consent{}, failure(readConsent, pfm.SupplierRejected, 0, err)
	}
	var consent pfm.Consent
	err = c.do(ctx, request{bank: bank, op: readConsent, method: http.MethodGet, url: to}, func(body []byte) error {
		var w struct {
			ConsentStatus pfm.ConsentState `json:"consentStatus"`
			ValidUntil    day              `json:"validUntil"`
			LastAction    day              `json:"lastActionDate"`
		}
		if err := unmarshal(body, &w); err != nil {
			return err
		}
		switch w.ConsentStatus {
		case pfm.ConsentReceived, pfm.ConsentPartiallyAuthorised, pfm.ConsentValid, pfm.ConsentRejected,
			pfm.ConsentRevokedByPSU, pfm.ConsentExpired, pfm.ConsentTerminatedByTPP:
			consent = pfm.Consent{
				State: w.ConsentStatus, ValidUntil: pfm.Date(w.ValidUntil), LastAction: pfm.Date(w.LastAction),
			}
			return nil
		default:
			return errMalformed
		}
	})
	return consent, err
}

// EndConsent deletes the consent. Banks refuse in different ways to delete a consent
// that has already ended, so after a refusal EndConsent checks the state.
func (c *Client) EndConsent(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) error {
	to, err := address(bank, "consents", s.ConsentID)
	if err != nil {
		return failure(endConsent, pfm.SupplierRejected, 0, err)
	}
	err = c.do(ctx, request{bank: bank, op: endConsent, method: http.MethodDelete, url: to}, nil)
	var e *pfm.SupplierError
	if !errors.As(err, &e) {
		return err
	}
	switch e.Kind {
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
	if err != nil {
		var e *pfm.SupplierError
		return errors.As(err, &e) && (e.Kind == pfm.SupplierConsentUnknown || e.Kind == pfm.SupplierConsentExpired)
	}
	switch consent.State {
	case pfm.ConsentRejected, pfm.ConsentRevokedByPSU, pfm.ConsentExpired, pfm.ConsentTerminatedByTPP:
		return true
	default:
		return false
	}
}

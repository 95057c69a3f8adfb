package xs2a

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// unattendedPerDay is how often a day the accounts may be read without the user. It is the standard's maximum without
// an agreement with the bank.
const unattendedPerDay = 4

// requestAccess requests a bank-offered consent: the user picks the accounts at the bank. If the bank does not
// support that, it requests a consent for all accounts. If the user has named accounts, it requests a consent for
// those.
func (c *Client) requestAccess(ctx context.Context, a attempt) (scaAnswer, error) {
	named := []map[string]string{}
	for _, iban := range a.answer.IBANs {
		named = append(named, map[string]string{"iban": iban})
	}
	access := map[string]any{"balances": named, "transactions": named}
	if len(named) > 0 {
		access["accounts"] = named
		return c.createConsent(ctx, a, access)
	}
	created, err := c.createConsent(ctx, a, access)
	if refusesForm(err) || refusesCompletion(err) {
		created, err = c.createConsent(ctx, a, map[string]any{"allPsd2": "allAccounts"})
	}
	return created, err
}

// refusesCompletion reports whether the bank requires named accounts. The standard's code for that is
// CONSENT_INVALID.
func refusesCompletion(err error) bool {
	e := pfm.FailureOf(err)
	return e.Kind == pfm.SupplierRejected && e.BankCode == "CONSENT_INVALID"
}

func (c *Client) createConsent(ctx context.Context, a attempt, access map[string]any) (scaAnswer, error) {
	return c.authorise(ctx, a, request{
		op: requestConsent, method: http.MethodPost, path: []string{"consents"},
		body: map[string]any{
			"access": access, "recurringIndicator": true, "validUntil": a.req.ValidUntil,
			"frequencyPerDay": unattendedPerDay, "combinedServiceIndicator": false,
		},
	})
}

// Consent reads the consent. A state that the standard does not define is an invalid response, because its meaning is
// unknown.
func (c *Client) Consent(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) (pfm.Consent, error) {
	var w struct {
		State      pfm.ConsentState `json:"consentStatus"`
		ValidUntil bankwire.Day     `json:"validUntil"`
		LastAction bankwire.Day     `json:"lastActionDate"`
		Access     bankwire.Object  `json:"access"`
		Links      bankwire.Object  `json:"_links"`
	}
	r := request{bank: bank, op: readConsent, path: []string{"consents", s.ConsentID}, session: s}
	err := c.do(ctx, r, &w, func(*url.URL) error {
		switch w.State {
		case pfm.ConsentReceived, pfm.ConsentPartiallyAuthorised, pfm.ConsentValid, pfm.ConsentRejected,
			pfm.ConsentRevokedByPSU, pfm.ConsentExpired, pfm.ConsentTerminatedByTPP:
			return nil
		default:
			return bankwire.ErrMalformed
		}
	})
	if err != nil {
		return pfm.Consent{}, err
	}
	// A bank that fills one list in fills the other in, too. Before the user has chosen, both are empty.
	names := func(right string) bool { return len(bankwire.Get[[]bankwire.Object](w.Access, right)) > 0 }
	return pfm.Consent{
		State: w.State, ValidUntil: pfm.Date(w.ValidUntil), LastAction: pfm.Date(w.LastAction), Access: pfm.Access{
			CardAccounts: href(w.Links, "card-account") != "" || href(w.Links, "cardAccount") != "",
			NoBalances:   names("transactions") && !names("balances"),
			NoRows:       names("balances") && !names("transactions"),
		},
	}, nil
}

// EndConsent deletes the consent, and then revokes its token. To do so it renews an expired token, because
// nobody else uses the session.
func (c *Client) EndConsent(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) error {
	if renewed, err := c.RenewSession(ctx, bank, s); err == nil {
		s = renewed
	}
	if s.ConsentID != "" { // a session without a consent has only a token
		if err := c.deleteConsent(ctx, bank, s); err != nil {
			return err
		}
	}
	c.revoke(ctx, bank, s)
	return nil
}

// deleteConsent deletes the consent. Banks have different errors for a consent that has already ended, so after a
// refusal deleteConsent checks the state.
func (c *Client) deleteConsent(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) error {
	err := c.do(ctx, request{
		bank: bank, op: endConsent, method: http.MethodDelete, path: []string{"consents", s.ConsentID}, session: s,
	}, nil, nil)
	switch kind := pfm.FailureOf(err).Kind; {
	case isGone(kind):
		return nil
	case kind == pfm.SupplierConsentInvalid, kind == pfm.SupplierRejected:
		consent, lookup := c.Consent(ctx, bank, s)
		if isGone(pfm.FailureOf(lookup).Kind) || slices.Contains([]pfm.ConsentState{
			pfm.ConsentRejected, pfm.ConsentRevokedByPSU, pfm.ConsentExpired, pfm.ConsentTerminatedByTPP,
		}, consent.State) {
			return nil
		}
	}
	return err
}

func isGone(kind pfm.SupplierErrorKind) bool {
	return kind == pfm.SupplierConsentUnknown || kind == pfm.SupplierConsentExpired
}

package bank

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/sandbox/persona"
	"aviso/internal/sandbox/sandboxdb"
)

// consentRequest is the body of POST /v1/consents. All members are required: pointers
// distinguish a missing member from a false or empty one.
type consentRequest struct {
	Access                   *Access `json:"access"`
	RecurringIndicator       *bool   `json:"recurringIndicator"`
	ValidUntil               *string `json:"validUntil"`
	FrequencyPerDay          *int    `json:"frequencyPerDay"`
	CombinedServiceIndicator *bool   `json:"combinedServiceIndicator"`
}

// check validates the request and returns the day up to which the consent is valid.
func (c consentRequest) check(today persona.Day) (persona.Day, error) {
	for _, member := range []struct {
		name    string
		missing bool
	}{
		{"access", c.Access == nil}, {"recurringIndicator", c.RecurringIndicator == nil},
		{"validUntil", c.ValidUntil == nil}, {"frequencyPerDay", c.FrequencyPerDay == nil},
		{"combinedServiceIndicator", c.CombinedServiceIndicator == nil},
	} {
		if member.missing {
			return 0, formatError(member.name, "The member is required.")
		}
	}
	until, err := persona.ParseDay(*c.ValidUntil)
	switch {
	case *c.CombinedServiceIndicator:
		return 0, badRequest("SESSIONS_NOT_SUPPORTED", "combinedServiceIndicator", "The bank does not combine services.")
	case *c.FrequencyPerDay < 1 || *c.FrequencyPerDay > 4:
		return 0, formatError("frequencyPerDay", "The member must be from 1 to 4.")
	case !*c.RecurringIndicator:
		return 0, formatError("recurringIndicator", "The bank offers recurring access only.")
	case err != nil:
		return 0, formatError("validUntil", "The member must be a day as YYYY-MM-DD.")
	case until < today:
		return 0, badRequest("PERIOD_INVALID", "validUntil", "The day is in the past.")
	}
	return until, c.Access.check()
}

func (c *call) createConsent() error {
	present, err := c.psuAddress()
	if err != nil {
		return err
	}
	if !present {
		return formatError("PSU-IP-Address", "The header is required.")
	}
	ok, nok, err := c.redirects()
	if err != nil {
		return err
	}
	var body consentRequest
	if err := c.readJSON(&body); err != nil {
		return err
	}
	var customer TokenGrant // who has logged in, if tokens come first
	if c.Traits.SCA == scaTokenFirst {
		if customer, err = c.bearer(); err != nil {
			return err
		}
	}
	until, err := body.check(c.today)
	if err != nil {
		return err
	}
	consent := Consent{
		Bank: c.Slug, ID: c.NewID(), State: Received, Access: *body.Access,
		// A day beyond the bank's limit is adjusted, not rejected.
		ValidUntil: min(until, c.today+persona.Day(c.MaxConsentDays)), LastAction: c.today,
		FrequencyPerDay: *body.FrequencyPerDay, Ahead: clock.From(c.r.Context()).Ahead,
		AuthoriseBy: c.now.Add(authoriseWithin), Brand: c.r.Header.Get("TPP-Brand-Logging-Information"),
	}
	self := "/v1/consents/" + consent.ID
	on := links{"self": c.href(self), "status": c.href(self + "/status")}
	records := []sandboxdb.Record{consent}
	switch {
	case c.Traits.SCA.wantsPSUID():
		on["startAuthorisationWithPsuIdentification"] = link{c.base() + c.Path() + self + "/authorisations"}
	case c.Traits.SCA == scaOAuth2:
		on["scaOAuth"] = link{c.base() + c.MetadataPath()}
	default:
		a := c.newAuthorisation(&consent, ok, nok)
		a.Persona, a.CustomerNumber = customer.Persona, customer.CustomerNumber
		records = []sandboxdb.Record{consent, a}
		on["scaRedirect"], on["scaStatus"] = c.scaRedirect(a), c.href(a.path())
	}
	if err := c.Store.Save(c.r.Context(), records...); err != nil {
		return fmt.Errorf("save new consent: %w", err)
	}
	return c.created(on["self"], map[string]any{"consentStatus": consent.State, "consentId": consent.ID, "_links": on})
}

// created writes the answer about something new.
func (c *call) created(at link, body any) error {
	c.w.Header().Set("Location", at.Href)
	// The standard has no approach for OAuth 2.0: that is a redirect, too.
	c.w.Header().Set("ASPSP-SCA-Approach", "REDIRECT")
	if c.Traits.SCA == scaDecoupled {
		c.w.Header().Set("ASPSP-SCA-Approach", "DECOUPLED")
	}
	return c.json(http.StatusCreated, body)
}

// newAuthorisation creates a link to the consent page and adds it to the consent.
func (c *call) newAuthorisation(consent *Consent, ok, nok string) Authorisation {
	a := Authorisation{
		Bank: c.Slug, ID: c.NewID(), ConsentID: consent.ID, Status: SCAReceived, RedirectURI: ok, NokRedirectURI: nok,
		ExpiresAt: c.now.Add(authoriseWithin),
	}
	consent.Authorisations = append(consent.Authorisations, a.ID)
	consent.AuthoriseBy = a.ExpiresAt
	return a
}

// path returns the authorisation's path in the interface.
func (a Authorisation) path() string {
	return "/v1/consents/" + a.ConsentID + "/authorisations/" + a.ID
}

// scaRedirect is for a browser and therefore absolute at every bank.
func (c *call) scaRedirect(a Authorisation) link {
	return link{c.base() + c.Path() + "/authorise/" + a.ID}
}

// sameTime is more than what lies between two requests at a time that stands still, or that they
// take: it is not worth a write.
const sameTime = time.Minute

// consent reads a consent, and keeps on it the time that the service has told. The call is then
// at the time of the consent's customer.
func (c *call) consent(id string) (Consent, error) {
	told := clock.From(c.r.Context()).Ahead
	for uuid.Validate(id) == nil { // every consent ID is a UUID
		consent, err := stored(c, Consent{Bank: c.Slug, ID: id})
		if err == nil && told != 0 && (told-consent.Ahead).Abs() >= sameTime {
			consent.Ahead = told
			err = c.Store.Save(c.r.Context(), consent)
			consent.Version++
		}
		switch {
		case err == nil:
			c.of(consent)
			return consent, nil
		case errors.Is(err, outcome.ErrChanged):
			continue
		case !errors.Is(err, outcome.ErrNotFound):
			return consent, fmt.Errorf("read consent: %w", err)
		}
		break
	}
	return Consent{}, newTPPError(http.StatusForbidden, "CONSENT_UNKNOWN", "The consent does not exist.")
}

// withConsent loads the consent in the path for a handler.
func withConsent(answer func(c *call, consent Consent) error) handler {
	return func(c *call) error {
		consent, err := c.consent(c.r.PathValue("consent"))
		if err == nil && c.Traits.SCA == scaTokenFirst {
			err = c.checkToken(consent)
		}
		if err != nil {
			return err
		}
		return answer(c, consent)
	}
}

func (c *call) getConsentStatus(consent Consent) error {
	return c.json(http.StatusOK, map[string]any{"consentStatus": consent.status(c.now, c.today)})
}

func (c *call) getConsent(consent Consent) error {
	status := consent.status(c.now, c.today)
	info := map[string]any{
		"access": consent.Access, "recurringIndicator": true, "validUntil": consent.ValidUntil.String(),
		"frequencyPerDay": consent.FrequencyPerDay, "lastActionDate": consent.LastAction.String(), "consentStatus": status,
	}
	if status == Valid {
		on := links{"account": c.href("/v1/accounts")}
		if c.Traits.CardAccounts {
			on["card-account"] = c.href("/v1/card-accounts")
		}
		info["_links"] = on
	}
	// If the customer chose the accounts, the access shows that choice. A consent for all
	// accounts keeps its form, as in the standard.
	if p, found := persona.Find(consent.Persona); found && len(consent.Grants) > 0 && consent.Access.listed() {
		var picked Access
		for acc, g := range c.granted(p, consent) {
			ref := reference(acc)
			picked.Accounts = append(picked.Accounts, ref)
			if g.Balances {
				picked.Balances = append(picked.Balances, ref)
			}
			if g.Transactions {
				picked.Transactions = append(picked.Transactions, ref)
			}
		}
		info["access"] = picked
	}
	return c.json(http.StatusOK, info)
}

// granted yields the accounts that the customer picked.
func (lb localBank) granted(p persona.Persona, consent Consent) func(func(persona.Account, Grant) bool) {
	return func(yield func(persona.Account, Grant) bool) {
		for _, acc := range lb.accounts(p) {
			for _, g := range consent.Grants {
				if g.Account == acc.Key && !yield(acc, g) {
					return
				}
			}
		}
	}
}

func (c *call) deleteConsent(consent Consent) error {
	if err := c.deleteOwnRows(&consent); err != nil {
		return fmt.Errorf("delete own rows: %w", err)
	}
	switch consent.status(c.now, c.today) {
	case Received, Valid:
	case Expired:
		return unauthorised("CONSENT_EXPIRED", "The consent has expired.")
	default:
		return unauthorised("CONSENT_INVALID", "The consent has already ended.")
	}
	consent.State, consent.LastAction = TerminatedByTPP, c.today
	if err := c.save(consent); err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

// startAuthorisation creates another link to the consent page while the consent is
// undecided. It also gives the customer more time.
func (c *call) startAuthorisation(consent Consent) error {
	if _, err := c.psuAddress(); err != nil {
		return err
	}
	ok, nok, err := c.redirects()
	if err != nil {
		return err
	}
	// The redirect approach has no members in the body.
	if err := c.readJSON(&struct{}{}); err != nil {
		return err
	}
	if consent.status(c.now, c.today) != Received {
		return newTPPError(http.StatusConflict, "STATUS_INVALID", "The consent can no longer be authorised.")
	}
	a := c.newAuthorisation(&consent, ok, nok)
	if c.Traits.SCA.wantsPSUID() {
		p, known := persona.Find(c.r.Header.Get("PSU-ID"))
		if !known {
			return unauthorised("PSU_CREDENTIALS_INVALID", "The PSU-ID is missing or unknown.")
		}
		a.Persona, a.CustomerNumber = p.ID, "psu"
	}
	status := c.href(a.path())
	on := links{"scaStatus": status}
	body := map[string]any{"scaStatus": a.Status, "authorisationId": a.ID, "_links": on}
	var more []sandboxdb.Record
	if c.Traits.SCA == scaDecoupled {
		a.RedirectURI, a.NokRedirectURI = "", ""
		request := c.newAppRequest(a)
		more = append(more, request)
		body["psuMessage"] = fmt.Sprintf("Open the app at %s and confirm the request %s.",
			c.base()+c.Path()+"/app", request.Code)
	} else {
		on["scaRedirect"] = c.scaRedirect(a)
	}
	if err := c.save(append(more, consent, a)...); err != nil {
		return err
	}
	return c.created(status, body)
}

func (c *call) getSCAStatus(consent Consent) error {
	id := c.r.PathValue("authorisation")
	if !slices.Contains(consent.Authorisations, id) {
		return newTPPError(http.StatusForbidden, "RESOURCE_UNKNOWN", "The consent has no such authorisation.")
	}
	a, err := stored(c, Authorisation{Bank: c.Slug, ID: id})
	if err != nil {
		return fmt.Errorf("read authorisation: %w", err)
	}
	return c.json(http.StatusOK, map[string]any{"scaStatus": a.status(c.now)})
}

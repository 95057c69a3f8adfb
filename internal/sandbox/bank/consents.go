package bank

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/google/uuid"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
	"aviso/internal/sandbox/sandboxdb"
)

func (s *server) createConsent(w http.ResponseWriter, r *http.Request, lb localBank) error {
	present, err := psuAddress(r)
	if err != nil {
		return err
	}
	if !present {
		return formatError("PSU-IP-Address", "The header is required.")
	}
	ok, nok, err := redirects(r)
	if err != nil {
		return err
	}
	var body consentRequest
	if err := readJSON(w, r, &body); err != nil {
		return err
	}
	var customer TokenGrant // who has logged in, if tokens come first
	if lb.Traits.SCA == scaTokenFirst {
		if customer, err = s.bearer(r, lb); err != nil {
			return err
		}
	}
	now := s.now(r)
	today := lb.today(now)
	until, err := body.check(today)
	if err != nil {
		return err
	}
	c := Consent{
		Bank: lb.Slug, ID: s.NewID(), State: Received, Access: *body.Access, Recurring: *body.RecurringIndicator,
		// A day beyond the bank's limit is adjusted, not rejected.
		ValidUntil: min(until, today+persona.Day(lb.MaxConsentDays)), LastAction: today,
		FrequencyPerDay: *body.FrequencyPerDay, Ahead: clock.From(r.Context()).Ahead,
	}
	c.AuthoriseBy = now.Add(authoriseWithin)
	if lb.Traits.SCA.wantsPSUID() || lb.Traits.SCA == scaOAuth2 {
		kind, to := "startAuthorisationWithPsuIdentification", lb.Path()+"/v1/consents/"+c.ID+"/authorisations"
		if lb.Traits.SCA == scaOAuth2 {
			kind, to = "scaOAuth", lb.MetadataPath()
		}
		if err := s.Store.Save(r.Context(), c); err != nil {
			return fmt.Errorf("save new consent: %w", err)
		}
		return s.createdConsent(w, r, lb, c, links{kind: {s.base(r) + to}})
	}
	a := s.newAuthorisation(r, &c, ok, nok)
	a.Persona, a.CustomerNumber = customer.Persona, customer.CustomerNumber
	if err := s.Store.Save(r.Context(), c, a); err != nil {
		return fmt.Errorf("save new consent: %w", err)
	}
	return s.createdConsent(w, r, lb, c, links{
		"scaRedirect": s.scaRedirect(r, lb, a),
		"scaStatus":   s.href(r, lb, "/v1/consents/"+c.ID+"/authorisations/"+a.ID),
	})
}

// createdConsent writes the answer with the links that lead on.
func (s *server) createdConsent(w http.ResponseWriter, r *http.Request, lb localBank, c Consent, on links) error {
	self := s.href(r, lb, "/v1/consents/"+c.ID)
	on["self"], on["status"] = self, s.href(r, lb, "/v1/consents/"+c.ID+"/status")
	w.Header().Set("Location", self.Href)
	w.Header().Set("ASPSP-SCA-Approach", lb.approach())
	return layout.WriteJSON(w, http.StatusCreated, map[string]any{
		"consentStatus": c.State, "consentId": c.ID, "_links": on,
	})
}

// approach returns the value of ASPSP-SCA-Approach. The standard has none for OAuth 2.0:
// that is a redirect, too.
func (lb localBank) approach() string {
	if lb.Traits.SCA == scaDecoupled {
		return "DECOUPLED"
	}
	return "REDIRECT"
}

// newAuthorisation creates a link to the consent page and adds it to the consent.
func (s *server) newAuthorisation(r *http.Request, c *Consent, ok, nok string) Authorisation {
	a := Authorisation{Bank: c.Bank, ID: s.NewID(), ConsentID: c.ID, Status: SCAReceived,
		RedirectURI: ok, NokRedirectURI: nok, Brand: header(r, "TPP-Brand-Logging-Information"),
		ExpiresAt: s.now(r).Add(authoriseWithin)}
	c.Authorisations = append(c.Authorisations, a.ID)
	c.AuthoriseBy = a.ExpiresAt
	return a
}

// scaRedirect is for a browser and therefore absolute at every bank.
func (s *server) scaRedirect(r *http.Request, lb localBank, a Authorisation) link {
	return link{s.base(r) + lb.Path() + "/authorise/" + a.ID}
}

// consent reads the consent in the path. It returns r with the time of the consent's customer.
func (s *server) consent(r *http.Request, lb localBank, id string) (*http.Request, Consent, error) {
	c, err := Consent{}, outcome.ErrNotFound
	if uuid.Validate(id) == nil { // every consent ID is a UUID
		c, err = s.keepTime(r, func() (Consent, error) { return sandboxdb.Get(r.Context(), s.Store, Consent{Bank: lb.Slug, ID: id}) })
	}
	if errors.Is(err, outcome.ErrNotFound) {
		return r, Consent{}, newTPPError(http.StatusForbidden, "CONSENT_UNKNOWN", "The consent does not exist.")
	}
	if err != nil {
		return r, Consent{}, fmt.Errorf("read consent: %w", err)
	}
	return inTime(r, c), c, nil
}

// withConsent loads the consent in the path for a handler.
func (s *server) withConsent(call func(w http.ResponseWriter, r *http.Request, lb localBank, c Consent) error) handler {
	return func(w http.ResponseWriter, r *http.Request, lb localBank) error {
		r, c, err := s.consent(r, lb, r.PathValue("consent"))
		if err != nil {
			return err
		}
		if lb.Traits.SCA == scaTokenFirst {
			if err := s.checkToken(r, lb, c); err != nil {
				return err
			}
		}
		return call(w, r, lb, c)
	}
}

func (s *server) getConsentStatus(w http.ResponseWriter, r *http.Request, lb localBank, c Consent) error {
	now := s.now(r)
	return layout.WriteJSON(w, http.StatusOK, map[string]any{"consentStatus": c.status(now, lb.today(now))})
}

func (s *server) getConsent(w http.ResponseWriter, r *http.Request, lb localBank, c Consent) error {
	now := s.now(r)
	status := c.status(now, lb.today(now))
	info := map[string]any{
		"access": c.Access, "recurringIndicator": c.Recurring, "validUntil": c.ValidUntil.String(),
		"frequencyPerDay": c.FrequencyPerDay, "lastActionDate": c.LastAction.String(), "consentStatus": status,
	}
	if status == Valid {
		on := links{"account": s.href(r, lb, "/v1/accounts")}
		if lb.Traits.CardAccounts {
			on["card-account"] = s.href(r, lb, "/v1/card-accounts")
		}
		info["_links"] = on
	}
	// If the customer chose the accounts, the access shows that choice. A consent for all
	// accounts keeps its form, as in the standard.
	if len(c.Grants) > 0 && (c.Access.Accounts != nil || c.Access.Balances != nil || c.Access.Transactions != nil) {
		info["access"] = s.granted(lb, c)
	}
	return layout.WriteJSON(w, http.StatusOK, info)
}

// granted returns the access object with the accounts that the customer picked.
func (s *server) granted(lb localBank, c Consent) Access {
	p, found := persona.Find(c.Persona)
	if !found {
		return c.Access
	}
	out := Access{AdditionalInformation: c.Access.AdditionalInformation}
	for _, acc := range lb.accounts(p) {
		for _, g := range c.Grants {
			if g.Account != acc.Key {
				continue
			}
			ref := reference(acc)
			out.Accounts = append(out.Accounts, ref)
			if g.Balances {
				out.Balances = append(out.Balances, ref)
			}
			if g.Transactions {
				out.Transactions = append(out.Transactions, ref)
			}
		}
	}
	return out
}

func (s *server) deleteConsent(w http.ResponseWriter, r *http.Request, lb localBank, c Consent) error {
	now := s.now(r)
	switch c.status(now, lb.today(now)) {
	case Received, Valid:
	case Expired:
		return unauthorised("CONSENT_EXPIRED", "The consent has expired.")
	default:
		return unauthorised("CONSENT_INVALID", "The consent has already ended.")
	}
	c.State, c.LastAction = TerminatedByTPP, lb.today(now)
	if err := s.save(r, c); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// save writes records for a caller of the interface, who may retry if another request was
// faster.
func (s *server) save(r *http.Request, records ...sandboxdb.Record) error {
	err := s.Store.Save(r.Context(), records...)
	if errors.Is(err, outcome.ErrChanged) {
		return newTPPError(http.StatusConflict, "STATUS_INVALID", "Another request changed the consent. Try again.")
	}
	if err != nil {
		return fmt.Errorf("save consent: %w", err)
	}
	return nil
}

func (s *server) listAuthorisations(w http.ResponseWriter, _ *http.Request, _ localBank, c Consent) error {
	return layout.WriteJSON(w, http.StatusOK, map[string]any{"authorisationIds": c.Authorisations})
}

// startAuthorisation creates another link to the consent page while the consent is
// undecided. It also gives the customer more time.
func (s *server) startAuthorisation(w http.ResponseWriter, r *http.Request, lb localBank, c Consent) error {
	if _, err := psuAddress(r); err != nil {
		return err
	}
	ok, nok, err := redirects(r)
	if err != nil {
		return err
	}
	// The redirect approach has no members in the body.
	if err := readJSON(w, r, &struct{}{}); err != nil {
		return err
	}
	now := s.now(r)
	if c.status(now, lb.today(now)) != Received {
		return newTPPError(http.StatusConflict, "STATUS_INVALID", "The consent can no longer be authorised.")
	}
	a := s.newAuthorisation(r, &c, ok, nok)
	if lb.Traits.SCA.wantsPSUID() {
		p, known := persona.Find(header(r, "PSU-ID"))
		if !known {
			return unauthorised("PSU_CREDENTIALS_INVALID", "The PSU-ID is missing or unknown.")
		}
		a.Persona, a.CustomerNumber = p.ID, "psu"
	}
	if lb.Traits.SCA == scaDecoupled {
		return s.startInApp(w, r, lb, c, a)
	}
	if err := s.save(r, c, a); err != nil {
		return err
	}
	status := s.href(r, lb, "/v1/consents/"+c.ID+"/authorisations/"+a.ID)
	w.Header().Set("Location", status.Href)
	w.Header().Set("ASPSP-SCA-Approach", "REDIRECT")
	return layout.WriteJSON(w, http.StatusCreated, map[string]any{
		"scaStatus": a.Status, "authorisationId": a.ID,
		"_links": links{"scaRedirect": s.scaRedirect(r, lb, a), "scaStatus": status},
	})
}

func (s *server) getSCAStatus(w http.ResponseWriter, r *http.Request, lb localBank, c Consent) error {
	id := r.PathValue("authorisation")
	if !slices.Contains(c.Authorisations, id) {
		return newTPPError(http.StatusForbidden, "RESOURCE_UNKNOWN", "The consent has no such authorisation.")
	}
	a, err := sandboxdb.Get(r.Context(), s.Store, Authorisation{Bank: lb.Slug, ID: id})
	if err != nil {
		return fmt.Errorf("read authorisation: %w", err)
	}
	return layout.WriteJSON(w, http.StatusOK, map[string]any{"scaStatus": a.status(s.now(r))})
}

package bank

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/google/uuid"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
)

func (s *server) createConsent(w http.ResponseWriter, r *http.Request, o office) error {
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
	now := s.Now()
	today := o.today(now)
	until, err := body.check(today)
	if err != nil {
		return err
	}
	c := Consent{
		Bank: o.Slug, ID: s.NewID(), State: Received, Access: *body.Access, Recurring: *body.RecurringIndicator,
		// A day further off than the bank allows is adjusted, not refused.
		ValidUntil: min(until, today+persona.Day(o.MaxConsentDays)), LastAction: today,
		FrequencyPerDay: *body.FrequencyPerDay,
	}
	a := s.newAuthorisation(&c, ok, nok, header(r, "TPP-Brand-Logging-Information"))
	if err := s.Store.Save(r.Context(), c, a); err != nil {
		return fmt.Errorf("save new consent: %w", err)
	}
	self := s.href(r, o, "/v1/consents/"+c.ID)
	w.Header().Set("Location", self.Href)
	w.Header().Set("ASPSP-SCA-Approach", "REDIRECT")
	return layout.WriteJSON(w, http.StatusCreated, map[string]any{"consentStatus": c.State, "consentId": c.ID, "_links": links{
		"scaRedirect": s.scaRedirect(r, o, a),
		"self":        self,
		"status":      s.href(r, o, "/v1/consents/"+c.ID+"/status"),
		"scaStatus":   s.href(r, o, "/v1/consents/"+c.ID+"/authorisations/"+a.ID),
	}})
}

// newAuthorisation opens a way to the consent page and notes it in the consent.
func (s *server) newAuthorisation(c *Consent, ok, nok, brand string) Authorisation {
	a := Authorisation{Bank: c.Bank, ID: s.NewID(), ConsentID: c.ID, Status: SCAReceived, RedirectURI: ok, NokRedirectURI: nok,
		Brand: brand, ExpiresAt: s.Now().Add(authoriseWithin)}
	c.Authorisations = append(c.Authorisations, a.ID)
	c.AuthoriseBy = a.ExpiresAt
	return a
}

// scaRedirect is for a browser and therefore absolute at every bank.
func (s *server) scaRedirect(r *http.Request, o office, a Authorisation) link {
	return link{s.base(r) + o.Path() + "/authorise/" + a.ID}
}

// consent reads the consent of the path.
func (s *server) consent(r *http.Request, o office, id string) (Consent, error) {
	c, err := Consent{}, outcome.ErrNotFound
	if uuid.Validate(id) == nil { // nothing else was ever given out
		c, err = s.Store.Consent(r.Context(), o.Slug, id)
	}
	if errors.Is(err, outcome.ErrNotFound) {
		return Consent{}, &refusal{status: http.StatusForbidden, code: "CONSENT_UNKNOWN", text: "The consent is not known."}
	}
	if err != nil {
		return Consent{}, fmt.Errorf("read consent: %w", err)
	}
	return c, nil
}

// about answers a call about the consent of the path.
func (s *server) about(call func(w http.ResponseWriter, r *http.Request, o office, c Consent) error) handler {
	return func(w http.ResponseWriter, r *http.Request, o office) error {
		c, err := s.consent(r, o, r.PathValue("consent"))
		if err != nil {
			return err
		}
		return call(w, r, o, c)
	}
}

func (s *server) getConsentStatus(w http.ResponseWriter, _ *http.Request, o office, c Consent) error {
	now := s.Now()
	return layout.WriteJSON(w, http.StatusOK, map[string]any{"consentStatus": c.status(now, o.today(now))})
}

func (s *server) getConsent(w http.ResponseWriter, r *http.Request, o office, c Consent) error {
	now := s.Now()
	status := c.status(now, o.today(now))
	info := map[string]any{
		"access": c.Access, "recurringIndicator": c.Recurring, "validUntil": c.ValidUntil.String(), "frequencyPerDay": c.FrequencyPerDay,
		"lastActionDate": c.LastAction.String(), "consentStatus": status,
	}
	if status == Valid {
		info["_links"] = links{"account": s.href(r, o, "/v1/accounts")}
	}
	// What was left to the customer now shows the customer's choice; a consent
	// for all accounts keeps its words, as in the standard.
	if len(c.Grants) > 0 && (c.Access.Accounts != nil || c.Access.Balances != nil || c.Access.Transactions != nil) {
		info["access"] = s.granted(o, c)
	}
	return layout.WriteJSON(w, http.StatusOK, info)
}

// granted is the access object with the accounts that the customer picked.
func (s *server) granted(o office, c Consent) Access {
	p, found := persona.Find(c.Persona)
	if !found {
		return c.Access
	}
	out := Access{AdditionalInformation: c.Access.AdditionalInformation}
	for _, acc := range o.accounts(p) {
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

func (s *server) deleteConsent(w http.ResponseWriter, r *http.Request, o office, c Consent) error {
	now := s.Now()
	switch c.status(now, o.today(now)) {
	case Received, Valid:
	case Expired:
		return unauthorised("CONSENT_EXPIRED", "The consent has expired.")
	default:
		return unauthorised("CONSENT_INVALID", "The consent has ended already.")
	}
	c.State, c.LastAction = TerminatedByTPP, o.today(now)
	if err := s.save(r, c); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// save writes records for a caller of the interface, who may try again when
// someone else was faster.
func (s *server) save(r *http.Request, records ...Record) error {
	err := s.Store.Save(r.Context(), records...)
	if errors.Is(err, outcome.ErrChanged) {
		return &refusal{status: http.StatusConflict, code: "STATUS_INVALID", text: "The consent is being changed by someone else."}
	}
	if err != nil {
		return fmt.Errorf("save consent: %w", err)
	}
	return nil
}

package bank

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
	"aviso/internal/sandbox/sandboxdb"
)

// customerCookie holds the customer number of a browser.
const customerCookie = "sandbox-customer"

// visit is a customer's request to the consent page.
type visit struct {
	localBank
	consent       Consent
	authorisation Authorisation
	// now is the customer's time.
	now time.Time
}

// visit loads the authorisation and consent of the page. If the customer can no longer
// decide, it writes a page that says so and returns nil.
func (s *server) visit(w http.ResponseWriter, r *http.Request, lb localBank) (*visit, error) {
	id := r.PathValue("authorisation")
	a, err := Authorisation{}, outcome.ErrNotFound
	if uuid.Validate(id) == nil { // every authorisation ID is a UUID
		a, err = sandboxdb.Get(r.Context(), s.Store, Authorisation{Bank: lb.Slug, ID: id})
	}
	if errors.Is(err, outcome.ErrNotFound) {
		return nil, s.notice(w, http.StatusNotFound, lb, "Link not found",
			"Go back to the app you came from and start again.", "")
	}
	if err != nil {
		return nil, fmt.Errorf("read authorisation: %w", err)
	}
	c := Consent{State: Received, AuthoriseBy: a.ExpiresAt}
	if a.ConsentID != "" { // else the customer logs in for a token only
		if c, err = sandboxdb.Get(r.Context(), s.Store, Consent{Bank: lb.Slug, ID: a.ConsentID}); err != nil {
			return nil, fmt.Errorf("read consent: %w", err)
		}
	}
	now := s.now(inTime(r, c))
	switch status := c.status(now, lb.today(now)); {
	case a.Status == SCAFinalised:
		return nil, s.notice(w, http.StatusConflict, lb, "You have already decided",
			"You approved this request. You can withdraw your approval in the app that asked for it.", a.RedirectURI)
	case !a.open():
		return nil, s.notice(w, http.StatusConflict, lb, "You have already decided",
			"You refused this request. No account was shared.", a.refusedURI())
	case now.After(a.ExpiresAt):
		return nil, s.notice(w, http.StatusGone, lb, "This link has expired",
			"For your security, you have 30 minutes to answer a request. No account was shared.", a.refusedURI())
	case status != Received:
		return nil, s.notice(w, http.StatusConflict, lb, "This request is closed",
			"The app withdrew it, or you answered it through another link.", a.refusedURI())
	}
	return &visit{lb, c, a, now}, nil
}

func (s *server) showAuthorisation(w http.ResponseWriter, r *http.Request, lb localBank) error {
	v, err := s.visit(w, r, lb)
	if err != nil || v == nil {
		return err
	}
	p, known := persona.Find(v.authorisation.Persona)
	if !known || r.URL.Query().Get("step") == "login" {
		return s.loginPage(w, http.StatusOK, v, v.authorisation.Persona, v.authorisation.CustomerNumber, "")
	}
	return s.accountsPage(w, http.StatusOK, v, p, nil, "")
}

// postAuthorisation handles both forms. It needs no protection against forged requests:
// neither a cookie nor anything else that a browser adds on its own authorises the
// request (the customer number does not), so whoever can post already knows the
// unguessable address.
func (s *server) postAuthorisation(w http.ResponseWriter, r *http.Request, lb localBank, form url.Values) error {
	v, err := s.visit(w, r, lb)
	if err != nil || v == nil {
		return err
	}
	switch form.Get("decision") {
	case "refuse":
		return s.refuseConsent(w, r, v)
	case "approve", "":
	default:
		return s.notice(w, http.StatusBadRequest, lb, "Invalid form",
			"The decision must be approve or refuse.", r.URL.Path)
	}
	if form.Has("persona") {
		id, number := form.Get("persona"), form.Get("customer")
		if _, known := persona.Find(id); !known {
			return s.loginPage(w, http.StatusUnprocessableEntity, v, "", number, "Choose a person.")
		}
		if !isCustomerNumber(number) {
			return s.loginPage(w, http.StatusUnprocessableEntity, v, id, "",
				"The customer number can have at most 20 letters, digits and hyphens.")
		}
		if number == "" {
			number = s.browserCustomer(w, r)
		}
		v.authorisation.Persona, v.authorisation.CustomerNumber, v.authorisation.Status = id, number, SCAAuthenticated
	}
	p, known := persona.Find(v.authorisation.Persona)
	if !known {
		return s.loginPage(w, http.StatusUnprocessableEntity, v, "", "", "Choose a person.")
	}
	if v.consent.ID == "" {
		return s.grantTokens(w, r, v, v.authorisation)
	}
	if form.Get("decision") == "" {
		return s.saveAndRedirect(w, r, v, r.URL.Path, v.authorisation)
	}
	return s.approveConsent(w, r, v, p, form["account[]"])
}

// browserCustomer returns the customer number of this browser and sets it when the
// browser has none. Different browsers are different customers even if they pick the same
// persona; the same browser is the same customer each time.
func (s *server) browserCustomer(w http.ResponseWriter, r *http.Request) string {
	if kept, err := r.Cookie(customerCookie); err == nil && kept.Value != "" && isCustomerNumber(kept.Value) {
		return kept.Value
	}
	number := s.NewID()[:8]
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure with https; a local sandbox has only http
		Name: customerCookie, Value: number, Path: "/sandbox/banks/", MaxAge: 180 * 24 * 60 * 60, HttpOnly: true,
		Secure: strings.HasPrefix(s.BaseURL, "https://"), SameSite: http.SameSiteLaxMode,
	})
	return number
}

// approveConsent makes the consent valid and ends the customer's previous one.
func (s *server) approveConsent(w http.ResponseWriter, r *http.Request, v *visit, p persona.Persona,
	picked []string) error {
	c, a := v.consent, v.authorisation
	c.Grants = nil
	for _, acc := range v.accounts(p) {
		if g, asked := c.Access.grant(acc); asked && slices.Contains(picked, acc.Key) {
			c.Grants = append(c.Grants, g)
		}
	}
	if len(c.Grants) == 0 {
		return s.accountsPage(w, http.StatusUnprocessableEntity, v, p, []string{},
			"Choose at least one account, or refuse.")
	}
	c.State, c.Persona, c.LastAction = Valid, p.ID, v.today(v.now)
	a.Status = SCAFinalised
	to, records := s.approvedURI(v, a)
	records = append([]sandboxdb.Record{c, a, s.newApproval(v, c, a)}, records...)
	if !c.Recurring {
		return s.saveAndRedirect(w, r, v, to, records...)
	}
	// Concurrent approvals of one customer conflict on the customer's record. The second
	// one reads it again and ends the first.
	for range 10 {
		replaced, err := s.replacePrevious(r, v, &c)
		if err != nil {
			return err
		}
		records[0] = c // it has got the customer's ledger
		err = s.Store.Save(r.Context(), append(replaced, records...)...)
		if !errors.Is(err, outcome.ErrChanged) {
			return s.finish(w, to, err)
		}
		now, err := sandboxdb.Get(r.Context(), s.Store, a)
		if err != nil {
			return fmt.Errorf("read authorisation: %w", err)
		}
		if now.Version != a.Version {
			break // decided elsewhere
		}
	}
	return s.finish(w, v.address(), nil)
}

// replacePrevious records c as the customer's recurring consent and takes over the
// changes to the accounts. The previous consent, if still valid, expires, as the standard
// requires.
func (s *server) replacePrevious(r *http.Request, v *visit, c *Consent) ([]sandboxdb.Record, error) {
	customer, err := sandboxdb.GetOr(r.Context(), s.Store,
		Customer{Bank: v.Slug, ID: c.Persona + "/" + v.authorisation.CustomerNumber})
	if err != nil {
		return nil, fmt.Errorf("read customer: %w", err)
	}
	previousID := customer.ConsentID
	customer.ConsentID, customer.Forget = c.ID, c.KeepUntil()
	if previousID == "" {
		return []sandboxdb.Record{customer}, nil
	}
	previous, err := sandboxdb.Get(r.Context(), s.Store, Consent{Bank: v.Slug, ID: previousID})
	switch {
	case errors.Is(err, outcome.ErrNotFound):
		return []sandboxdb.Record{customer}, nil
	case err != nil:
		return nil, fmt.Errorf("read previous consent: %w", err)
	}
	c.Ledger = previous.Ledger
	if previous.State != Valid {
		return []sandboxdb.Record{customer}, nil
	}
	previous.State, previous.LastAction = Expired, v.today(v.now)
	return []sandboxdb.Record{customer, previous}, nil
}

func (s *server) refuseConsent(w http.ResponseWriter, r *http.Request, v *visit) error {
	c, a := v.consent, v.authorisation
	c.State, c.LastAction, a.Status = Rejected, v.today(v.now), SCAFailed
	switch {
	case c.ID == "":
		return s.saveAndRedirect(w, r, v, a.refusedURI(), a)
	case a.RedirectURI == "": // in the app
		return s.saveAndRedirect(w, r, v, v.Path()+"/app?done=true", c, a)
	}
	return s.saveAndRedirect(w, r, v, a.refusedURI(), c, a)
}

// saveAndRedirect saves the records and redirects the customer. If another request was
// faster, it redirects to the page, which shows the current state.
func (s *server) saveAndRedirect(w http.ResponseWriter, r *http.Request, v *visit, to string, records ...sandboxdb.Record) error {
	err := s.Store.Save(r.Context(), records...)
	if errors.Is(err, outcome.ErrChanged) {
		return s.finish(w, v.address(), nil)
	}
	return s.finish(w, to, err)
}

// finish redirects the customer, unless saving failed.
func (s *server) finish(w http.ResponseWriter, to string, err error) error {
	if err != nil {
		return fmt.Errorf("save decision: %w", err)
	}
	return layout.Redirect(w, to)
}

// address returns the path of the customer's page.
func (v *visit) address() string { return v.Path() + "/authorise/" + v.authorisation.ID }

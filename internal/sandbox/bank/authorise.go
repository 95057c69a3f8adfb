package bank

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
)

// customerCookie keeps a browser's customer number.
const customerCookie = "sandbox-customer"

// visit is a customer at the consent page.
type visit struct {
	office
	consent       Consent
	authorisation Authorisation
}

// visit reads what the page's address stands for. Where there is nothing to
// decide any more it answers with a page that says so and a nil visit.
func (s *server) visit(w http.ResponseWriter, r *http.Request, o office) (*visit, error) {
	id := r.PathValue("authorisation")
	a, err := Authorisation{}, outcome.ErrNotFound
	if uuid.Validate(id) == nil { // nothing else was ever given out
		a, err = s.Store.Authorisation(r.Context(), o.Slug, id)
	}
	if errors.Is(err, outcome.ErrNotFound) {
		return nil, s.notice(w, http.StatusNotFound, o, "This link is not known",
			"Please go back to the app you came from and start again.", "")
	}
	if err != nil {
		return nil, fmt.Errorf("read authorisation: %w", err)
	}
	c, err := s.Store.Consent(r.Context(), o.Slug, a.ConsentID)
	if err != nil {
		return nil, fmt.Errorf("read consent: %w", err)
	}
	now := s.Now()
	switch status := c.status(now, o.today(now)); {
	case a.Status == SCAFinalised:
		return nil, s.notice(w, http.StatusConflict, o, "You have decided already",
			"You approved this request. You can withdraw your approval with the app that asked.", a.RedirectURI)
	case !a.open():
		return nil, s.notice(w, http.StatusConflict, o, "You have decided already",
			"You refused this request. No account was shared.", a.refusedURI())
	case now.After(a.ExpiresAt):
		return nil, s.notice(w, http.StatusGone, o, "This link has expired",
			"For your safety a request must be answered within 30 minutes. No account was shared.", a.refusedURI())
	case status != Received:
		return nil, s.notice(w, http.StatusConflict, o, "This request has been settled",
			"It was withdrawn by the app that asked, or answered through another link.", a.refusedURI())
	}
	return &visit{o, c, a}, nil
}

func (s *server) showAuthorisation(w http.ResponseWriter, r *http.Request, o office) error {
	v, err := s.visit(w, r, o)
	if err != nil || v == nil {
		return err
	}
	p, known := persona.Find(v.authorisation.Persona)
	if !known || r.URL.Query().Get("step") == "login" {
		return s.loginPage(w, http.StatusOK, v, v.authorisation.Persona, v.authorisation.CustomerNumber, "")
	}
	return s.accountsPage(w, http.StatusOK, v, p, nil, "")
}

// postAuthorisation takes both forms. No cookie and nothing else that a browser
// would add by itself is an authority here (the customer number is none), so
// whoever can post knows the unguessable address already.
func (s *server) postAuthorisation(w http.ResponseWriter, r *http.Request, o office, form url.Values) error {
	v, err := s.visit(w, r, o)
	if err != nil || v == nil {
		return err
	}
	switch form.Get("decision") {
	case "refuse":
		return s.refuseConsent(w, r, v)
	case "approve", "":
	default:
		return s.notice(w, http.StatusBadRequest, o, "This form cannot be read", "The decision is neither to approve nor to refuse.", r.URL.Path)
	}
	if form.Has("persona") {
		id, number := form.Get("persona"), form.Get("customer")
		if _, known := persona.Find(id); !known {
			return s.loginPage(w, http.StatusUnprocessableEntity, v, "", number, "Choose who you are.")
		}
		if !isCustomerNumber(number) {
			return s.loginPage(w, http.StatusUnprocessableEntity, v, id, "", "A customer number has at most 20 letters, digits and hyphens.")
		}
		if number == "" {
			number = s.browserCustomer(w, r)
		}
		v.authorisation.Persona, v.authorisation.CustomerNumber, v.authorisation.Status = id, number, SCAAuthenticated
	}
	p, known := persona.Find(v.authorisation.Persona)
	if !known {
		return s.loginPage(w, http.StatusUnprocessableEntity, v, "", "", "Choose who you are.")
	}
	if form.Get("decision") == "" {
		return s.settle(w, r, v, r.URL.Path, v.authorisation)
	}
	return s.approveConsent(w, r, v, p, form["account[]"])
}

// browserCustomer is the customer number of this browser: people who come with
// browsers of their own are different customers, also when they pick the same
// persona, and somebody who comes again is the same one.
func (s *server) browserCustomer(w http.ResponseWriter, r *http.Request) string {
	if kept, err := r.Cookie(customerCookie); err == nil && kept.Value != "" && isCustomerNumber(kept.Value) {
		return kept.Value
	}
	number := s.NewID()[:8]
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure where the sandbox is reached by https; locally it is not
		Name: customerCookie, Value: number, Path: "/sandbox/banks/", MaxAge: 180 * 24 * 60 * 60, HttpOnly: true,
		Secure: strings.HasPrefix(s.BaseURL, "https://"), SameSite: http.SameSiteLaxMode,
	})
	return number
}

// approveConsent makes the consent valid and ends the customer's former one.
func (s *server) approveConsent(w http.ResponseWriter, r *http.Request, v *visit, p persona.Persona, picked []string) error {
	c, a := v.consent, v.authorisation
	c.Grants = nil
	for _, acc := range v.accounts(p) {
		if g, asked := c.Access.grant(acc); asked && slices.Contains(picked, acc.Key) {
			c.Grants = append(c.Grants, g)
		}
	}
	if len(c.Grants) == 0 {
		return s.accountsPage(w, http.StatusUnprocessableEntity, v, p, []string{}, "Pick at least one account, or refuse.")
	}
	c.State, c.Persona, c.LastAction = Valid, p.ID, v.today(s.Now())
	a.Status = SCAFinalised
	noted := s.newApproval(c, a)
	if !c.Recurring {
		return s.settle(w, r, v, a.RedirectURI, c, a, noted)
	}
	// Two approvals of one customer meet at the customer's record; the one that
	// comes second looks again and ends the first.
	for range 10 {
		succession, err := s.succeed(r, v, &c)
		if err != nil {
			return err
		}
		err = s.Store.Save(r.Context(), append(succession, c, a, noted)...)
		if !errors.Is(err, outcome.ErrChanged) {
			return s.leave(w, a.RedirectURI, err)
		}
		now, err := s.Store.Authorisation(r.Context(), v.Slug, a.ID)
		if err != nil {
			return fmt.Errorf("read authorisation: %w", err)
		}
		if now.Version != a.Version {
			break // decided elsewhere
		}
	}
	return s.leave(w, v.address(), nil)
}

// succeed notes that c is the customer's recurring consent now and takes over
// what has become of the accounts. The former consent, if it still holds,
// expires with that, as the standard has it.
func (s *server) succeed(r *http.Request, v *visit, c *Consent) ([]Record, error) {
	id := c.Persona + "/" + v.authorisation.CustomerNumber
	customer, err := s.Store.Customer(r.Context(), v.Slug, id)
	if errors.Is(err, outcome.ErrNotFound) {
		customer = Customer{Bank: v.Slug, ID: id}
	} else if err != nil {
		return nil, fmt.Errorf("read customer: %w", err)
	}
	formerID := customer.ConsentID
	customer.ConsentID, customer.Forget = c.ID, c.KeepUntil()
	if formerID == "" {
		return []Record{customer}, nil
	}
	former, err := s.Store.Consent(r.Context(), v.Slug, formerID)
	switch {
	case errors.Is(err, outcome.ErrNotFound):
		return []Record{customer}, nil
	case err != nil:
		return nil, fmt.Errorf("read former consent: %w", err)
	}
	c.Ledger = former.Ledger
	if former.State != Valid {
		return []Record{customer}, nil
	}
	former.State, former.LastAction = Expired, v.today(s.Now())
	return []Record{customer, former}, nil
}

func (s *server) refuseConsent(w http.ResponseWriter, r *http.Request, v *visit) error {
	c, a := v.consent, v.authorisation
	c.State, c.LastAction, a.Status = Rejected, v.today(s.Now()), SCAFailed
	return s.settle(w, r, v, a.refusedURI(), c, a)
}

// settle saves and sends the customer on. Who lost a race is sent to the page,
// which shows how things stand now.
func (s *server) settle(w http.ResponseWriter, r *http.Request, v *visit, to string, records ...Record) error {
	err := s.Store.Save(r.Context(), records...)
	if errors.Is(err, outcome.ErrChanged) {
		return s.leave(w, v.address(), nil)
	}
	return s.leave(w, to, err)
}

// leave sends the customer on unless saving failed.
func (s *server) leave(w http.ResponseWriter, to string, err error) error {
	if err != nil {
		return fmt.Errorf("save decision: %w", err)
	}
	return layout.Redirect(w, to)
}

// address is the path of the customer's page.
func (v *visit) address() string { return v.Path() + "/authorise/" + v.authorisation.ID }

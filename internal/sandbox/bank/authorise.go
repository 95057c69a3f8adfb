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
	"aviso/internal/sandbox/sandboxdb"
)

// customerCookie holds the customer number of a browser.
const customerCookie = "sandbox-customer"

// visit is a customer's request to the consent page.
type visit struct {
	*call
	consent       Consent
	authorisation Authorisation
}

// visit loads the authorisation and consent of the page. If the customer can no longer
// decide, it writes a page that says so and returns nil.
func (c *call) visit() (*visit, error) {
	id := c.r.PathValue("authorisation")
	a, err := Authorisation{}, outcome.ErrNotFound
	if uuid.Validate(id) == nil { // every authorisation ID is a UUID
		a, err = stored(c, Authorisation{Bank: c.Slug, ID: id})
	}
	if errors.Is(err, outcome.ErrNotFound) {
		return nil, c.notice(http.StatusNotFound, "Link not found", "Go back to the app you came from and start again.", "")
	}
	if err != nil {
		return nil, fmt.Errorf("read authorisation: %w", err)
	}
	consent := Consent{State: Received, AuthoriseBy: a.ExpiresAt}
	if a.ConsentID != "" { // else the customer logs in for a token only
		if consent, err = stored(c, Consent{Bank: c.Slug, ID: a.ConsentID}); err != nil {
			return nil, fmt.Errorf("read consent: %w", err)
		}
	}
	c.of(consent)
	switch {
	case a.Status == SCAFinalised:
		return nil, c.notice(http.StatusConflict, "You have already decided",
			"You approved this request. You can withdraw your approval in the app that asked for it.", a.RedirectURI)
	case !a.open():
		return nil, c.notice(http.StatusConflict, "You have already decided",
			"You refused this request. No account was shared.", a.refusedURI())
	case c.now.After(a.ExpiresAt):
		return nil, c.notice(http.StatusGone, "This link has expired",
			"For your security, you have 30 minutes to answer a request. No account was shared.", a.refusedURI())
	case consent.status(c.now, c.today) != Received:
		return nil, c.notice(http.StatusConflict, "This request is closed",
			"The app withdrew it, or you answered it through another link.", a.refusedURI())
	}
	return &visit{c, consent, a}, nil
}

// address returns the path of the customer's page.
func (v *visit) address() string { return v.Path() + "/authorise/" + v.authorisation.ID }

func (c *call) showAuthorisation() error {
	v, err := c.visit()
	if err != nil || v == nil {
		return err
	}
	p, known := persona.Find(v.authorisation.Persona)
	if !known || c.r.URL.Query().Get("step") == "login" {
		return v.loginPage(http.StatusOK, v.authorisation.Persona, v.authorisation.CustomerNumber, "")
	}
	return v.accountsPage(http.StatusOK, p, nil, "")
}

// postAuthorisation handles both forms. It needs no protection against forged requests:
// neither a cookie nor anything else that a browser adds on its own authorises the
// request (the customer number does not), so whoever can post already knows the
// unguessable address.
func (c *call) postAuthorisation(form url.Values) error {
	v, err := c.visit()
	if err != nil || v == nil {
		return err
	}
	a, decision := &v.authorisation, form.Get("decision")
	switch decision {
	case "refuse":
		return v.refuse()
	case "approve", "":
	default:
		return c.notice(http.StatusBadRequest, "Invalid form", "The decision must be approve or refuse.", c.r.URL.Path)
	}
	if form.Has("persona") {
		id, number := form.Get("persona"), form.Get("customer")
		if _, known := persona.Find(id); !known {
			return v.loginPage(http.StatusUnprocessableEntity, "", number, "Choose a person.")
		}
		if !isCustomerNumber(number) {
			return v.loginPage(http.StatusUnprocessableEntity, id, "",
				"The customer number can have at most 20 letters, digits and hyphens.")
		}
		if number == "" {
			number = c.browserCustomer()
		}
		a.Persona, a.CustomerNumber, a.Status = id, number, SCAAuthenticated
	}
	p, known := persona.Find(a.Persona)
	switch {
	case !known:
		return v.loginPage(http.StatusUnprocessableEntity, "", "", "Choose a person.")
	case v.consent.ID == "": // the login is for tokens only
		a.Status = SCAFinalised
		to, records := v.approvedURI(*a)
		return v.finish(to, append(records, *a)...)
	case decision == "":
		return v.finish(c.r.URL.Path, *a)
	}
	return v.approve(p, form["account[]"])
}

// browserCustomer returns the customer number of this browser and sets it when the
// browser has none. Different browsers are different customers even if they pick the same
// persona; the same browser is the same customer each time.
func (c *call) browserCustomer() string {
	if kept, err := c.r.Cookie(customerCookie); err == nil && kept.Value != "" && isCustomerNumber(kept.Value) {
		return kept.Value
	}
	number := c.NewID()[:8]
	http.SetCookie(c.w, &http.Cookie{ //nolint:gosec // Secure with https; a local sandbox has only http
		Name: customerCookie, Value: number, Path: "/sandbox/banks/", MaxAge: 180 * 24 * 60 * 60, HttpOnly: true,
		Secure: strings.HasPrefix(c.BaseURL, "https://"), SameSite: http.SameSiteLaxMode,
	})
	return number
}

// approve makes the consent valid and ends the customer's previous one.
func (v *visit) approve(p persona.Persona, picked []string) error {
	c, a := v.consent, v.authorisation
	c.Grants = nil
	for _, acc := range v.accounts(p) {
		if slices.Contains(picked, acc.Key) {
			c.Grants = append(c.Grants, c.Access.grant(acc))
		}
	}
	if len(c.Grants) == 0 {
		return v.accountsPage(http.StatusUnprocessableEntity, p, []string{}, "Choose at least one account, or refuse.")
	}
	c.State, c.Persona, c.LastAction = Valid, p.ID, v.today
	a.Status = SCAFinalised
	to, records := v.approvedURI(a)
	records = append(records, a, v.newApproval(c, a))
	// Concurrent approvals of one customer conflict on the customer's record. The second
	// one reads it again and ends the first.
	for range 10 {
		replaced, err := v.replacePrevious(&c)
		if err != nil {
			return err
		}
		err = v.Store.Save(v.r.Context(), slices.Concat(replaced, records, []sandboxdb.Record{c})...)
		if !errors.Is(err, outcome.ErrChanged) {
			return v.leave(to, err)
		}
		now, err := stored(v.call, a)
		if err != nil {
			return fmt.Errorf("read authorisation: %w", err)
		}
		if now.Version != a.Version {
			break // decided elsewhere
		}
	}
	return v.leave(v.address(), nil)
}

// replacePrevious records c as the customer's consent and takes over the
// changes to the accounts. The previous consent, if still valid, expires, as the standard
// requires.
func (v *visit) replacePrevious(c *Consent) ([]sandboxdb.Record, error) {
	customer, err := sandboxdb.GetOr(v.r.Context(), v.Store,
		Customer{Bank: v.Slug, ID: c.Persona + "/" + v.authorisation.CustomerNumber})
	if err != nil {
		return nil, fmt.Errorf("read customer: %w", err)
	}
	previous, err := Consent{}, outcome.ErrNotFound
	if customer.ConsentID != "" {
		previous, err = stored(v.call, Consent{Bank: v.Slug, ID: customer.ConsentID})
	}
	customer.ConsentID, customer.Forget = c.ID, c.KeepUntil()
	switch {
	case errors.Is(err, outcome.ErrNotFound):
		return []sandboxdb.Record{customer}, nil
	case err != nil:
		return nil, fmt.Errorf("read previous consent: %w", err)
	}
	c.Ledger, previous.Ledger = previous.Ledger, Ledger{}
	if previous.State == Valid {
		previous.State, previous.LastAction = Expired, v.today
	}
	own, err := v.ownRows(*c)
	records := []sandboxdb.Record{customer, previous}
	for _, rows := range own {
		rows.Forget = c.KeepUntil()
		records = append(records, rows)
	}
	return records, err
}

func (v *visit) refuse() error {
	c, a := v.consent, v.authorisation
	c.State, c.LastAction, a.Status = Rejected, v.today, SCAFailed
	switch {
	case c.ID == "":
		return v.finish(a.refusedURI(), a)
	case a.RedirectURI == "": // in the app
		return v.finish(v.Path()+"/app?done=true", c, a)
	}
	return v.finish(a.refusedURI(), c, a)
}

// finish saves the records and redirects the customer. If another request was faster, it
// redirects to the page, which shows the current state.
func (v *visit) finish(to string, records ...sandboxdb.Record) error {
	err := v.Store.Save(v.r.Context(), records...)
	if errors.Is(err, outcome.ErrChanged) {
		to, err = v.address(), nil
	}
	return v.leave(to, err)
}

// leave redirects the customer, unless saving failed.
func (v *visit) leave(to string, err error) error {
	if err != nil {
		return fmt.Errorf("save decision: %w", err)
	}
	return layout.Redirect(v.w, to)
}

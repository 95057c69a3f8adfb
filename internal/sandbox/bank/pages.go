package bank

import (
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
	"aviso/internal/sandbox/sandboxdb"
)

// site serves the pages of a bank, or the developer's pages about all banks. The policy has no
// form-action: browsers apply it to every redirect after a form, and the last one, the
// partner's return address, is unknown here.
func (s *server) site(lb localBank) layout.Site {
	site := layout.Site{
		Log: s.Log, ErrorTitle: "The bank is not available",
		Frame: layout.Page{Footer: "This bank and its customers are fictional. Nothing here moves real money."},
		Message: func(w http.ResponseWriter, r *http.Request, status int, title, text string) error {
			back := ""
			if status == http.StatusInternalServerError {
				back = r.URL.Path
			}
			return s.notice(w, status, lb, title, text, back)
		},
	}
	if lb.Slug != "" {
		site.Frame.Header = g.Group{bankLogo(lb.Bank), layout.HeaderText(lb.Name)}
	}
	return site
}

// render writes a page of a bank, or of a section for developers, or both.
func (s *server) render(
	w http.ResponseWriter, status int, lb localBank, section, title, problem string, main ...g.Node,
) error {
	site := s.site(lb)
	site.Frame.Section = section
	if lb.Slug != "" {
		title += " – " + lb.Name
	}
	return site.Show(w, status, title, problem, main...)
}

// bankLogo is always next to the bank's name, so it needs no alternative text.
func bankLogo(b Bank) g.Node {
	return h.Img(h.Src(b.LogoPath()), h.Alt(""), h.Width("40"), h.Height("40"))
}

// DecisionButton submits the customer's decision.
func DecisionButton(decision, label, class string) g.Node {
	return h.Button(h.Type("submit"), h.Name("decision"), h.Value(decision), g.If(class != "", h.Class(class)),
		g.Text(label))
}

// page handles a page for people.
func (s *server) page(m methods) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		slug := r.PathValue("slug")
		lb, found := localBanks()[slug]
		site := s.site(lb)
		if !found && slug != "" {
			site.Write(w, r, site.NoticePage(http.StatusNotFound, "Bank not found", "Go back to the app you came from."))
			return
		}
		pages := layout.Methods{}
		for method, answer := range m {
			pages[method] = func(w http.ResponseWriter, r *http.Request) error { return answer(w, r, lb) }
		}
		site.Serve(w, r, pages)
	})
}

// formHandler handles a submitted form.
func (s *server) formHandler(
	handle func(w http.ResponseWriter, r *http.Request, lb localBank, form url.Values) error,
) handler {
	return func(w http.ResponseWriter, r *http.Request, lb localBank) error {
		return s.site(lb).Form(func(w http.ResponseWriter, r *http.Request, form url.Values) error {
			return handle(w, r, lb, form)
		})(w, r)
	}
}

// notice writes a page with a message. It links back to a page of the sandbox, to an app,
// or, if neither is given, to the list of banks. An app's address comes from outside: if
// it is not a web address, but a script for example, it is not linked.
func (s *server) notice(w http.ResponseWriter, status int, lb localBank, title, text, back string) error {
	link := h.A(h.Href("/sandbox/banks"), g.Text("See all sandbox banks"))
	switch {
	case strings.HasPrefix(back, "/sandbox/"):
		link = h.A(h.Class("button"), h.Href(back), g.Text("Try again"))
	case isReturnURL(back):
		link = h.A(h.Class("button"), h.Href(back), g.Text("Back to the app"))
	}
	return s.render(w, status, lb, "", title, "", h.H1(g.Text(title)), layout.Lead(g.Text(text)), h.P(link))
}

// index lists banks and personas for a developer.
func (s *server) index(w http.ResponseWriter, r *http.Request, _ localBank) error {
	title, base := "Sandbox banks", s.base(r)
	return s.render(w, http.StatusOK, localBank{}, "/sandbox/banks", title, "",
		h.H1(g.Text(title)),
		layout.Lead(g.Text("Fictional banks that implement account information of NextGenPSD2 XS2A 1.3. "+
			"Connect to one of them through Aviso, then log in on the bank’s page as one of the people below. "+
			"Then you can "),
			h.A(h.Href(controlPath), g.Text("change how the bank behaves")),
			g.Text(". Letters and faxes from Aviso arrive at "),
			h.A(h.Href("/sandbox/letters"), g.Text("the sandbox’s carriers")), g.Text(".")),
		layout.Cards("banks", "Banks", g.Map(Catalogue(), func(b Bank) g.Node {
			return h.Li(bankLogo(b), h.Div(
				h.B(g.Text(b.Name)), g.Text(" "), layout.Tag("", b.CountryCode),
				g.If(b.Status != "Active", g.Group{g.Text(" "), layout.Tag("off", b.Status)}),
				h.Small(g.Textf("%s; %d days of history; consent for up to %d days; refresh after %d min",
					strings.Join(b.SupportedAccountTypes, ", "), b.MaxFetchInterval, b.MaxConsentDays, b.RefreshTimeoutMinutes)),
				h.Code(g.Text(base+b.Path())),
			))
		})),
		layout.Cards("people", "People", g.Map(persona.All(), func(p persona.Persona) g.Node {
			return h.Li(h.Div(h.B(g.Text(p.Name)), g.Text(" "), h.Code(g.Text(p.ID)), h.Small(g.Text(p.Summary))))
		})),
	)
}

func (s *server) loginPage(w http.ResponseWriter, status int, v *visit, chosen, customer, problem string) error {
	title, who, describedBy := "Log in to "+v.Name, v.requester(), "customer-hint"
	if v.authorisation.Brand != "" {
		who += ","
	}
	if problem != "" {
		describedBy += " problem"
	}
	return s.render(w, status, v.localBank, "", title, problem,
		layout.Step(g.Text("Step 1 of 2")),
		h.H1(g.Text(title)),
		layout.Lead(g.Text(who+" would like to read your accounts. You choose which ones on the next page.")),
		g.If(problem != "", layout.Alert(h.ID("problem"), h.Strong(g.Text("Please check:")), g.Text(" "+problem))),
		h.Form(h.Method("post"), h.Action(v.address()),
			People(chosen, problem != ""),
			h.Div(h.Class("field"),
				h.Label(h.For("customer"), g.Text("Customer number "), h.Span(h.Class("optional"), g.Text("(optional)"))),
				h.P(h.Class("hint"), h.ID("customer-hint"),
					g.Text("A new approval ends the customer’s previous one. "+
						"If you leave this empty, this browser is one customer at each bank.")),
				h.Input(h.ID("customer"), h.Name("customer"), h.Value(customer), h.MaxLength("20"),
					h.Pattern(`[0-9A-Za-z\-]*`), h.AutoComplete("off"), h.Aria("describedby", describedBy)),
			),
			h.Div(h.Class("actions"), h.Button(h.Type("submit"), g.Text("Log in"))),
		),
		h.Form(h.Method("post"), h.Action(v.address()), h.Class("aside"),
			DecisionButton("refuse", "Cancel and go back", "quiet")),
	)
}

// People is the choice of who logs in: the chosen persona, or the first. Those with a faulty bank
// are collapsed unless one of them is chosen. A problem with the form has the ID "problem".
func People(chosen string, problem bool) g.Node {
	var healthy, troubled g.Group
	if chosen == "" {
		chosen = persona.All()[0].ID
	}
	open := false
	for _, p := range persona.All() {
		choice := h.Label(h.Class("choice"),
			h.Input(h.Type("radio"), h.Name("persona"), h.Value(p.ID), g.If(p.ID == chosen, h.Checked()), h.Required()),
			h.Span(h.B(g.Text(p.Name)), h.Small(g.Text(p.Summary))),
		)
		if p.Behaviour == persona.Healthy {
			healthy = append(healthy, choice)
		} else {
			troubled = append(troubled, choice)
			open = open || p.ID == chosen
		}
	}
	return h.FieldSet(g.If(problem, h.Aria("describedby", "problem")),
		h.Legend(g.Text("Who are you?")),
		h.P(h.Class("hint"), g.Text("The sandbox has no passwords. Choose a person.")),
		h.Div(h.Class("choices"), healthy),
		h.Details(g.If(open, g.Attr("open")),
			h.Summary(g.Text("People with a faulty bank")),
			h.Div(h.Class("choices"), troubled),
		),
	)
}

// accountsForm is the form in which the customer chooses accounts, with errors if any.
type accountsForm struct {
	visit *visit
	// accounts are those that the customer may share: at least one.
	accounts []persona.Account
	// picked are the keys of the accounts to tick; nil ticks all.
	picked  []string
	problem string
}

// accountsPage shows the accounts that the customer may share. All are picked unless
// picked names some.
func (s *server) accountsPage(w http.ResponseWriter, status int, v *visit, p persona.Persona, picked []string,
	problem string) error {
	decision := nothingToShare(v, p)
	if accounts := v.askedFor(p); len(accounts) > 0 {
		decision = accountsForm{v, accounts, picked, problem}.choice()
	}
	title := "Share your accounts?"
	return s.render(w, status, v.localBank, "", title, problem,
		layout.Step(g.Text("Step 2 of 2")),
		h.H1(g.Text(title)),
		layout.Lead(g.Text("You are logged in as "), h.B(g.Text(p.Name)), g.Text(". "),
			h.A(h.Href(v.address()+"?step=login"), g.Text("Log in as someone else"))),
		v.facts(),
		decision,
	)
}

// askedFor returns the persona's accounts that the consent is for.
func (v *visit) askedFor(p persona.Persona) []persona.Account {
	return slices.DeleteFunc(v.accounts(p), func(acc persona.Account) bool {
		_, asked := v.consent.Access.grant(acc)
		return !asked
	})
}

func nothingToShare(v *visit, p persona.Persona) g.Node {
	return g.Group{
		layout.Alert(g.Text("None of the requested accounts belongs to " + p.Name + ".")),
		h.Form(h.Method("post"), h.Action(v.address()),
			h.Div(h.Class("actions"), DecisionButton("refuse", "Go back without sharing", "")),
		),
	}
}

func (f accountsForm) choice() g.Node {
	wrong := f.problem != ""
	return g.Group{
		g.Iff(wrong, f.alert),
		h.Form(h.Method("post"), h.Action(f.visit.address()),
			h.FieldSet(g.If(wrong, h.Class("wrong")), f.describedByAlert(),
				h.Legend(g.Text("Accounts to share")),
				h.Div(h.Class("choices"), g.Map(f.accounts, f.account)),
			),
			h.P(h.Class("hint"),
				g.Text("You can withdraw your approval in Aviso at any time. Aviso cannot move money.")),
			h.Div(h.Class("actions"), DecisionButton("approve", "Approve", ""),
				DecisionButton("refuse", "Refuse", "second")),
		),
	}
}

// alert shows the error and links to the first account.
func (f accountsForm) alert() g.Node {
	return layout.Alert(h.ID("account-error"), h.Strong(g.Text("No account is selected.")), g.Text(" "),
		h.A(h.Href("#account-"+f.accounts[0].Key), g.Text(f.problem)))
}

func (f accountsForm) describedByAlert() g.Node {
	return g.If(f.problem != "", h.Aria("describedby", "account-error"))
}

func (f accountsForm) account(acc persona.Account) g.Node {
	bankLanguage := h.Lang(f.visit.Traits.Language)
	return h.Label(h.Class("choice"),
		h.Input(h.Type("checkbox"), h.ID("account-"+acc.Key), h.Name("account[]"), h.Value(acc.Key),
			g.If(f.picked == nil || slices.Contains(f.picked, acc.Key), h.Checked()),
			g.If(f.problem != "", h.Aria("invalid", "true")), f.describedByAlert()),
		h.Span(
			h.B(bankLanguage, g.Text(acc.Name)),
			h.Small(h.Span(bankLanguage, g.Text(acc.Product)), g.Text(", "+acc.Currency)),
			h.Small(h.Class("number"), g.Text(displayNumber(acc))),
		),
	)
}

func displayNumber(acc persona.Account) string {
	if acc.IBAN == "" {
		return acc.MaskedPAN
	}
	return groupIBAN(acc.IBAN)
}

// groupIBAN writes an IBAN in groups of four, as it is printed.
func groupIBAN(iban string) string {
	var b strings.Builder
	for i, c := range iban {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// facts shows who asks for which data, until when and how often.
func (v *visit) facts() g.Node {
	return layout.Facts(
		layout.Fact("Requested by", g.Text(v.requester())),
		layout.Fact("Data", h.Ul(g.Map(v.rights(), func(right string) g.Node { return h.Li(g.Text(right)) }))),
		layout.Fact("Access", g.Text(v.until())),
		g.If(v.consent.Recurring, layout.Fact("How often", g.Text(v.howOften()))),
	)
}

// requester returns the name of the service, with the name under which the customer knows
// it.
func (v *visit) requester() string {
	if v.authorisation.Brand == "" {
		return "Aviso"
	}
	return "Aviso, for " + v.authorisation.Brand
}

func (v *visit) rights() []string {
	rights := []string{"Names and numbers of the accounts you choose"}
	a := v.consent.Access
	if a.AllPSD2 != "" || a.AvailableAccountsWithBalance != "" || a.Balances != nil {
		rights = append(rights, "Balances")
	}
	if a.AllPSD2 != "" || a.Transactions != nil {
		rights = append(rights, "Transactions")
	}
	if a.ownerNames() {
		rights = append(rights, "Your name")
	}
	return rights
}

func (v *visit) until() string {
	day := v.consent.ValidUntil.Time().Format("2 January 2006")
	if !v.consent.Recurring {
		return "Once, until " + day
	}
	return "Until " + day
}

func (v *visit) howOften() string {
	times := "once"
	if n := v.consent.FrequencyPerDay; n != 1 {
		times = fmt.Sprintf("%d times", n)
	}
	return "Up to " + times + " a day while you are away, and whenever you ask"
}

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

// logo draws the bank's initials on the bank's own colour.
func (s *server) logo(w http.ResponseWriter, _ *http.Request, lb localBank) error {
	initials := ""
	for word := range strings.FieldsSeq(lb.Name) {
		if len(initials) < 2 && word[0] >= 'A' && word[0] <= 'Z' {
			initials += word[:1]
		}
	}
	hue := 0
	for _, c := range lb.Slug {
		hue = (hue*31 + int(c)*137) % 360
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "public, max-age="+fmt.Sprint(int((24*time.Hour).Seconds())))
	_, _ = fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96" `+
		`role="img" aria-label="%s"><rect width="96" height="96" rx="22" fill="hsl(%d 48%% 32%%)"/>`+
		`<path d="M18 74h60" stroke="#fff" stroke-width="5" stroke-linecap="round" opacity=".55"/>`+
		`<text x="48" y="58" font-family="Georgia, serif" font-size="38" fill="#fff" text-anchor="middle">`+
		`%s</text></svg>`, html.EscapeString(lb.Name), hue, initials)
	return nil
}

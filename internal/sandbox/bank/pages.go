package bank

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
)

// site serves the pages of a bank, or the developer's pages about all banks. The policy has no
// form-action: browsers apply it to every redirect after a form, and the last one, the
// partner's return address, is unknown here.
func (c *call) site() layout.Site {
	site := layout.Site{
		Log: c.Log, ErrorTitle: "The bank is not available",
		Footer: "This bank and its customers are fictional. Nothing here moves real money.",
		Message: func(_ http.ResponseWriter, r *http.Request, status int, title, text string) error {
			back := ""
			if status == http.StatusInternalServerError {
				back = r.URL.Path
			}
			return c.notice(status, title, text, back)
		},
	}
	if c.Slug != "" {
		site.Header, site.Customers = g.Group{bankLogo(c.Bank), layout.HeaderText(c.Name)}, true
	}
	return site.For(c.r)
}

// t returns a text in the customer's language.
func (c *call) t(text string, args ...any) string { return c.site().T(text, args...) }

// text is t as a node.
func (c *call) text(text string, args ...any) g.Node { return g.Text(c.t(text, args...)) }

// show writes a page of the bank, or of a section for developers, or both.
func (c *call) show(status int, section, title, problem string, main ...g.Node) error {
	site := c.site()
	if site.Section = section; section != "" {
		site.Customers = false // developers read English
		site = site.For(c.r)
	}
	if c.Slug != "" {
		title += " – " + c.Name
	}
	return site.Show(c.w, status, title, problem, main...)
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
func (s server) page(m methods) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := s.newCall(w, r)
		site := c.site()
		pages := layout.Methods{}
		for method, answer := range m {
			pages[method] = func(http.ResponseWriter, *http.Request) error {
				if r.PathValue("slug") != c.Slug {
					return c.notice(http.StatusNotFound, "Bank not found", "Go back to the app you came from.", "")
				}
				return answer(c)
			}
		}
		site.Serve(w, r, pages)
	})
}

// form handles a submitted form.
func form(handle func(c *call, form url.Values) error) handler {
	return func(c *call) error {
		return c.site().Form(func(_ http.ResponseWriter, r *http.Request, form url.Values) error {
			return handle(c, form)
		})(c.w, c.r)
	}
}

// notice writes a page with a message. It links back to a page of the sandbox, to an app,
// or, if neither is given, to the list of banks. An app's address comes from outside: if
// it is not a web address, but a script for example, it is not linked.
func (c *call) notice(status int, title, text, back string) error {
	title, text = c.t(title), c.t(text)
	link := h.A(h.Href("/sandbox/banks"), c.text("See all sandbox banks"))
	switch {
	case strings.HasPrefix(back, "/sandbox/"):
		link = h.A(h.Class("button"), h.Href(back), c.text("Try again"))
	case isReturnURL(back):
		link = h.A(h.Class("button"), h.Href(back), c.text("Back to the app"))
	}
	return c.show(status, "", title, "", h.H1(g.Text(title)), layout.Lead(g.Text(text)), h.P(link))
}

// index lists banks and personas for a developer.
func (c *call) index() error {
	title, base := "Sandbox banks", c.base()
	return c.show(http.StatusOK, "/sandbox/banks", title, "",
		h.H1(g.Text(title)),
		layout.Lead(g.Text("Fictional banks that implement account information of NextGenPSD2 XS2A 1.3. "+
			"Connect to one of them through Aviso, then log in on its page as one of the people below.")),
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

func (v *visit) loginPage(status int, chosen, customer, problem string) error {
	describedBy := "customer-hint"
	if problem != "" {
		describedBy += " problem"
	}
	number := h.Div(h.Class("field"),
		h.Label(h.For("customer"), v.text("Customer number"), g.Text(" "), h.Span(h.Class("optional"), v.text("(optional)"))),
		h.P(h.Class("hint"), h.ID("customer-hint"), v.text("A new approval ends the customer’s previous one. "+
			"If you leave this empty, this browser is one customer at each bank.")),
		h.Input(h.ID("customer"), h.Name("customer"), h.Value(customer), h.MaxLength("20"),
			h.Pattern(`[0-9A-Za-z\-]*`), h.AutoComplete("off"), h.Aria("describedby", describedBy)),
	)
	const lead = "Aviso would like to read your accounts. You choose which ones on the next page."
	return v.show(status, "", v.t("Log in to %s", v.Name), problem,
		Login(v.site(), v.Name, lead, v.address(), chosen, problem, number),
		h.Form(h.Method("post"), h.Action(v.address()), h.Class("aside"),
			DecisionButton("refuse", v.t("Cancel and go back"), "quiet")),
	)
}

// Login is the form in which a customer logs in, as the chosen persona or the first, with one more
// field or nil.
func Login(site layout.Site, bank, lead, action, chosen, problem string, field g.Node) g.Node {
	return g.Group{
		layout.Step(g.Text(site.T("Step 1 of 2"))),
		h.H1(g.Text(site.T("Log in to %s", bank))),
		layout.Lead(g.Text(site.T(lead))),
		g.If(problem != "",
			layout.Alert(h.ID("problem"), h.Strong(g.Text(site.T("Please check:"))), g.Text(" "+site.T(problem)))),
		h.Form(h.Method("post"), h.Action(action), people(site, chosen, problem != ""), field,
			h.Div(h.Class("actions"), h.Button(h.Type("submit"), g.Text(site.T("Log in"))))),
	}
}

// people is the choice of who logs in: the chosen persona, or the first. Those with a faulty bank
// are collapsed unless one of them is chosen. A problem with the form has the ID "problem".
func people(site layout.Site, chosen string, problem bool) g.Node {
	var healthy, troubled g.Group
	chosen = cmp.Or(chosen, persona.All()[0].ID)
	open := false
	for _, p := range persona.All() {
		choice := h.Label(h.Class("choice"),
			h.Input(h.Type("radio"), h.Name("persona"), h.Value(p.ID), g.If(p.ID == chosen, h.Checked()), h.Required()),
			h.Span(h.B(g.Text(p.Name)), h.Small(g.Text(site.T(p.Summary)))),
		)
		if p.Behaviour == persona.Healthy {
			healthy = append(healthy, choice)
		} else {
			troubled = append(troubled, choice)
			open = open || p.ID == chosen
		}
	}
	return h.FieldSet(g.If(problem, h.Aria("describedby", "problem")),
		h.Legend(g.Text(site.T("Who are you?"))),
		h.P(h.Class("hint"), g.Text(site.T("The sandbox has no passwords. Choose a person."))),
		h.Div(h.Class("choices"), healthy),
		h.Details(g.If(open, g.Attr("open")),
			h.Summary(g.Text(site.T("People with a faulty bank"))),
			h.Div(h.Class("choices"), troubled),
		),
	)
}

// accountsPage shows the accounts that the customer may share. All are ticked, unless picked
// has the keys of some.
func (v *visit) accountsPage(status int, p persona.Persona, picked []string, problem string) error {
	title := v.t("Share your accounts?")
	return v.show(status, "", title, problem,
		layout.Step(v.text("Step 2 of 2")),
		h.H1(g.Text(title)),
		layout.Lead(v.text("You are logged in as"), g.Text(" "), h.B(g.Text(p.Name)), g.Text(". "),
			h.A(h.Href(v.address()+"?step=login"), v.text("Log in as someone else"))),
		v.facts(),
		v.choice(v.accounts(p), picked, problem),
	)
}

// choice is the form in which the customer chooses accounts. The error links to the first one.
func (v *visit) choice(accounts []persona.Account, picked []string, problem string) g.Group {
	wrong, language := problem != "", h.Lang(v.Traits.Language)
	described := g.If(wrong, h.Aria("describedby", "account-error"))
	return g.Group{
		g.If(wrong, layout.Alert(h.ID("account-error"), h.Strong(v.text("No account is selected.")), g.Text(" "),
			h.A(h.Href("#account-"+accounts[0].Key), v.text(problem)))),
		h.Form(h.Method("post"), h.Action(v.address()),
			h.FieldSet(g.If(wrong, h.Class("wrong")), described,
				h.Legend(v.text("Accounts to share")),
				h.Div(h.Class("choices"), g.Map(accounts, func(acc persona.Account) g.Node {
					return h.Label(h.Class("choice"),
						h.Input(h.Type("checkbox"), h.ID("account-"+acc.Key), h.Name("account[]"), h.Value(acc.Key),
							g.If(picked == nil || slices.Contains(picked, acc.Key), h.Checked()),
							g.If(wrong, h.Aria("invalid", "true")), described),
						h.Span(
							h.B(language, g.Text(acc.Name)),
							h.Small(h.Span(language, g.Text(acc.Product)), g.Text(", "+acc.Currency)),
							h.Small(h.Class("number"), g.Text(displayNumber(acc))),
						),
					)
				})),
			),
			h.P(h.Class("hint"),
				v.text("You can withdraw your approval at any time, in the app that asks for it. Aviso cannot move money.")),
			h.Div(h.Class("actions"), DecisionButton("approve", v.t("Approve"), ""),
				DecisionButton("refuse", v.t("Refuse"), "second")),
		),
	}
}

// displayNumber writes an IBAN in groups of four, as it is printed, or a card number.
func displayNumber(acc persona.Account) string {
	if acc.IBAN == "" {
		return acc.MaskedPAN
	}
	var groups []string
	for group := range slices.Chunk([]byte(acc.IBAN), 4) {
		groups = append(groups, string(group))
	}
	return strings.Join(groups, " ")
}

// facts shows who asks for which data, until when and how often.
func (v *visit) facts() g.Node {
	rights, a := []string{"Names and numbers of the accounts you choose"}, v.consent.Access
	if a.AllPSD2 != "" || a.Balances != nil {
		rights = append(rights, "Balances")
	}
	if a.AllPSD2 != "" || a.Transactions != nil {
		rights = append(rights, "Transactions")
	}
	by := "Aviso"
	if v.consent.Brand != "" {
		by = v.t("%s, through Aviso", v.consent.Brand)
	}
	return layout.Facts(
		layout.Fact(v.t("Requested by"), g.Text(by)),
		layout.Fact(v.t("Data"), h.Ul(g.Map(rights, func(right string) g.Node { return h.Li(v.text(right)) }))),
		layout.Fact(v.t("Access"), v.text("Until %s", v.consent.ValidUntil.Time().Format(v.t("2 January 2006")))),
		layout.Fact(v.t("How often"),
			v.text("At most %d a day while you are away, and whenever you ask", v.consent.FrequencyPerDay)),
	)
}

// logo draws the bank's initials on the bank's own colour.
func (c *call) logo() error {
	initials := ""
	for word := range strings.FieldsSeq(c.Name) {
		if len(initials) < 2 && word[0] >= 'A' && word[0] <= 'Z' {
			initials += word[:1]
		}
	}
	hue := crc32.ChecksumIEEE([]byte(c.Slug)) % 360
	return layout.WriteSVG(c.w, fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" `+
		`viewBox="0 0 96 96" role="img" aria-label="%s"><rect width="96" height="96" rx="22" fill="hsl(%d 48%% 32%%)"/>`+
		`<path d="M18 74h60" stroke="#fff" stroke-width="5" stroke-linecap="round" opacity=".55"/>`+
		`<text x="48" y="58" font-family="Georgia, serif" font-size="38" fill="#fff" text-anchor="middle">`+
		`%s</text></svg>`, html.EscapeString(c.Name), hue, initials))
}

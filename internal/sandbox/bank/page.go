package bank

import (
	"net/http"
	"net/url"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
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

package bank

import (
	"fmt"
	"net/http"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
)

// index lists banks and personas for a developer.
func (s *server) index(w http.ResponseWriter, r *http.Request, _ localBank) error {
	title, base := "Sandbox banks", s.base(r)
	return s.render(w, http.StatusOK, page{title: title, section: "/sandbox/banks", main: g.Group{
		h.H1(g.Text(title)),
		layout.Lead(g.Text("Fictional banks that implement account information of NextGenPSD2 XS2A 1.3. "+
			"Connect to one of them through Aviso, then log in on the bank’s page as one of the people below. "+
			"Then you can "),
			h.A(h.Href(controlPath), g.Text("change how the bank behaves")),
			g.Text(". Letters and faxes from Aviso arrive at "),
			h.A(h.Href("/sandbox/letters"), g.Text("the sandbox’s carriers")), g.Text(".")),
		layout.Cards("banks", "Banks", g.Map(Catalogue(), func(b Bank) g.Node { return bankCard(b, base) })),
		layout.Cards("people", "People", g.Map(persona.All(), personCard)),
	}})
}

func bankCard(b Bank, base string) g.Node {
	return h.Li(
		bankLogo(b),
		h.Div(
			h.B(g.Text(b.Name)), g.Text(" "), layout.Tag("", b.CountryCode),
			g.If(b.Status != "Active", g.Group{g.Text(" "), layout.Tag("off", b.Status)}),
			h.Small(g.Text(bankTerms(b))),
			h.Code(g.Text(base+b.Path())),
		),
	)
}

func bankTerms(b Bank) string {
	return fmt.Sprintf("%s; %d days of history; consent for up to %d days; refresh after %d min",
		strings.Join(b.SupportedAccountTypes, ", "), b.MaxFetchInterval, b.MaxConsentDays, b.RefreshTimeoutMinutes)
}

func personCard(p persona.Persona) g.Node {
	return h.Li(h.Div(
		h.B(g.Text(p.Name)), g.Text(" "), h.Code(g.Text(p.ID)),
		h.Small(g.Text(p.Summary)),
	))
}

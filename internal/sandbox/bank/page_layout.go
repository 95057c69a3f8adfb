package bank

import (
	"net/http"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
)

// page is the content of one page for people.
type page struct {
	title string
	// bank is nil if the page does not belong to a bank.
	bank *Bank
	// section is the path of the developer section that the page is in. It is empty
	// on pages for customers.
	section string
	// problem is the error in a submitted form; usually empty.
	problem string
	main    g.Group
}

// render writes the whole page at once.
func (s *server) render(w http.ResponseWriter, status int, p page) error {
	out := layout.Page{
		Title: p.title, Problem: p.problem, Section: p.section, Main: p.main,
		Footer: "This bank and its customers are fictional. Nothing here moves real money.",
	}
	if p.bank != nil {
		out.Title += " – " + p.bank.Name
		out.Header = g.Group{bankLogo(*p.bank), layout.HeaderText(p.bank.Name)}
	}
	return out.Write(w, status)
}

// bankLogo is always next to the bank's name, so it needs no alternative text.
func bankLogo(b Bank) g.Node {
	return h.Img(h.Src(b.LogoPath()), h.Alt(""), h.Width("40"), h.Height("40"))
}

// decisionButton submits the customer's decision.
func decisionButton(decision, label, class string) g.Node {
	return h.Button(h.Type("submit"), h.Name("decision"), h.Value(decision), g.If(class != "", h.Class(class)),
		g.Text(label))
}

package bank

import (
	"net/http"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
)

// page is what one page for people shows.
type page struct {
	title string
	// bank is nil where the page is no bank's.
	bank *Bank
	// room is the path of the developer's room that the page is in; empty on the
	// pages for customers.
	section string
	// problem is what is wrong with the form that came back; mostly empty.
	problem string
	main    g.Group
}

// render writes a page once it is complete.
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

// bankLogo is next to the bank's name always and has no words of its own.
func bankLogo(b Bank) g.Node {
	return h.Img(h.Src(b.LogoPath()), h.Alt(""), h.Width("40"), h.Height("40"))
}

// decisionButton sends the customer's decision.
func decisionButton(decision, label, class string) g.Node {
	return h.Button(h.Type("submit"), h.Name("decision"), h.Value(decision), g.If(class != "", h.Class(class)), g.Text(label))
}

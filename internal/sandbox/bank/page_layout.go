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
	room string
	// problem is what is wrong with the form that came back; mostly empty.
	problem string
	main    g.Group
}

// render writes a page once it is complete.
func (s *server) render(w http.ResponseWriter, status int, p page) error {
	return layout.Page{
		Title: p.windowTitle(), Sign: p.sign(), Room: p.room, Main: p.main,
		Foot: "This bank and its customers are fictional. Nothing here moves real money.",
	}.Write(w, status)
}

// windowTitle says first that something is wrong: it is what a screen reader
// reads first.
func (p page) windowTitle() string {
	title := p.title
	if p.problem != "" {
		title = "Error: " + title
	}
	if p.bank != nil {
		title += " – " + p.bank.Name
	}
	return title
}

// sign says whose page it is.
func (p page) sign() g.Node {
	if p.bank == nil {
		return layout.Aviso()
	}
	return g.Group{bankLogo(*p.bank), h.Span(h.Class("bank"), g.Text(p.bank.Name))}
}

// bankLogo is next to the bank's name always and has no words of its own.
func bankLogo(b Bank) g.Node {
	return h.Img(h.Src(b.LogoPath()), h.Alt(""), h.Width("40"), h.Height("40"))
}

// decisionButton sends the customer's decision.
func decisionButton(decision, label, class string) g.Node {
	return h.Button(h.Type("submit"), h.Name("decision"), h.Value(decision), g.If(class != "", h.Class(class)), g.Text(label))
}

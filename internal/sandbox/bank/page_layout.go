package bank

import (
	_ "embed" // the style sheet

	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/components"
	h "maragu.dev/gomponents/html"
)

//go:embed pages/style.css
var styleSheet string

// page is what one page for people shows.
type page struct {
	title string
	// bank is nil where the page is no bank's.
	bank *Bank
	// problem is what is wrong with the form that came back; mostly empty.
	problem string
	main    g.Group
}

func (p page) document() g.Node {
	return components.HTML5(components.HTML5Props{
		Title:    p.windowTitle(),
		Language: "en",
		Head: []g.Node{
			h.Meta(h.Name("robots"), h.Content("noindex")),
			h.StyleEl(g.Raw(styleSheet)),
		},
		Body: []g.Node{
			h.Header(h.Class("bar"), p.sign(), h.Span(h.Class("tag"), g.Text("Sandbox"))),
			h.Main(p.main),
			h.Footer(g.Text("This bank and its customers are fictional. Nothing here moves real money.")),
		},
	})
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
		return h.Span(h.Class("bank"), g.Text("Aviso"))
	}
	return g.Group{bankLogo(*p.bank), h.Span(h.Class("bank"), g.Text(p.bank.Name))}
}

// bankLogo is next to the bank's name always and has no words of its own.
func bankLogo(b Bank) g.Node {
	return h.Img(h.Src(b.LogoPath()), h.Alt(""), h.Width("40"), h.Height("40"))
}

func step(text string) g.Node { return h.P(h.Class("step"), g.Text(text)) }

func lead(content ...g.Node) g.Node { return h.P(h.Class("lead"), g.Group(content)) }

func alert(content ...g.Node) g.Node {
	return h.Div(h.Class("alert"), h.Role("alert"), g.Group(content))
}

// decisionButton sends the customer's decision.
func decisionButton(decision, label, class string) g.Node {
	return h.Button(h.Type("submit"), h.Name("decision"), h.Value(decision), g.If(class != "", h.Class(class)), g.Text(label))
}

package bank

import (
	"net/http"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
)

// notice writes a page with a message. It links back to a page of the sandbox, to an app,
// or, if neither is given, to the list of banks.
func (s *server) notice(w http.ResponseWriter, status int, lb localBank, title, text, back string) error {
	p := page{title: title, main: g.Group{
		h.H1(g.Text(title)),
		layout.Lead(g.Text(text)),
		h.P(nextLink(back)),
	}}
	if lb.Slug != "" {
		p.bank = &lb.Bank
	}
	return s.render(w, status, p)
}

// nextLink links to a page of ours or to an app. An app's address comes from outside: if
// it is not a web address, but a script for example, it is not linked.
func nextLink(back string) g.Node {
	switch {
	case strings.HasPrefix(back, "/sandbox/"):
		return h.A(h.Class("button"), h.Href(back), g.Text("Try again"))
	case isReturnURL(back):
		return h.A(h.Class("button"), h.Href(back), g.Text("Back to the app"))
	default:
		return h.A(h.Href("/sandbox/banks"), g.Text("See all sandbox banks"))
	}
}

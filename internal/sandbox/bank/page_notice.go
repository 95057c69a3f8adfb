package bank

import (
	"net/http"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
)

// notice answers with a page that only says something. It leads back to a page
// of the sandbox, to an app, or where neither is given to the list of banks.
func (s *server) notice(w http.ResponseWriter, status int, o office, title, text, back string) error {
	p := page{title: title, main: g.Group{
		h.H1(g.Text(title)),
		layout.Lead(g.Text(text)),
		h.P(wayOn(back)),
	}}
	if o.Slug != "" {
		p.bank = &o.Bank
	}
	return s.render(w, status, p)
}

// wayOn links to a page of ours or to an app. An app's address comes from
// outside: one that is not of the web, a script say, is no link.
func wayOn(back string) g.Node {
	switch {
	case strings.HasPrefix(back, "/sandbox/"):
		return h.A(h.Class("button"), h.Href(back), g.Text("Try again"))
	case returnAddress(back):
		return h.A(h.Class("button"), h.Href(back), g.Text("Go back to the app"))
	default:
		return h.A(h.Href("/sandbox/banks"), g.Text("See all sandbox banks"))
	}
}

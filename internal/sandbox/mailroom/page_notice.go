package mailroom

import (
	"net/http"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
)

// notice answers with a page that only says something.
func (p *pages) notice(w http.ResponseWriter, status int, title, text string) error {
	return layout.Page{Title: title, Sign: layout.Aviso(), Room: PagePath, Foot: foot, Main: g.Group{
		h.H1(g.Text(title)),
		layout.Lead(g.Text(text)),
		h.P(h.A(h.Href(PagePath), g.Text("See all letters"))),
	}}.Write(w, status)
}

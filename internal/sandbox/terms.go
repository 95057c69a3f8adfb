package sandbox

import (
	"embed"
	"net/http"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
)

// TermsPath is the path of the list of terms. The texts are below it.
const TermsPath = "/sandbox/terms"

// Each text is a file called <type>-<version>.txt. Its first line is the title, its first
// paragraph the introduction, and the rest is HTML.
//
//go:embed terms
var termsData embed.FS

// Terms are a version of one kind of the terms that users of the sandbox accept. The texts are
// samples and bind nobody.
type Terms struct{ Slug, Version string }

// Path returns the path of the page of the terms.
func (t Terms) Path() string { return TermsPath + "/" + t.Slug + "/" + t.Version }

// TermsInForce returns the terms in force.
func TermsInForce() []Terms {
	return []Terms{{"operator", "2026-01"}, {"banking-supplier", "2026-01"}, {"cancellation-provider", "2026-01"}}
}

func (t Terms) text() (title, introduction, rest string) {
	content, err := termsData.ReadFile("terms/" + t.Slug + "-" + t.Version + ".txt")
	if err != nil {
		panic("sandbox: " + err.Error()) // the data is embedded
	}
	title, rest, _ = strings.Cut(string(content), "\n\n")
	introduction, rest, _ = strings.Cut(rest, "\n\n")
	return title, introduction, rest
}

func registerTerms(s layout.Site, mux *http.ServeMux) {
	s.Footer = "A sample for tests. It binds nobody."
	s.Back = h.P(h.A(h.Href(TermsPath), g.Text("All terms")))
	page := func(path string, show layout.PageFunc) { s.Handle(mux, path, layout.Methods{"GET": show}) }
	page(TermsPath, func(w http.ResponseWriter, _ *http.Request) error {
		return s.Show(w, http.StatusOK, "Terms", "", h.H1(g.Text("Terms")),
			h.Ul(h.Class("cards"), g.Map(TermsInForce(), func(t Terms) g.Node {
				title, _, _ := t.text()
				return h.Li(h.Div(h.A(h.Href(t.Path()), g.Text(title)), h.Small(g.Text("Version "+t.Version))))
			})))
	})
	for _, t := range TermsInForce() {
		page(t.Path(), func(w http.ResponseWriter, _ *http.Request) error {
			title, introduction, rest := t.text()
			return s.Show(w, http.StatusOK, title, "",
				layout.Step(h.A(h.Href(TermsPath), g.Text("Terms")), g.Text(" · Version "+t.Version)),
				h.H1(g.Text(title)), layout.Lead(g.Text(introduction)), g.Raw(rest))
		})
	}
	page(TermsPath+"/", func(http.ResponseWriter, *http.Request) error {
		return &layout.Problem{Status: http.StatusNotFound, Title: "Page not found", Text: "There are no such terms."}
	})
}

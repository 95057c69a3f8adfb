// Package terms shows the terms that users of the sandbox accept, as pages for people. The
// texts are samples and bind nobody.
//
// Each text is a file in data, called <type>-<version>.txt. Its first line is the title,
// its first paragraph the introduction. A line with "# " is a heading, lines with "- " are
// a list.
package terms

import (
	"embed"
	"log/slog"
	"net/http"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
)

// Path is the path of the list of terms. The texts are below it.
const Path = "/sandbox/terms"

//go:embed data
var data embed.FS

// Document is a version of one kind of terms.
type Document struct{ Slug, Version string }

// Path returns the path of the document's page.
func (d Document) Path() string { return Path + "/" + d.Slug + "/" + d.Version }

// Documents returns the documents in force.
func Documents() []Document {
	return []Document{{"operator", "2026-01"}, {"banking-supplier", "2026-01"}, {"cancellation-provider", "2026-01"}}
}

// text returns the title and the paragraphs of a document.
func (d Document) text() (title string, paragraphs []string) {
	content, err := data.ReadFile("data/" + d.Slug + "-" + d.Version + ".txt")
	if err != nil {
		panic("terms: " + err.Error()) // the data is embedded
	}
	all := strings.Split(strings.TrimSpace(string(content)), "\n\n")
	return all[0], all[1:]
}

// New returns the handler for Path and everything below it.
func New(log *slog.Logger) http.Handler {
	s := site{layout.Site{
		Log: log, Frame: layout.Page{Footer: "A sample for tests. It binds nobody."},
		Back: h.P(h.A(h.Href(Path), g.Text("All terms"))),
	}}
	pages := map[string]layout.PageFunc{Path: s.list}
	for _, d := range Documents() {
		pages[d.Path()] = func(w http.ResponseWriter, _ *http.Request) error { return s.document(w, d) }
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, found := pages[r.URL.Path]
		if !found {
			page = func(http.ResponseWriter, *http.Request) error {
				return &layout.Problem{Status: http.StatusNotFound, Title: "Page not found", Text: "There are no such terms."}
			}
		}
		s.Serve(w, r, layout.Methods{"GET": page})
	})
}

type site struct{ layout.Site }

func (s site) list(w http.ResponseWriter, _ *http.Request) error {
	return s.Show(w, http.StatusOK, "Terms", "", h.H1(g.Text("Terms")),
		h.Ul(h.Class("cards"), g.Map(Documents(), func(d Document) g.Node {
			title, _ := d.text()
			return h.Li(h.Div(h.A(h.Href(d.Path()), g.Text(title)), h.Small(g.Text("Version "+d.Version))))
		})))
}

func (s site) document(w http.ResponseWriter, d Document) error {
	title, paragraphs := d.text()
	main := []g.Node{
		layout.Step(h.A(h.Href(Path), g.Text("Terms")), g.Text(" · Version "+d.Version)),
		h.H1(g.Text(title)),
		layout.Lead(g.Text(paragraphs[0])),
	}
	for _, p := range paragraphs[1:] {
		if heading, ok := strings.CutPrefix(p, "# "); ok {
			main = append(main, h.H2(g.Text(heading)))
		} else if items, ok := strings.CutPrefix(p, "- "); ok {
			main = append(main, h.Ul(g.Map(strings.Split(items, "\n- "), func(item string) g.Node {
				return h.Li(g.Text(item))
			})))
		} else {
			main = append(main, h.P(g.Text(p)))
		}
	}
	return s.Show(w, http.StatusOK, title, "", main...)
}

// Package layout holds what all pages of the sandbox have in common: the frame with its
// style sheet and navigation, the headers, and small parts. Pages work without scripts.
package layout

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the style sheet
	"encoding/base64"
	"fmt"
	"net/http"
	"sync"

	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/components"
	h "maragu.dev/gomponents/html"
)

//go:embed style.css
var styleSheet string

// Page is one page for people.
type Page struct {
	// Title is the window's title. Header shows whose page it is; nil shows Aviso's name.
	Title  string
	Header g.Node
	// Problem is the error in a submitted form; usually empty. The title then starts with
	// "Error", because a screen reader reads the title first.
	Problem string
	// Section is the path of the section that the page is in. It is empty on pages for
	// customers, which have no navigation.
	Section string
	Main    g.Group
	// Footer is the text below the page.
	Footer string
}

// HeaderText returns a header that consists of a name.
func HeaderText(text string) g.Node { return h.Span(h.Class("bank"), g.Text(text)) }

// Place is a page that a developer can go to.
type Place struct{ Path, Name, About string }

// Home is the path of the page about the sandbox.
const Home = "/sandbox"

// Sections returns the sections of the sandbox in display order, Home first.
func Sections() []Place {
	return []Place{
		{Home, "Overview", ""},
		{"/sandbox/banks", "Banks", "The banks, and people with accounts there. Some banks are slow or broken."},
		{"/sandbox/control", "Consents", "End a consent, book pending transactions, or make a bank fail."},
		{"/sandbox/letters", "Letters", "What Aviso sent by e-mail, post and fax. Deliver a letter, return it, or lose it."},
		{"/sandbox/replies", "Answers", "What waits for an answer. Confirm or reject it as the organization."},
	}
}

// Policy returns a content security policy that lets a page load only its own style
// sheet, known by its hash, and our own images. more is appended to it.
func Policy(more string) string {
	return "default-src 'none'; style-src 'sha256-" + styleHash() +
		"'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'" + more
}

// styleHash is computed once: three handlers need it when the function starts.
var styleHash = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(styleSheet))
	return base64.StdEncoding.EncodeToString(sum[:])
})

// SetHeaders sets the headers of a page.
func SetHeaders(w http.ResponseWriter, policy string) {
	headers := w.Header()
	headers.Set("Cache-Control", "no-store")
	headers.Set("Content-Security-Policy", policy)
	headers.Set("Referrer-Policy", "no-referrer")
	headers.Set("X-Content-Type-Options", "nosniff")
}

// Write renders the whole page before it writes any of it.
func (p Page) Write(w http.ResponseWriter, status int) error {
	var b bytes.Buffer
	if err := p.document().Render(&b); err != nil {
		return fmt.Errorf("render page: %w", err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
	return nil
}

func (p Page) document() g.Node {
	if p.Problem != "" {
		p.Title = "Error: " + p.Title
	}
	if p.Header == nil {
		p.Header = HeaderText("Aviso")
		if p.Section != "" {
			p.Header = h.A(h.Class("bank"), h.Href("/"), g.Text("Aviso"))
		}
	}
	return components.HTML5(components.HTML5Props{
		Title:    p.Title,
		Language: "en",
		Head: []g.Node{
			h.Meta(h.Name("robots"), h.Content("noindex")),
			h.StyleEl(g.Raw(styleSheet)),
		},
		Body: []g.Node{
			h.Header(h.Class("bar"), p.Header, Tag("", "Sandbox")),
			g.Iff(p.Section != "", p.nav),
			h.Main(p.Main),
			h.Footer(g.Text(p.Footer)),
		},
	})
}

func (p Page) nav() g.Node {
	return h.Nav(h.Class("sections"), h.Aria("label", "Sandbox"), g.Map(Sections(), func(s Place) g.Node {
		return h.A(h.Href(s.Path), g.If(s.Path == p.Section, h.Aria("current", "true")), g.Text(s.Name))
	}))
}

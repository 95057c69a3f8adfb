// Package docsite shows the checkout's documentation in the browser, at /docs of the local
// stack. It reads the files for each request, so a page shows what was just written.
package docsite

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the style sheet
	"encoding/base64"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/components"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
)

// Path is where the site is. Below it are the files of the folder docs, and under
// elsewhere those of the rest of the checkout.
const (
	Path      = "/docs"
	apiPath   = Path + "/api"
	elsewhere = Path + "/~/"
)

//go:embed style.css
var style string

// Site is the documentation of a checkout.
type Site struct {
	http.Handler
	files    fs.FS
	markdown goldmark.Markdown
}

// New returns the documentation of a checkout.
func New(checkout string) (*Site, error) {
	root, err := os.OpenRoot(checkout) // so that no link leads out of it
	if err != nil {
		return nil, err
	}
	s := &Site{files: root.FS(), markdown: goldmark.New(
		goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+Path, func(w http.ResponseWriter, r *http.Request) { s.file(w, r, "docs/README.md") })
	mux.HandleFunc("GET "+apiPath, s.api)
	mux.HandleFunc("GET "+Path+"/{file...}", func(w http.ResponseWriter, r *http.Request) {
		s.file(w, r, "docs/"+r.PathValue("file"))
	})
	mux.HandleFunc("GET "+elsewhere+"{file...}", func(w http.ResponseWriter, r *http.Request) {
		s.file(w, r, r.PathValue("file"))
	})
	s.Handler = mux
	return s, nil
}

// isShown reports whether a file of the checkout may be shown: nothing that others wrote, and
// nothing hidden but the files of CI, to which pages link.
func isShown(name string) bool {
	for _, visible := range []string{".ci/", ".github/"} {
		name = strings.TrimPrefix(name, visible)
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") || part == "node_modules" {
			return false
		}
	}
	return true
}

// file shows a file: Markdown as a page, images as they are, and all others as text.
func (s *Site) file(w http.ResponseWriter, r *http.Request, name string) {
	content, err := fs.ReadFile(s.files, name)
	switch {
	case err != nil || !isShown(name):
		title := "There is no such page"
		s.page(w, http.StatusNotFound, title, h.H1(g.Text(title)))
	case path.Ext(name) == ".md":
		s.markdownPage(w, r, name, content)
	default:
		headers(w, map[string]string{".svg": "image/svg+xml"}[path.Ext(name)])
		_, _ = w.Write(content)
	}
}

// markdownPage shows a Markdown file, with links that work here and this stack's address.
func (s *Site) markdownPage(w http.ResponseWriter, r *http.Request, name string, content []byte) {
	content = bytes.ReplaceAll(content, []byte("http://localhost:3000"), []byte(layout.Origin("", r)))
	document := s.markdown.Parser().Parse(text.NewReader(content))
	title := path.Base(name)
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level == 1 {
				title = string(n.Lines().Value(content))
			}
		case *ast.Link:
			n.Destination = []byte(address(name, string(n.Destination)))
		case *ast.Image:
			n.Destination = []byte(address(name, string(n.Destination)))
		}
		return ast.WalkContinue, nil
	})
	var body bytes.Buffer
	if err := s.markdown.Renderer().Render(&body, content, document); err != nil {
		s.page(w, http.StatusInternalServerError, title, h.P(g.Text(err.Error())))
		return
	}
	s.page(w, http.StatusOK, title, g.Raw(body.String()))
}

// address returns the address for a link of the file with this name.
func address(from, link string) string {
	to, err := url.Parse(link)
	if err != nil || to.Scheme != "" || to.Path == "" {
		return link
	}
	to.Path = path.Join(path.Dir(from), to.Path)
	if below, isDocs := strings.CutPrefix(to.Path, "docs/"); isDocs {
		to.Path = Path + "/" + below
	} else {
		to.Path = elsewhere + to.Path
	}
	return to.String()
}

func (s *Site) page(w http.ResponseWriter, status int, title string, main g.Node) {
	link := func(to, name string) g.Node { return h.A(h.Href(to), g.Text(name)) }
	var page bytes.Buffer
	_ = components.HTML5(components.HTML5Props{ // a buffer never fails
		Title: title + " – Aviso", Language: "en",
		Head: []g.Node{h.StyleEl(g.Raw(style))},
		Body: []g.Node{
			h.Header(h.Strong(link("/", "Aviso")), h.Nav(h.Aria("label", "Documentation"),
				link(Path, "Pages"), link(elsewhere+"README.md", "README"), link(apiPath, "API"), link("/sandbox", "Sandbox"))),
			h.Main(main),
		},
	}).Render(&page)
	headers(w, "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes())
}

// headers sets the headers of a page or file. An empty type is that of text.
func headers(w http.ResponseWriter, contentType string) {
	if contentType == "" {
		contentType = "text/plain; charset=utf-8"
	}
	sum := sha256.Sum256([]byte(style))
	layout.SetHeaders(w, "default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+
		"'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'")
	w.Header().Set("Content-Type", contentType)
}

package console

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"mime"
	"net/http"
	"strconv"
	"sync"
	"time"

	"aviso/internal/aws/config"
)

//go:embed templates/*.html
var templateFiles embed.FS

//go:embed console.css
var styleSheet []byte

//go:embed console.js
var script []byte

// Page is one page. Its template is templates/<Template>.html, which defines "main" and gets
// Data. The layout shows the rest.
type Page struct {
	// Status is 200 if it is 0.
	Status int
	// Title is the heading, and the window's title.
	Title string
	// Lead is the sentence below the heading. It says what the page is for.
	Lead string
	// Section is the path of the section in the navigation.
	Section string
	// Crumbs lead back to the pages above this one.
	Crumbs []Link
	// Badge is a state beside the heading; nil for none.
	Badge *Badge
	// Problem is what is wrong with a submitted form. The title then starts with "Error".
	Problem string
	// Kept says how long what the page shows is kept.
	Kept string
	// Refresh reloads the page after that time, to follow work in progress; 0 for never. Such
	// a page needs a link that stops it.
	Refresh time.Duration
	// Allow is the header of that name.
	Allow    string
	Template string
	Data     any
}

// layout is what the template "layout" gets.
type layout struct {
	Page
	Sections      []Section
	SignedIn      bool
	Partner, Who  string
	Role          Role
	Stage         config.Stage
	Production    bool
	Docs          Link
	Flash         string
	Style, Script string
}

// write implements Answer. It renders the whole page before it writes any of it.
func (p Page) write(c *Console, w http.ResponseWriter, call *Call) error {
	page, err := c.templates.page(p.Template)
	if err != nil {
		return err
	}
	l := layout{
		Page: p, SignedIn: call.Session.Partner != "", Partner: call.Session.name, Who: call.Session.Who,
		Role: call.Session.Role, Stage: c.Stage, Production: c.Stage == config.Production, Flash: call.Session.Flash,
		Docs:  c.docs("/docs", "Documentation"),
		Style: assetPath("console.css", styleSheet), Script: assetPath("console.js", script),
	}
	if l.SignedIn {
		l.Sections = c.navigation(call.Session.Role)
	}
	var b bytes.Buffer
	if err := page.ExecuteTemplate(&b, "layout", l); err != nil {
		return fmt.Errorf("render %s: %w", p.Template, err)
	}
	if p.Allow != "" {
		w.Header().Set("Allow", p.Allow)
	}
	if p.Refresh > 0 {
		w.Header().Set("Refresh", strconv.Itoa(int(p.Refresh.Seconds())))
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(cmp.Or(p.Status, http.StatusOK))
	_, _ = w.Write(b.Bytes())
	return nil
}

// File is a whole file instead of a page.
type File struct {
	Type    string
	Content []byte
	// Lasting files have an address of their own for each content.
	Lasting bool
	// Name is for a document that the browser shows by itself, with nothing else loaded, or saves.
	Name string
	Save bool
}

func (f File) write(_ *Console, w http.ResponseWriter, _ *Call) error {
	w.Header().Set("Content-Type", f.Type)
	if f.Lasting {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if f.Name != "" {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		shown := "inline"
		if f.Save {
			shown = "attachment"
		}
		w.Header().Set("Content-Disposition", mime.FormatMediaType(shown, map[string]string{"filename": f.Name}))
	}
	_, _ = w.Write(f.Content)
	return nil
}

// asset returns the route of a file that pages load.
func asset(name, media string, content []byte) Route {
	return get(Path+"/"+name, Anybody, func(*Call) (Answer, error) {
		return File{Type: media, Content: content, Lasting: true}, nil
	})
}

// assetPath returns the address of a file, which changes with its content.
func assetPath(name string, content []byte) string {
	sum := sha256.Sum256(content)
	return Path + "/" + name + "?" + hex.EncodeToString(sum[:6])
}

// templates parses a page's templates when it is first shown, so that the function starts
// without them.
type templates struct {
	functions template.FuncMap

	mu    sync.Mutex
	pages map[string]*template.Template
}

// page returns the templates of one page.
func (t *templates) page(name string) (*template.Template, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if page, ok := t.pages[name]; ok {
		return page, nil
	}
	page, err := template.New("").Funcs(t.functions).ParseFS(
		templateFiles, "templates/layout.html", "templates/parts.html", "templates/"+name+".html")
	if err != nil {
		return nil, fmt.Errorf("parse template %s: %w", name, err)
	}
	t.pages[name] = page
	return page, nil
}

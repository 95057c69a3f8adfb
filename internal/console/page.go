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
	"strings"
	"sync"

	"aviso/internal/aws/config"
)

//go:embed templates/*.html
var templateFiles embed.FS

//go:embed console.css
var styleSheet []byte

//go:embed console.js
var script []byte

// Page is one page. Its template is templates/<Template>.html, which defines "main" and arranges
// the parts below. The layout shows the rest.
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
	Kept     string
	Template string

	// Advice says what a state or an event means.
	Advice Advice
	Tabs   Tabs
	Facts  Facts
	// Find finds one thing by its ID, and Filter chooses from List. Form does something. They are
	// nil where there is nothing to find, to choose, or that the visitor may do.
	Find, Filter, Form *Form
	// Note says what is special, such as how far a search went that found too little.
	Note string
	// List is the page's table. The words for it come with the page.
	List Table
	// Links lead on.
	Links []Link
	// Blocks are texts to copy, Charts are small.
	Blocks []Block
	Charts []Bars
	// More is what only this template shows.
	More any
}

// layout is what the template "layout" gets.
type layout struct {
	Page
	Session       Session
	Sections      []Section
	Stage         config.Stage
	Docs          Link
	Style, Script string
}

// write implements Answer. It renders the whole page before it writes any of it.
func (p Page) write(c *Console, call *Call) error {
	l := layout{
		Page: p, Session: call.Session, Stage: c.Stage, Docs: c.docs("/docs", "Documentation"),
		Style: assetPath("console.css", styleSheet), Script: assetPath("console.js", script),
	}
	if call.Session.Role > Anybody {
		l.Sections = c.navigation(call.Session.Role)
	}
	values := strings.NewReplacer("{origin}", c.origin(call.Request), "{client}", string(call.Partner()))
	l.List.Empty.Command = values.Replace(l.List.Empty.Command)
	var b bytes.Buffer
	if err := c.templates[p.Template]().ExecuteTemplate(&b, "layout", l); err != nil {
		return fmt.Errorf("render %s: %w", p.Template, err)
	}
	call.send(cmp.Or(p.Status, http.StatusOK), "text/html; charset=utf-8", b.Bytes())
	return nil
}

// File is a whole file instead of a page.
type File struct {
	Type    string
	Content []byte
	// Name is for a document that the browser shows by itself, with nothing else loaded, or saves.
	Name string
	Save bool
}

func (f File) write(_ *Console, call *Call) error {
	h := call.w.Header()
	if f.Name != "" {
		h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		shown := "inline"
		if f.Save {
			shown = "attachment"
		}
		h.Set("Content-Disposition", mime.FormatMediaType(shown, map[string]string{"filename": f.Name}))
	}
	call.send(http.StatusOK, f.Type, f.Content)
	return nil
}

// asset returns the route of a file that pages load. It has an address of its own for each content.
func asset(name, media string, content []byte) Route {
	return get(Path+"/"+name, Anybody, func(call *Call) (Answer, error) {
		call.w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		return File{Type: media, Content: content}, nil
	})
}

// assetPath returns the address of a file, which changes with its content.
func assetPath(name string, content []byte) string {
	sum := sha256.Sum256(content)
	return Path + "/" + name + "?" + hex.EncodeToString(sum[:6])
}

// pageTemplates returns what parses the templates of each page, by name, when it is first shown, so that
// the function starts without them.
func pageTemplates(functions template.FuncMap) map[string]func() *template.Template {
	pages := map[string]func() *template.Template{}
	files, _ := templateFiles.ReadDir("templates") // it is part of the program
	for _, file := range files {
		pages[strings.TrimSuffix(file.Name(), ".html")] = sync.OnceValue(func() *template.Template {
			return template.Must(template.New("").Funcs(functions).ParseFS(
				templateFiles, "templates/layout.html", "templates/parts.html", "templates/"+file.Name()))
		})
	}
	return pages
}

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

// Page is one page. Its template is templates/<Template>.html, which defines "main" and arranges the parts below. The
// layout shows everything else.
type Page struct {
	// Status is the HTTP status; 0 means 200.
	Status int
	// Title is the heading and the window's title.
	Title string
	// Lead is the sentence below the heading: the purpose of the page.
	Lead string
	// Section is the path of the section in the navigation.
	Section string
	// Crumbs lead back to the pages above this one.
	Crumbs []Link
	// Badge is a state beside the heading; nil for none.
	Badge *Badge
	// Problem is the error in a submitted form. The title then starts with "Error".
	Problem string
	// Kept says how long the page's data is kept.
	Kept     string
	Template string

	// Advice explains a state or an event.
	Advice Advice
	Tabs   Tabs
	Facts  Facts
	// Find finds one object by its ID, Filter filters List, and Form is an action. Each is nil if the page or the
	// visitor's role does not have it.
	Find, Filter, Form *Form
	// Note is a special remark, such as how far a search went.
	Note string
	// List is the page's table. Its texts come with the page.
	List Table
	// Links lead to related pages.
	Links []Link
	// Blocks are texts to copy, Charts are small.
	Blocks []Block
	Charts []Bars
	// More is data that only this template shows.
	More any
}

// layout is the data of the template "layout".
type layout struct {
	Page
	Session       Session
	Sections      []Section
	Stage         config.Stage
	Docs          Link
	Style, Script string
}

// write implements Answer. It renders the whole page before it writes the first byte.
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

// File is a file instead of a page.
type File struct {
	Type    string
	Content []byte
	// Name is the file's name if the browser shows it as a document, without loading anything else, or saves it.
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

// asset returns the route of a file that pages load. Its path changes with its content.
func asset(name, media string, content []byte) Route {
	return get(Path+"/"+name, Anybody, func(call *Call) (Answer, error) {
		call.w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		return File{Type: media, Content: content}, nil
	})
}

// assetPath returns the path of a file, which changes with its content.
func assetPath(name string, content []byte) string {
	sum := sha256.Sum256(content)
	return Path + "/" + name + "?" + hex.EncodeToString(sum[:6])
}

// pageTemplates returns a function for each page, by name, that parses its templates on first use. So the function
// starts without them.
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

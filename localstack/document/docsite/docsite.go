// Package docsite serves the documentation site in the local stack. If `make docs` has not built it yet, a page says
// so. It reads the files for each request, so a new build shows at once.
package docsite

import (
	"bufio"
	"bytes"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
)

// Path is the path of the site, and problems is the path in the `type` of a problem.
const (
	Path     = "/docs"
	problems = "/problems/"
)

// builtFor is the API's address in the output of `make docs`.
const builtFor = "http://localhost:3000"

// Site is the site built in a folder. Its pages name the API at BaseURL.
type Site struct{ Folder, BaseURL string }

// Serves reports whether a path belongs to the site.
func Serves(path string) bool {
	return path == Path || strings.HasPrefix(path, Path+"/") || strings.HasPrefix(path, problems)
}

func (s Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if code, ok := strings.CutPrefix(r.URL.Path, problems); ok {
		http.Redirect(w, r, Path+problems+strings.TrimSuffix(code, "/")+"/", http.StatusFound)
		return
	}
	if r.URL.Path == Path {
		http.Redirect(w, r, Path+"/", http.StatusFound) // its links are relative
		return
	}
	headers, err := os.ReadFile(filepath.Join(s.Folder, "_headers"))
	if err != nil {
		notBuilt(w)
		return
	}
	setHeaders(w, headers)
	name := path.Clean(strings.TrimPrefix(r.URL.Path, Path))
	if !s.has(name) {
		page, _ := os.ReadFile(filepath.Join(s.Folder, "404.html"))
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write(page)
		return
	}
	if s.BaseURL != builtFor && s.serveText(w, r, name) {
		return
	}
	http.StripPrefix(Path, http.FileServer(http.Dir(s.Folder))).ServeHTTP(w, r)
}

// serveText serves a page, a document or the Postman collection, with the stack's own address in it. It returns false
// for other files.
func (s Site) serveText(w http.ResponseWriter, r *http.Request, name string) bool {
	if strings.HasSuffix(r.URL.Path, "/") {
		name = path.Join(name, "index.html")
	}
	if !slices.Contains([]string{".html", ".json", ".yaml", ".md", ".txt"}, path.Ext(name)) {
		return false
	}
	text, err := os.ReadFile(filepath.Join(s.Folder, filepath.FromSlash(name)))
	if err != nil {
		return false
	}
	text = bytes.ReplaceAll(text, []byte(builtFor), []byte(s.BaseURL))
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
	return true
}

// has reports whether a file or a page with this name exists.
func (s Site) has(name string) bool {
	file := filepath.Join(s.Folder, filepath.FromSlash(name))
	info, err := os.Stat(file)
	if err == nil && info.IsDir() {
		_, err = os.Stat(filepath.Join(file, "index.html"))
	}
	return err == nil
}

// setHeaders sets the headers in the site's file _headers, which is for static hosts: a line with the paths, then an
// indented line for each header.
func setHeaders(w http.ResponseWriter, file []byte) {
	for lines := bufio.NewScanner(bytes.NewReader(file)); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ": "); ok {
			w.Header().Set(strings.TrimSpace(name), value)
		}
	}
	w.Header().Set("Cache-Control", "no-cache")
}

func notBuilt(w http.ResponseWriter) {
	layout.SetHeaders(w, "; form-action 'none'")
	_ = layout.Site{}.Show(w, http.StatusNotFound, "Documentation", "",
		h.H1(g.Text("The documentation is not built yet")),
		layout.Lead(g.Text("Run this in the checkout, then reload the page. It takes about a minute the first time.")),
		h.Pre(h.Code(h.Class("copy"), g.Text("make docs"))),
		h.P(g.Text("Or read the Markdown files: docs/README.md lists them.")))
}

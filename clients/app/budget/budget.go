// Package budget is the budgeting app as an http.Handler. It keeps nothing but who is signed in:
// all else is Aviso's, and is asked for when a page shows it.
package budget

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"

	aviso "aviso.example/client"
)

// Config says where things are. The credentials come from here or from the environment.
type Config struct {
	Aviso aviso.Config
	// PublicURL is the address of the app, without a trailing slash. It may have a path.
	PublicURL string
	// Sandbox offers the sandbox's people, and lets time pass for them.
	Sandbox bool
	// Client replaces the client that is made from Aviso, for tests.
	Client *aviso.Client
}

//go:embed templates static
var files embed.FS

// App serves the pages.
type App struct {
	Config
	prefix string // the path of PublicURL
	base   string // Aviso's address
	client *aviso.Client
	pages  map[string]*template.Template // by language and name, such as "de/spending"
	hooks  *hooks
	live   *live
	ended  <-chan struct{}

	people    sync.Map // the user's ID, by the token in the cookie
	preparing sync.Map // users whose accounts are read for the first time
	previews  sync.Map // the letter that a user looks at before it leaves
	handler   http.Handler
}

// New returns the app. Pages that wait for news are closed when ctx ends.
func New(ctx context.Context, config Config) (*App, error) {
	public, err := url.Parse(config.PublicURL)
	if err != nil || public.Host == "" {
		return nil, fmt.Errorf("PublicURL must be an address such as https://app.example, but is %q", config.PublicURL)
	}
	a := &App{Config: config, prefix: strings.TrimRight(public.Path, "/"), client: config.Client, live: newLive(),
		ended: ctx.Done(), base: cmp.Or(config.Aviso.BaseURL, os.Getenv("AVISO_BASE_URL"))}
	if a.client == nil {
		if a.client, err = aviso.New(config.Aviso); err != nil {
			return nil, err
		}
	}
	a.hooks = &hooks{address: config.PublicURL + "/webhooks", client: a.client, seen: map[string]bool{}, arrived: a.arrived}
	if a.pages, err = a.parse(); err != nil {
		return nil, err
	}
	a.handler = a.routes()
	return a, nil
}

// ServeHTTP answers a request.
func (a *App) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.handler.ServeHTTP(w, r) }

func (a *App) routes() http.Handler {
	mux := http.NewServeMux()
	open := func(pattern string, show func(*visit) error) { mux.Handle(pattern, a.page(show, false)) }
	private := func(pattern string, show func(*visit) error) { mux.Handle(pattern, a.page(show, true)) }
	open("GET /{$}", (*visit).welcome)
	open("POST /start", (*visit).start)
	open("POST /leave", (*visit).leave)
	private("POST /data", (*visit).takeAway)
	private("GET /terms", (*visit).terms)
	private("POST /terms", (*visit).acceptTerms)
	private("GET /banks", (*visit).banks)
	private("POST /banks", (*visit).connect)
	private("GET /back", (*visit).back)
	private("GET /reading", (*visit).reading)
	private("GET /spending", (*visit).spending)
	private("GET /rows", (*visit).rows)
	private("GET /contracts", (*visit).contracts)
	private("GET /cancel", (*visit).cancelForm)
	private("POST /review", (*visit).review)
	private("GET /preview.pdf", (*visit).preview)
	private("POST /send", (*visit).send)
	private("GET /way/{id}", (*visit).way)
	private("GET /way/{id}/letter.pdf", (*visit).letter)
	private("POST /way/{id}/withdraw", (*visit).withdraw)
	private("POST /way/{id}/confirm", (*visit).confirm)
	private("GET /savings", (*visit).savings)
	private("POST /month", (*visit).passMonth)
	private("GET /passing", (*visit).passing)
	private("GET /live", (*visit).follow)
	private("POST /way/{id}/object", (*visit).object)
	open("GET /", func(*visit) error { return aviso.ErrNotFound })
	static, _ := fs.Sub(files, "static") // it is embedded
	mux.Handle("GET /static/", http.StripPrefix("/static", http.FileServerFS(static)))
	// Aviso is not a browser, so a callback passes without the check for other sites.
	mux.Handle("POST /webhooks", a.hooks)
	return http.StripPrefix(a.prefix, http.NewCrossOriginProtection().Handler(mux))
}

// visit is one request for a page.
type visit struct {
	*App
	language
	w    http.ResponseWriter
	r    *http.Request
	user *aviso.UserView // nil on pages for everybody
	who  person
}

func (a *App) page(show func(*visit) error, private bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &visit{App: a, language: a.languageOf(w, r), w: w, r: r}
		header := w.Header()
		header.Set("Cache-Control", "no-store")
		header.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "+
			"img-src 'self' data: http: https:; frame-src 'self'; base-uri 'none'; frame-ancestors 'self'")
		header.Set("Referrer-Policy", "same-origin")
		header.Set("X-Content-Type-Options", "nosniff")
		err := v.identify()
		switch {
		case err != nil:
		case v.user == nil && private:
			err = v.goTo("/")
		default:
			if v.user != nil { // also after a restart, when nobody starts again
				if err := v.hooks.subscribe(v.r.Context()); err != nil {
					slog.WarnContext(v.r.Context(), "app: no news will come", "error", err)
				}
			}
			err = show(v)
		}
		if err != nil {
			v.failed(err)
		}
	})
}

// failed tells people that something went wrong, and the log what.
func (v *visit) failed(err error) {
	status, title, key := http.StatusInternalServerError, "errorTitle", "errorText"
	if errors.Is(err, aviso.ErrNotFound) {
		status, title, key = http.StatusNotFound, "notFoundTitle", "errorGone"
	} else if v.r.Context().Err() == nil { // otherwise nobody waits for the page
		slog.ErrorContext(v.r.Context(), "app: a page failed", "path", v.r.URL.Path, "error", err)
	}
	if err := v.render(status, "error", struct{ Title, Text string }{v.T(title), v.T(key)}); err != nil {
		http.Error(v.w, v.T(key), http.StatusInternalServerError)
	}
}

// frame is what every page has.
type frame struct {
	Name, Prefix, Lang, Other, OtherURL string
	Who                                 person
	SignedIn, Sandbox                   bool
	Today, Path                         string
	Data                                any
}

// render writes a page once all of it could be rendered.
func (v *visit) render(status int, name string, data any) error {
	f := frame{Name: name, Prefix: v.prefix, Lang: v.code, Other: "de", Who: v.who, SignedIn: v.user != nil, Sandbox: v.Sandbox, Data: data}
	if v.code == "de" {
		f.Other = "en"
	}
	query := v.r.URL.Query()
	query.Set("lang", f.Other)
	f.OtherURL = v.prefix + v.r.URL.Path + "?" + query.Encode()
	f.Path = v.r.URL.Path
	if v.r.Method != http.MethodGet {
		f.OtherURL, f.Path = "", "" // nobody can come back to it
	}
	if v.user != nil && v.Sandbox {
		if now, err := v.now(); err == nil {
			f.Today = v.Day(now.Format("2006-01-02"))
		}
	}
	var b bytes.Buffer
	if err := v.pages[v.code+"/"+name].ExecuteTemplate(&b, "frame", f); err != nil {
		return fmt.Errorf("render %s: %w", name, err)
	}
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	v.w.WriteHeader(status)
	_, _ = v.w.Write(b.Bytes())
	return nil
}

func (v *visit) show(name string, data any) error { return v.render(http.StatusOK, name, data) }

// goTo sends the browser to another page of the app.
func (v *visit) goTo(path string) error {
	http.Redirect(v.w, v.r, v.prefix+path, http.StatusSeeOther)
	return nil
}

// parse reads the templates once for each language, whose functions they call.
func (a *App) parse() (map[string]*template.Template, error) {
	pages := map[string]*template.Template{}
	names, err := fs.Glob(files, "templates/*.html")
	if err != nil {
		return nil, err
	}
	for _, l := range languages() {
		functions := template.FuncMap{"T": l.T, "money": l.Money, "round": l.Round, "day": l.Day, "brief": l.Brief,
			"month": l.Month, "known": l.Known, "initials": initials, "hue": hue, "tab": tab,
			"about": func(p person) string { return p.About[l.position] }}
		for _, file := range names {
			name := strings.TrimSuffix(strings.TrimPrefix(file, "templates/"), ".html")
			page, err := template.New(name).Funcs(functions).ParseFS(files, "templates/frame.html", file)
			if err != nil {
				return nil, err
			}
			pages[l.code+"/"+name] = page
		}
	}
	return pages, nil
}

// link is a link of the navigation.
type link struct {
	Prefix, Page, Icon string
	Current            bool
}

func tab(f frame, page string, current bool) link {
	icons := map[string]string{
		"spending":  "M4 20V10m5.3 10V4m5.4 16v-8m5.3 8V7",
		"contracts": "M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h5",
		"savings":   "M12 3a9 9 0 1 0 .01 0M8 12l3 3 5-6",
	}
	return link{f.Prefix, page, icons[page], current}
}

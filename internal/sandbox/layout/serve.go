package layout

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/clock"
)

// PageFunc writes one page.
type PageFunc func(w http.ResponseWriter, r *http.Request) error

// Methods maps the methods of an address to their pages. HEAD is handled as GET.
type Methods map[string]PageFunc

// Site serves the pages of one part of the sandbox.
type Site struct {
	// Policy is what its content security policy has beyond that of all pages.
	Policy string
	Log    *slog.Logger
	// Header shows whose the pages are; nil shows Aviso's name. Footer is the text below.
	Header g.Node
	Footer string
	// Section is the path of the section that the pages are in. It is empty for pages for
	// customers, which have no navigation.
	Section string
	// About describes the page to search engines, which may list only pages that have it.
	About string
	// ErrorTitle is the title of the page for internal errors, and Back what is below a
	// message.
	ErrorTitle string
	Back       g.Node
	// Customers says that the pages are for banks' customers, so in the language of their browser.
	Customers bool
	language  string
	// Message writes a page with a message, in place of the usual one.
	Message func(w http.ResponseWriter, r *http.Request, status int, title, text string) error
}

// Handle registers an address with its pages.
func (s Site) Handle(mux *http.ServeMux, path string, m Methods) {
	mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { s.Serve(w, r, m) })
}

// Serve writes the page for the request's method, or an error if there is none.
func (s Site) Serve(w http.ResponseWriter, r *http.Request, m Methods) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	answer, allowed := m[method]
	if !allowed {
		w.Header().Set("Allow", strings.Join(slices.Sorted(maps.Keys(m)), ", "))
		answer = func(http.ResponseWriter, *http.Request) error {
			return &Problem{http.StatusMethodNotAllowed, "Method not allowed", "Go back and try again."}
		}
	}
	s.For(r).Write(w, r, answer)
}

// Write writes a page, or the error page if that fails.
func (s Site) Write(w http.ResponseWriter, r *http.Request, answer PageFunc) {
	SetHeaders(w, s.Policy)
	err := answer(w, r)
	if p := AsProblem(err); p != nil {
		err = s.Notice(w, r, p.Status, p.Title, p.Text)
	}
	if err != nil {
		s.Log.ErrorContext(r.Context(), "sandbox page failed", "method", r.Method, "route", r.Pattern, "error", err)
		err = s.Notice(w, r, http.StatusInternalServerError, s.T(s.ErrorTitle), s.T("Please try again in a moment."))
	}
	if err != nil {
		s.Log.ErrorContext(r.Context(), "sandbox page failed", "error", err)
	}
}

// Notice writes a page with a message.
func (s Site) Notice(w http.ResponseWriter, r *http.Request, status int, title, text string) error {
	if s.Message != nil {
		return s.Message(w, r, status, title, text)
	}
	return s.Show(w, status, s.T(title), "", h.H1(g.Text(s.T(title))), Lead(g.Text(s.T(text))), s.Back)
}

// maxForm is far larger than any form.
const maxForm = 8 << 10

// ReadForm reads a submitted form. It may return a *Problem.
func ReadForm(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	status := http.StatusUnsupportedMediaType
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err == nil && media == "application/x-www-form-urlencoded" {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		if err := r.ParseForm(); err == nil {
			return r.PostForm, nil
		}
		status = http.StatusBadRequest
	}
	return nil, &Problem{status, "Invalid form", "Go back and try again."}
}

// Form handles a submitted form. The forms need no token against forged requests: what
// another site submits never gets here, as package sandbox says.
func (s Site) Form(handle func(w http.ResponseWriter, r *http.Request, form url.Values) error) PageFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		form, err := ReadForm(w, r)
		if err != nil {
			return err
		}
		return handle(w, r, form)
	}
}

// OrNull returns what is null in JSON for the zero value.
func OrNull[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

// WantsJSON reports whether the caller is a program. Browsers never ask for JSON.
func WantsJSON(r *http.Request) bool {
	return strings.Contains(strings.ToLower(r.Header.Get("Accept")), "application/json")
}

// WriteJSON writes a JSON response.
func WriteJSON(w http.ResponseWriter, status int, body any) error {
	b, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(b) // nothing to do if the caller has gone
	return nil
}

// Redirect redirects a browser. It does not use http.Redirect, which would rewrite the
// address.
func Redirect(w http.ResponseWriter, to string) error {
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// Done redirects to the page that shows what a command has done, or shows the page again with the problem.
func Done(w http.ResponseWriter, err error, to string, again func(status int, problem string) error) error {
	if p := AsProblem(err); p != nil {
		return again(p.Status, p.Text)
	}
	if err != nil {
		return err
	}
	return Redirect(w, to)
}

// Problem is the reason why a command cannot run, or why there is no page. A page that fails
// with it is one with this title and text.
type Problem struct {
	Status      int
	Title, Text string
}

func (p *Problem) Error() string { return p.Text }

// AsProblem returns the problem in an error, or nil if there is none.
func AsProblem(err error) *Problem {
	p, _ := errors.AsType[*Problem](err)
	return p
}

// Conflict returns the problem of a command that is not possible in the current state.
func Conflict(text string) error { return &Problem{http.StatusConflict, "", text} }

// Invalid returns the problem of an invalid command.
func Invalid(text string) error { return &Problem{http.StatusUnprocessableEntity, "", text} }

// defaultMinutes is the default duration, maxMinutes the longest.
const defaultMinutes, maxMinutes = 10, 24 * 60

// ReadMinutes reads the duration from a form.
func ReadMinutes(form url.Values) (time.Duration, error) {
	n := defaultMinutes
	if form.Has("minutes") {
		var err error
		if n, err = strconv.Atoi(form.Get("minutes")); err != nil || n < 1 || n > maxMinutes {
			return 0, Invalid("The duration must be from 1 to " + strconv.Itoa(maxMinutes) + " minutes.")
		}
	}
	return time.Duration(n) * time.Minute, nil
}

// Origin returns the public address of this environment without a trailing slash: the
// configured one or, if that is empty, the address of the request.
func Origin(configured string, r *http.Request) string {
	if configured != "" {
		return configured
	}
	scheme := "https"
	if r.TLS == nil && r.Header.Get("X-Forwarded-Proto") != "https" {
		scheme = "http"
	}
	return scheme + "://" + r.Host
}

// Timed gives the context of each request the time of the user whom the service told it is for;
// see clock.Header.
func Timed(h http.Handler, now func() time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(clock.With(r.Context(), clock.Told(r.Header.Get(clock.Header), now))))
	})
}

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
)

// PageFunc writes one page.
type PageFunc func(w http.ResponseWriter, r *http.Request) error

// Methods maps the methods of an address to their pages. HEAD is handled as GET.
type Methods map[string]PageFunc

// Site serves the pages of one part of the sandbox.
type Site struct {
	Policy string
	Log    *slog.Logger
	// ErrorTitle is the title of the page for internal errors.
	ErrorTitle string
	// Notice writes a page with a message.
	Notice func(w http.ResponseWriter, r *http.Request, status int, title, text string) error
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
		answer = s.NoticePage(http.StatusMethodNotAllowed, "Method not allowed", "Go back and try again.")
	}
	s.Write(w, r, answer)
}

// NoticePage returns a page with a message.
func (s Site) NoticePage(status int, title, text string) PageFunc {
	return func(w http.ResponseWriter, r *http.Request) error { return s.Notice(w, r, status, title, text) }
}

// Write writes a page, or the error page if that fails.
func (s Site) Write(w http.ResponseWriter, r *http.Request, answer PageFunc) {
	SetHeaders(w, s.Policy)
	err := answer(w, r)
	if err == nil {
		return
	}
	s.Log.ErrorContext(r.Context(), "sandbox page failed", "method", r.Method, "route", r.Pattern, "error", err)
	if err := s.Notice(w, r, http.StatusInternalServerError, s.ErrorTitle,
		"Please try again in a moment."); err != nil {
		s.Log.ErrorContext(r.Context(), "sandbox page failed", "error", err)
	}
}

// maxForm is far larger than any form of the pages.
const maxForm = 8 << 10

// Form handles a submitted form. The forms need no token against forged requests: what
// another site submits never gets here, as package sandbox says.
func (s Site) Form(handle func(w http.ResponseWriter, r *http.Request, form url.Values) error) PageFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		status := http.StatusUnsupportedMediaType
		// API Gateway's adapter splits a header at its commas.
		media, _, err := mime.ParseMediaType(strings.Join(r.Header.Values("Content-Type"), ","))
		if err == nil && media == "application/x-www-form-urlencoded" {
			r.Body = http.MaxBytesReader(w, r.Body, maxForm)
			if err := r.ParseForm(); err == nil {
				return handle(w, r, r.PostForm)
			}
			status = http.StatusBadRequest
		}
		return s.Notice(w, r, status, "Invalid form", "Go back and try again.")
	}
}

// WantsJSON reports whether the caller is a program. Browsers never ask for JSON.
func WantsJSON(r *http.Request) bool {
	return strings.Contains(strings.ToLower(strings.Join(r.Header.Values("Accept"), ",")), "application/json")
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

// Problem is the reason why a command cannot run.
type Problem struct {
	Status int
	Text   string
}

func (p *Problem) Error() string { return p.Text }

// AsProblem returns the problem in an error, or nil if there is none.
func AsProblem(err error) *Problem {
	p, _ := errors.AsType[*Problem](err)
	return p
}

// Conflict returns the problem of a command that is not possible in the current state.
func Conflict(text string) error { return &Problem{http.StatusConflict, text} }

// Invalid returns the problem of an invalid command.
func Invalid(text string) error { return &Problem{http.StatusUnprocessableEntity, text} }

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

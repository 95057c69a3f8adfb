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

// Methods are the pages of one address. HEAD is answered as GET.
type Methods map[string]PageFunc

// Site is whose pages are served.
type Site struct {
	Policy string
	Log    *slog.Logger
	// ErrorTitle is the title of the page that says that something failed.
	ErrorTitle string
	// Notice writes a page that only says something.
	Notice func(w http.ResponseWriter, r *http.Request, status int, title, text string) error
}

// Serve answers with the page of the method, or says that there is none.
func (s Site) Serve(w http.ResponseWriter, r *http.Request, m Methods) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	answer, allowed := m[method]
	if !allowed {
		w.Header().Set("Allow", strings.Join(slices.Sorted(maps.Keys(m)), ", "))
		answer = s.NoticePage(http.StatusMethodNotAllowed, "This cannot be done", "Please go back and try again.")
	}
	s.Write(w, r, answer)
}

// NoticePage is a page that only says something.
func (s Site) NoticePage(status int, title, text string) PageFunc {
	return func(w http.ResponseWriter, r *http.Request) error { return s.Notice(w, r, status, title, text) }
}

// Write writes a page, or the one that says that this failed.
func (s Site) Write(w http.ResponseWriter, r *http.Request, answer PageFunc) {
	SetHeaders(w, s.Policy)
	err := answer(w, r)
	if err == nil {
		return
	}
	s.Log.ErrorContext(r.Context(), "sandbox page failed", "method", r.Method, "route", r.Pattern, "error", err)
	if err := s.Notice(w, r, http.StatusInternalServerError, s.ErrorTitle, "Please try again in a moment."); err != nil {
		s.Log.ErrorContext(r.Context(), "sandbox page failed", "error", err)
	}
}

// maxForm is far above any form of the pages.
const maxForm = 8 << 10

// Posted takes a form that a page sent. The forms need no token against forged
// requests: a browser adds no authority by itself.
func (s Site) Form(take func(w http.ResponseWriter, r *http.Request, form url.Values) error) PageFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		status := http.StatusUnsupportedMediaType
		// API Gateway's adapter splits a header at its commas.
		media, _, err := mime.ParseMediaType(strings.Join(r.Header.Values("Content-Type"), ","))
		if err == nil && media == "application/x-www-form-urlencoded" {
			r.Body = http.MaxBytesReader(w, r.Body, maxForm)
			if err := r.ParseForm(); err == nil {
				return take(w, r, r.PostForm)
			}
			status = http.StatusBadRequest
		}
		return s.Notice(w, r, status, "This form cannot be read", "Please go back and try again.")
	}
}

// WantsJSON tells programs from browsers, which never name JSON.
func WantsJSON(r *http.Request) bool {
	return strings.Contains(strings.ToLower(strings.Join(r.Header.Values("Accept"), ",")), "application/json")
}

// WriteJSON answers a program.
func WriteJSON(w http.ResponseWriter, status int, body any) error {
	b, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(b) // a caller who has gone is not our failure
	return nil
}

// Redirect sends a browser on. It does without http.Redirect, which would rewrite
// the address.
func Redirect(w http.ResponseWriter, to string) error {
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// Problem is why an order cannot be carried out.
type Problem struct {
	Status int
	Text   string
}

func (p *Problem) Error() string { return p.Text }

// AsProblem is the problem in an error, and nil where there is none.
func AsProblem(err error) *Problem {
	p, _ := errors.AsType[*Problem](err)
	return p
}

// Conflict is the problem of an order that comes too late.
func Conflict(text string) error { return &Problem{http.StatusConflict, text} }

// Invalid is the problem of an order that makes no sense.
func Invalid(text string) error { return &Problem{http.StatusUnprocessableEntity, text} }

// usualMinutes is how long something lasts where a form does not tell, and
// maxMinutes how long at most.
const usualMinutes, maxMinutes = 10, 24 * 60

// ReadMinutes reads how long something lasts, which a problem calls by its name.
func ReadMinutes(form url.Values, what string) (time.Duration, error) {
	n := usualMinutes
	if form.Has("minutes") {
		var err error
		if n, err = strconv.Atoi(form.Get("minutes")); err != nil || n < 1 || n > maxMinutes {
			return 0, Invalid(what + " lasts from 1 to " + strconv.Itoa(maxMinutes) + " minutes.")
		}
	}
	return time.Duration(n) * time.Minute, nil
}

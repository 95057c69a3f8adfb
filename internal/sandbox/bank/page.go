package bank

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
)

// pagePolicy lets a page load nothing but its own style sheet, known by its
// hash, and the bank's logo. There is no form-action: browsers apply it to every
// hop that follows a form, and the last one, the partner's return address, is
// unknown here.
func pagePolicy() string {
	sum := sha256.Sum256([]byte(styleSheet))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"
}

// page answers a page for people.
func (s *server) page(m methods) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		headers := w.Header()
		headers.Set("Cache-Control", "no-store")
		headers.Set("Content-Security-Policy", s.csp)
		headers.Set("Referrer-Policy", "no-referrer")
		headers.Set("X-Content-Type-Options", "nosniff")
		o, found := s.banks[r.PathValue("slug")]
		method := r.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		answer, allowed := m[method]
		var err error
		switch {
		case !found && r.PathValue("slug") != "":
			err = s.notice(w, http.StatusNotFound, o, "There is no such bank", "Please go back to the app you came from.", "")
		case !allowed:
			headers.Set("Allow", allow(m))
			err = s.notice(w, http.StatusMethodNotAllowed, o, "This cannot be done", "Please go back and try again.", "")
		default:
			err = answer(w, r, o)
		}
		if err != nil {
			s.Log.ErrorContext(r.Context(), "sandbox bank page failed", "method", r.Method, "route", r.Pattern, "error", err)
			if err := s.notice(w, http.StatusInternalServerError, o, "The bank cannot be reached", "Please try again in a moment.", r.URL.Path); err != nil {
				s.Log.ErrorContext(r.Context(), "sandbox bank page failed", "error", err)
			}
		}
	})
}

// render writes a page once it is complete.
func (s *server) render(w http.ResponseWriter, status int, p page) error {
	var b bytes.Buffer
	if err := p.document().Render(&b); err != nil {
		return fmt.Errorf("render page: %w", err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
	return nil
}

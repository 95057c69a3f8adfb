package bank

import (
	"net/http"

	"aviso/internal/sandbox/layout"
)

// page answers a page for people.
func (s *server) page(m methods) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// There is no form-action in the policy: browsers apply it to every hop that
		// follows a form, and the last one, the partner's return address, is unknown
		// here.
		layout.Guard(w, s.csp)
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
			w.Header().Set("Allow", allow(m))
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

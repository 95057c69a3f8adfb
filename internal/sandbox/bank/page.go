package bank

import (
	"net/http"
	"net/url"

	"aviso/internal/sandbox/layout"
)

// site serves the banks' pages. There is no form-action in the policy: browsers
// apply it to every hop that follows a form, and the last one, the partner's
// return address, is unknown here.
func (s *server) site() layout.Site {
	notice := func(w http.ResponseWriter, r *http.Request, status int, title, text string) error {
		back := ""
		if status == http.StatusInternalServerError {
			back = r.URL.Path
		}
		return s.notice(w, status, offices()[r.PathValue("slug")], title, text, back)
	}
	return layout.Site{Policy: layout.Policy(""), Log: s.Log, ErrorTitle: "The bank cannot be reached", Notice: notice}
}

// page answers a page for people.
func (s *server) page(m methods) http.Handler {
	site := s.site()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		slug := r.PathValue("slug")
		o, found := offices()[slug]
		if !found && slug != "" {
			site.Write(w, r, site.NoticePage(http.StatusNotFound, "There is no such bank", "Please go back to the app you came from."))
			return
		}
		pages := layout.Methods{}
		for method, h := range m {
			pages[method] = func(w http.ResponseWriter, r *http.Request) error { return h(w, r, o) }
		}
		site.Serve(w, r, pages)
	})
}

// posted takes a form that a page sent.
func (s *server) posted(take func(w http.ResponseWriter, r *http.Request, o office, form url.Values) error) handler {
	site := s.site()
	return func(w http.ResponseWriter, r *http.Request, o office) error {
		return site.Form(func(w http.ResponseWriter, r *http.Request, form url.Values) error { return take(w, r, o, form) })(w, r)
	}
}

package bank

import (
	"net/http"
	"net/url"

	"aviso/internal/sandbox/layout"
)

// site serves the banks' pages. The policy has no form-action: browsers apply it to every
// redirect after a form, and the last one, the partner's return address, is unknown here.
func (s *server) site() layout.Site {
	notice := func(w http.ResponseWriter, r *http.Request, status int, title, text string) error {
		back := ""
		if status == http.StatusInternalServerError {
			back = r.URL.Path
		}
		return s.notice(w, status, localBanks()[r.PathValue("slug")], title, text, back)
	}
	return layout.Site{Policy: layout.Policy(""), Log: s.Log, ErrorTitle: "The bank is not available", Notice: notice}
}

// page handles a page for people.
func (s *server) page(m methods) http.Handler {
	site := s.site()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		slug := r.PathValue("slug")
		lb, found := localBanks()[slug]
		if !found && slug != "" {
			site.Write(w, r, site.NoticePage(http.StatusNotFound, "Bank not found",
				"Go back to the app you came from."))
			return
		}
		pages := layout.Methods{}
		for method, h := range m {
			pages[method] = func(w http.ResponseWriter, r *http.Request) error { return h(w, r, lb) }
		}
		site.Serve(w, r, pages)
	})
}

// formHandler handles a submitted form.
func (s *server) formHandler(
	handle func(w http.ResponseWriter, r *http.Request, lb localBank, form url.Values) error,
) handler {
	site := s.site()
	return func(w http.ResponseWriter, r *http.Request, lb localBank) error {
		page := site.Form(func(w http.ResponseWriter, r *http.Request, form url.Values) error {
			return handle(w, r, lb, form)
		})
		return page(w, r)
	}
}

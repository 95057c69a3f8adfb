package bank

import (
	"net/http"
	"net/url"

	"aviso/internal/sandbox/layout"
)

// house serves the banks' pages. There is no form-action in the policy: browsers
// apply it to every hop that follows a form, and the last one, the partner's
// return address, is unknown here.
func (s *server) house() layout.House {
	notice := func(w http.ResponseWriter, r *http.Request, status int, title, text string) error {
		back := ""
		if status == http.StatusInternalServerError {
			back = r.URL.Path
		}
		return s.notice(w, status, offices()[r.PathValue("slug")], title, text, back)
	}
	return layout.House{Policy: layout.Policy(""), Log: s.Log, Closed: "The bank cannot be reached", Notice: notice}
}

// page answers a page for people.
func (s *server) page(m methods) http.Handler {
	house := s.house()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		slug := r.PathValue("slug")
		o, found := offices()[slug]
		if !found && slug != "" {
			house.Write(w, r, house.Say(http.StatusNotFound, "There is no such bank", "Please go back to the app you came from."))
			return
		}
		pages := layout.Methods{}
		for method, h := range m {
			pages[method] = func(w http.ResponseWriter, r *http.Request) error { return h(w, r, o) }
		}
		house.Serve(w, r, pages)
	})
}

// posted takes a form that a page sent.
func (s *server) posted(take func(w http.ResponseWriter, r *http.Request, o office, form url.Values) error) handler {
	house := s.house()
	return func(w http.ResponseWriter, r *http.Request, o office) error {
		return house.Posted(func(w http.ResponseWriter, r *http.Request, form url.Values) error { return take(w, r, o, form) })(w, r)
	}
}

package bank

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/sandboxdb"
)

// AppRequest is a request that waits for the customer in the bank's app. Its code is short,
// because the customer types it.
type AppRequest struct {
	Bank, Code, AuthorisationID string
	Forget                      time.Time
	Version                     int
}

// Key returns the key of the record.
func (a AppRequest) Key() sandboxdb.Key {
	return sandboxdb.Key{PK: "B#" + a.Bank + "#APP#" + a.Code, SK: "APP"}
}

// Next implements sandboxdb.Versioned.
func (a AppRequest) Next() (sandboxdb.Record, int) { a.Version++; return a, a.Version - 1 }

// KeepUntil returns when the record expires.
func (a AppRequest) KeepUntil() time.Time { return a.Forget }

// startInApp starts a decoupled authorisation. The customer approves on a page that stands
// for the bank's app.
func (s *server) startInApp(
	w http.ResponseWriter, r *http.Request, lb localBank, c Consent, a Authorisation,
) error {
	a.RedirectURI, a.NokRedirectURI = "", ""
	request := AppRequest{
		Bank: lb.Slug, Code: strings.ToUpper(s.NewID()[:6]), AuthorisationID: a.ID, Forget: a.KeepUntil(),
	}
	if err := s.save(r, c, a, request); err != nil {
		return err
	}
	status := s.href(r, lb, "/v1/consents/"+c.ID+"/authorisations/"+a.ID)
	w.Header().Set("Location", status.Href)
	w.Header().Set("ASPSP-SCA-Approach", lb.approach())
	return layout.WriteJSON(w, http.StatusCreated, map[string]any{
		"scaStatus": a.Status, "authorisationId": a.ID, "_links": links{"scaStatus": status},
		"psuMessage": fmt.Sprintf("Open the app at %s and confirm the request %s.",
			s.base(r)+lb.Path()+"/app", request.Code),
	})
}

func (s *server) showApp(w http.ResponseWriter, r *http.Request, lb localBank) error {
	if lb.Traits.SCA != scaDecoupled {
		return s.notice(w, http.StatusNotFound, lb, "No app", "This bank's customers approve in the browser.", "")
	}
	if r.URL.Query().Has("done") {
		return s.notice(w, http.StatusOK, lb, "You have decided",
			"Go back to the page that waits for you. It goes on by itself.", "")
	}
	return s.appPage(w, http.StatusOK, lb, "")
}

func (s *server) appPage(w http.ResponseWriter, status int, lb localBank, problem string) error {
	title := "The app of " + lb.Name
	return s.render(w, status, lb, "", title, problem,
		h.H1(g.Text(title)),
		layout.Lead(g.Text("Aviso waits until you confirm here. In reality, this is on your phone.")),
		g.If(problem != "", layout.Alert(h.ID("problem"), g.Text(problem))),
		h.Form(h.Method("post"), h.Action(lb.Path()+"/app"),
			h.Div(h.Class("field"),
				h.Label(h.For("code"), g.Text("Code of the request")),
				h.Input(h.ID("code"), h.Name("code"), h.MaxLength("6"), h.Required(), h.AutoComplete("off"),
					g.If(problem != "", h.Aria("describedby", "problem"))),
			),
			h.Div(h.Class("actions"), h.Button(h.Type("submit"), g.Text("Show the request"))),
		),
	)
}

// postApp leads to the page on which the customer approves.
func (s *server) postApp(w http.ResponseWriter, r *http.Request, lb localBank, form url.Values) error {
	code := strings.ToUpper(strings.TrimSpace(form.Get("code")))
	request, err := AppRequest{}, outcome.ErrNotFound
	if len(code) == 6 {
		request, err = sandboxdb.Get(r.Context(), s.Store, AppRequest{Bank: lb.Slug, Code: code})
	}
	if errors.Is(err, outcome.ErrNotFound) {
		return s.appPage(w, http.StatusUnprocessableEntity, lb, "There is no request with this code.")
	}
	if err != nil {
		return fmt.Errorf("read app request: %w", err)
	}
	return layout.Redirect(w, lb.Path()+"/authorise/"+request.AuthorisationID)
}

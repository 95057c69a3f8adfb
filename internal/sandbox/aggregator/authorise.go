package aggregator

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
	"aviso/internal/sandbox/sandboxdb"
)

func (s *server) startAuthorisation(r *http.Request, app Application) (any, error) {
	var body struct {
		Access struct {
			ValidUntil time.Time `json:"valid_until"`
		} `json:"access"`
		ASPSP struct {
			Name    string `json:"name"`
			Country string `json:"country"`
		} `json:"aspsp"`
		State       string `json:"state"`
		RedirectURL string `json:"redirect_url"`
		PSUType     string `json:"psu_type"`
	}
	if err := readJSON(r, &body); err != nil {
		return nil, err
	}
	now := s.now(r)
	aspsp, found := find(body.ASPSP.Name, body.ASPSP.Country)
	longest := now.Add(time.Duration(aspsp.ConsentDays) * 24 * time.Hour)
	switch {
	case !found:
		return nil, refuse(http.StatusUnprocessableEntity, "WRONG_ASPSP_PROVIDED", "Wrong ASPSP name provided")
	case !slices.Contains(app.RedirectURLs, body.RedirectURL):
		return nil, refuse(http.StatusUnprocessableEntity, "REDIRECT_URI_NOT_ALLOWED", "Redirect URI not allowed")
	case body.State == "", body.PSUType != "personal", !body.Access.ValidUntil.After(now),
		body.Access.ValidUntil.After(longest):
		return nil, refuse(http.StatusUnprocessableEntity, "WRONG_REQUEST_PARAMETERS", "Wrong request parameters provided")
	}
	a := attempt{
		ID: s.NewID(), Application: app.ID, Name: aspsp.Name, Country: aspsp.Country, State: body.State,
		RedirectURL: body.RedirectURL, ValidUntil: body.Access.ValidUntil, Started: s.Now(),
	}
	if err := s.Store.Save(r.Context(), a); err != nil {
		return nil, err
	}
	return map[string]string{
		"url": layout.Origin(s.BaseURL, r) + Path + "/auth/" + a.ID, "authorization_id": a.ID, "psu_id_hash": "sandbox",
	}, nil
}

// page serves the page on which the user decides. The policy has no form-action: browsers
// apply it to the redirect after the form too, whose address is unknown here.
func (s *server) page() http.Handler {
	site := layout.Site{
		Log: s.Log, ErrorTitle: "The bank is not available",
		Frame: layout.Page{
			Header: g.Group{h.Img(h.Src(LogoPath), h.Alt(""), h.Width("40"), h.Height("40")), layout.HeaderText("Silbertal Bank")},
			Footer: "This bank and its customers are fictional. Nothing here moves real money.",
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site.Serve(w, r, layout.Methods{
			http.MethodGet: s.showAttempt(site), http.MethodPost: site.Form(s.decide(site)),
		})
	})
}

// open returns the attempt of the page, or false after a page that says why the user cannot
// decide.
func (s *server) open(w http.ResponseWriter, r *http.Request, site layout.Site) (attempt, bool, error) {
	a, err := sandboxdb.Get(r.Context(), s.Store, attempt{ID: r.PathValue("attempt")})
	switch {
	case errors.Is(err, outcome.ErrNotFound):
		return a, false, site.Notice(w, r, http.StatusNotFound, "Link not found",
			"It has expired, or it never existed. Go back to the app you came from and start again.")
	case err != nil:
		return a, false, err
	case a.Decided:
		return a, false, site.Notice(w, r, http.StatusConflict, "You have already decided", "Go back to the app you came from.")
	}
	return a, true, nil
}

func (s *server) showAttempt(site layout.Site) layout.PageFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		a, ok, err := s.open(w, r, site)
		if !ok {
			return err
		}
		if p, known := persona.Find(a.Persona); known {
			return decisionPage(site, w, r.URL.Path, p, a.ValidUntil)
		}
		return loginPage(site, w, http.StatusOK, r.URL.Path, "")
	}
}

func loginPage(site layout.Site, w http.ResponseWriter, status int, action, problem string) error {
	title := "Log in to Silbertal Bank"
	return site.Show(w, status, title, problem,
		layout.Step(g.Text("Step 1 of 2")),
		h.H1(g.Text(title)),
		layout.Lead(g.Text("Aviso would like to read your accounts, through an aggregator.")),
		g.If(problem != "", layout.Alert(h.ID("problem"), g.Text(problem))),
		h.Form(h.Method("post"), h.Action(action),
			bank.People("", problem != ""),
			h.Div(h.Class("actions"), h.Button(h.Type("submit"), g.Text("Log in"))),
		),
	)
}

func decisionPage(site layout.Site, w http.ResponseWriter, action string, p persona.Persona, until time.Time) error {
	title := "Share your accounts?"
	return site.Show(w, http.StatusOK, title, "",
		layout.Step(g.Text("Step 2 of 2")),
		h.H1(g.Text(title)),
		layout.Lead(g.Text("You are logged in as "), h.B(g.Text(p.Name)), g.Text(". All your accounts are shared.")),
		layout.Facts(layout.Fact("Access", g.Text("Until "+until.UTC().Format("2 January 2006")))),
		h.Form(h.Method("post"), h.Action(action),
			h.Div(h.Class("actions"), bank.DecisionButton("approve", "Approve", ""), bank.DecisionButton("refuse", "Refuse", "second")),
		),
	)
}

func (s *server) decide(site layout.Site) func(w http.ResponseWriter, r *http.Request, form url.Values) error {
	return func(w http.ResponseWriter, r *http.Request, answer url.Values) error {
		a, ok, err := s.open(w, r, site)
		if !ok {
			return err
		}
		if answer.Has("persona") {
			a.Persona = answer.Get("persona")
		}
		_, known := persona.Find(a.Persona)
		switch decision := answer.Get("decision"); {
		case decision == "refuse":
			return s.goBack(w, r, a, url.Values{"error": {"access_denied"}, "error_description": {"Cancelled by user"}})
		case !known:
			return loginPage(site, w, http.StatusUnprocessableEntity, r.URL.Path, "Choose a person.")
		case decision == "approve":
			a.Code = a.ID + "." + s.NewID()
			return s.goBack(w, r, a, url.Values{"code": {a.Code}})
		default:
			return s.saveAndRedirect(w, r, a, r.URL.Path)
		}
	}
}

// goBack records the decision and sends the user back with this query.
func (s *server) goBack(w http.ResponseWriter, r *http.Request, a attempt, query url.Values) error {
	to, err := url.Parse(a.RedirectURL)
	if err != nil {
		return err
	}
	query.Set("state", a.State)
	to.RawQuery, a.Decided = query.Encode(), true
	return s.saveAndRedirect(w, r, a, to.String())
}

// saveAndRedirect redirects to the page instead if another request was faster.
func (s *server) saveAndRedirect(w http.ResponseWriter, r *http.Request, a attempt, to string) error {
	err := s.Store.Save(r.Context(), a)
	if errors.Is(err, outcome.ErrChanged) {
		to, err = r.URL.Path, nil
	}
	if err != nil {
		return err
	}
	return layout.Redirect(w, to)
}

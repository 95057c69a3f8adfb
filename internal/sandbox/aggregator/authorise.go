package aggregator

import (
	"cmp"
	"errors"
	"log/slog"
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
		PSUID       string `json:"psu_id"`
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
		ID: s.NewID(), Application: app.ID, PSU: hash(cmp.Or(body.PSUID, s.NewID())),
		Name: aspsp.Name, Country: aspsp.Country, State: body.State,
		RedirectURL: body.RedirectURL, ValidUntil: body.Access.ValidUntil, Started: s.Now(),
	}
	if err := s.Store.Save(r.Context(), a); err != nil {
		return nil, err
	}
	return map[string]string{
		"url": layout.Origin(s.BaseURL, r) + Path + "/auth/" + a.ID, "authorization_id": a.ID, "psu_id_hash": a.PSU,
	}, nil
}

// newSite returns the site of the page on which the user decides. The policy has no form-action:
// browsers apply it to the redirect after the form too, whose address is unknown here.
func newSite(log *slog.Logger) layout.Site {
	return layout.Site{
		Log: log, Customers: true, ErrorTitle: "The bank is not available",
		Header: g.Group{
			h.Img(h.Src(LogoPath), h.Alt(""), h.Width("40"), h.Height("40")), layout.HeaderText("Silbertal Bank"),
		},
		Footer: "This bank and its customers are fictional. Nothing here moves real money.",
	}
}

// open returns the attempt of the page. It may return a problem that says why the user cannot
// decide.
func (s *server) open(r *http.Request) (attempt, error) {
	a, err := read(r.Context(), s, attempt{ID: r.PathValue("attempt")}, &layout.Problem{
		Status: http.StatusNotFound, Title: "Link not found",
		Text: "It has expired, or it never existed. Go back to the app you came from and start again.",
	})
	if err == nil && a.Decided {
		err = &layout.Problem{Status: http.StatusConflict, Title: "You have already decided",
			Text: "Go back to the app you came from."}
	}
	return a, err
}

func (s *server) showAttempt(w http.ResponseWriter, r *http.Request) error {
	a, err := s.open(r)
	if err != nil {
		return err
	}
	p, known := persona.Find(a.Persona)
	if !known {
		return s.loginPage(w, r, http.StatusOK, "")
	}
	site := s.site.For(r)
	title, until := site.T("Share your accounts?"), a.ValidUntil.UTC().Format(site.T("2 January 2006"))
	return site.Show(w, http.StatusOK, title, "",
		layout.Step(g.Text(site.T("Step 2 of 2"))),
		h.H1(g.Text(title)),
		layout.Lead(g.Text(site.T("You are logged in as")+" "), h.B(g.Text(p.Name)),
			g.Text(". "+site.T("All your accounts are shared."))),
		layout.Facts(layout.Fact(site.T("Access"), g.Text(site.T("Until %s", until)))),
		h.Form(h.Method("post"), h.Action(r.URL.Path),
			h.Div(h.Class("actions"), bank.DecisionButton("approve", site.T("Approve"), ""),
				bank.DecisionButton("refuse", site.T("Refuse"), "second")),
		),
	)
}

func (s *server) loginPage(w http.ResponseWriter, r *http.Request, status int, problem string) error {
	const lead = "Aviso would like to read your accounts, through an aggregator."
	site, name := s.site.For(r), "Silbertal Bank"
	return site.Show(w, status, site.T("Log in to %s", name), problem,
		bank.Login(site, name, lead, r.URL.Path, "", problem, nil))
}

func (s *server) decide(w http.ResponseWriter, r *http.Request, answer url.Values) error {
	a, err := s.open(r)
	if err != nil {
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
		return s.loginPage(w, r, http.StatusUnprocessableEntity, "Choose a person.")
	case decision == "approve":
		a.Code = a.ID + "." + s.NewID()
		return s.goBack(w, r, a, url.Values{"code": {a.Code}})
	default:
		return s.saveAndRedirect(w, r, a, r.URL.Path)
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

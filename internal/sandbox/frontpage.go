package sandbox

import (
	"embed"
	"net/http"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/aws/config"
	"aviso/internal/sandbox/layout"
)

//go:embed favicon.svg
var icon []byte

//go:embed pictures
var pictures embed.FS

// Partner is a partner of the local stack, whose secret is public.
type Partner struct{ ID, Secret, Name, AlertEmail string }

// LocalPartners returns the partners that the local stack is seeded with.
func LocalPartners() []Partner {
	return []Partner{
		{ID: "sandbox", Secret: "sandbox-secret", Name: "Sandbox Partner"},
		{ID: "sandbox-2", Secret: "sandbox-2-secret", Name: "Second Partner", AlertEmail: "on-call@partner.example"},
	}
}

type pages struct {
	Options
	layout.Site
}

// RegisterFrontPage registers the pages.
func RegisterFrontPage(opts Options, mux *http.ServeMux) {
	s := &pages{opts, layout.Site{
		// Checks of pages read robots.txt from within them. There are no scripts.
		Policy: "; form-action 'none'; connect-src 'self'", Log: opts.Log, ErrorTitle: "This page is not available",
		Footer: "The banks, people and organizations of the sandbox are fictional. Nothing here moves real money.",
	}}
	for path, show := range map[string]layout.PageFunc{
		"/{$}": s.front, layout.Home: s.sandboxHome,
		layout.Home + "/{$}": func(w http.ResponseWriter, _ *http.Request) error {
			return layout.Redirect(w, layout.Home)
		},
		// Browsers ask for it by themselves.
		"/favicon.ico": func(w http.ResponseWriter, _ *http.Request) error { return layout.WriteSVG(w, icon) },
	} {
		s.Handle(mux, path, layout.Methods{"GET": show})
	}
	mux.Handle("GET /sandbox/pictures/", http.StripPrefix("/sandbox/", http.FileServerFS(pictures)))
	registerTerms(s.Site, mux)
}

// picture shows what there is to see.
func picture(name, alt, caption string) g.Node {
	return h.Figure(h.Img(h.Src("/sandbox/pictures/"+name+".webp"), h.Alt(alt), h.Width("480"), h.Height("640")),
		h.FigCaption(g.Text(caption)))
}

// front tells a newcomer what this is, and where to go.
func (s *pages) front(w http.ResponseWriter, r *http.Request) error {
	base, local := layout.Origin(s.BaseURL, r), s.Stage == config.Local
	about, credentials := "Use the credentials that the operator gave you.", "$CLIENT_ID:$CLIENT_SECRET"
	if local {
		first := LocalPartners()[0]
		about, credentials = "Paste this into a shell.", first.ID+":"+first.Secret
	}
	places := []layout.Place{{Path: layout.Home, Name: "The sandbox", About: "Decide what banks, people and organizations do."}}
	if local {
		places = append(places,
			layout.Place{Path: "/console", Name: "Console", About: "A partner's users, webhooks and client secrets."},
			layout.Place{Path: "/docs", Name: "Documentation", About: "Guides, and every operation. make docs builds it."})
	}
	site := s.Site
	site.About = "Aviso lets an app show people what they pay for, and cancel it for them. Start here."
	return site.Show(w, http.StatusOK, "Aviso", "",
		h.H1(g.Text("Aviso lets your app show people what they pay for, and cancel it for them.")),
		h.Div(h.Class("pictures"),
			picture("app", "An app with the month's spending and a chart of the months.", "An app that a partner could build"),
			picture("letter", "A signed letter that ends a contract.", "The letter that leaves"),
			picture("console", "The console with charts of requests, callbacks and letters.", "What happened, for developers")),
		g.If(local, h.P(h.A(h.Class("button"), h.Href("/app/"), g.Text("Open the sample app")))),
		layout.Lead(g.Text("This is the "+string(s.Stage)+" environment at "), h.Code(g.Text(base)),
			g.Text(". Banks, carriers and organizations are simulated.")),
		layout.Places("places", "Where to go", places),
		h.H2(g.Text("Your first call")),
		h.P(g.Text(about+" The answer holds an access token.")),
		h.Pre(h.Code(h.Class("copy"), g.Text("curl -s -u "+credentials+" -d grant_type=client_credentials "+base+"/oauth2/token"))),
	)
}

// sandboxHome lists the pages of the sandbox.
func (s *pages) sandboxHome(w http.ResponseWriter, _ *http.Request) error {
	title, site := "The sandbox", s.Site
	site.Section = layout.Home
	return site.Show(w, http.StatusOK, title, "",
		h.H1(g.Text(title)),
		layout.Lead(g.Text("Aviso talks to these banks, carriers and organizations over the same protocols as to real "+
			"ones. Here you see what they received, and decide what they do next.")),
		layout.Places("pages", "Pages", layout.Sections()[1:]),
	)
}

package visitor

import (
	"net/http"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/mailroom"
)

// form is the page with the values of the form, except the secret.
type form struct {
	next, client, problem string
}

// refuse shows the form again. It never says what is wrong.
func (f form) refuse(w http.ResponseWriter) error {
	f.problem = "The client ID or the secret is wrong."
	return f.write(w, http.StatusUnauthorized)
}

// notice shows a message above the form.
func notice(w http.ResponseWriter, _ *http.Request, status int, _, text string) error {
	return form{next: mailroom.PagePath, problem: text}.write(w, status)
}

func (f form) write(w http.ResponseWriter, status int) error {
	title := "Sign in as a partner"
	return layout.Page{Title: title, Problem: f.problem, Section: mailroom.PagePath,
		Footer: "The secret is checked and not stored. You stay signed in for an hour.", Main: g.Group{
			h.H1(g.Text(title)),
			layout.Lead(g.Text("Letters hold names and addresses, so each partner sees only its own. " +
				"Use the credentials with which your server gets access tokens.")),
			layout.Outcome("", f.problem),
			h.Form(h.Method("post"), h.Action(Path),
				h.Input(h.Type("hidden"), h.Name("next"), h.Value(f.next)),
				field("clientId", "Client ID", "text", "username", h.Value(f.client), h.MaxLength("64")),
				field("clientSecret", "Client secret", "password", "current-password", h.MaxLength("512")),
				h.Div(h.Class("actions"), h.Button(h.Type("submit"), g.Text("Sign in"))),
			),
		}}.Write(w, status)
}

func field(name, label, kind, complete string, more ...g.Node) g.Node {
	return h.Div(h.Class("field wide"),
		h.Label(h.For(name), g.Text(label)),
		h.Input(h.ID(name), h.Name(name), h.Type(kind), h.Required(), h.AutoComplete(complete),
			g.Attr("spellcheck", "false"), g.Attr("autocapitalize", "none"), g.Group(more)))
}

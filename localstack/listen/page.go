package main

import (
	"net/http"
	"net/url"

	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/html"

	"aviso/internal/userpage"
)

// page shows the page for a user who returns from a bank. In reality, your application
// would continue here.
func (r *receiver) page(w http.ResponseWriter, req *http.Request) {
	if req.URL.Path == "/favicon.ico" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	query := req.URL.Query()
	if req.Method == http.MethodGet && query.Has("connectionId") {
		r.screen.returned(r.now(), query.Get("connectionId"), query.Get("status"))
	}
	words := userpage.For("", req.Header.Get("Accept-Language"))
	if !query.Has("connectionId") {
		words = userpage.In("en") // only developers come without
	}
	userpage.SetHeaders(w.Header(), words)
	_ = returnPage(words, query).Render(w) // fails only if the browser has gone
}

func returnPage(words userpage.Words, query url.Values) g.Node {
	title, text := "This is a webhook receiver", "Callbacks appear in the terminal where make listen runs."
	if query.Has("connectionId") {
		title, text = words.WelcomeBack.Title, words.WelcomeBack.Text
	}
	outcome := map[string]string{
		"success": words.Connected, "cancelled": words.Cancelled, "failed": words.NotConnected,
	}[query.Get("status")]
	return html.Doctype(html.HTML(html.Lang(words.Language),
		html.Head(
			html.Meta(html.Charset("utf-8")),
			html.Meta(html.Name("viewport"), html.Content("width=device-width, initial-scale=1")),
			html.TitleEl(g.Text(title)),
			html.StyleEl(g.Raw(userpage.Style)),
		),
		html.Body(html.Header(html.Strong(g.Text("make listen")), html.Span(g.Text("Aviso"))), html.Main(
			html.H1(g.Text(title)),
			g.If(outcome != "", html.P(html.Strong(g.Text(outcome)))),
			html.P(g.Text(text)),
			g.If(query.Has("connectionId"), html.Dl(
				html.Dt(g.Text("connectionId")), html.Dd(g.Text(query.Get("connectionId"))),
				html.Dt(g.Text("status")), html.Dd(g.Text(query.Get("status"))),
			)),
		)),
	))
}

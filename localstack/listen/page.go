package main

import (
	"net/http"
	"net/url"

	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/html"
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
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = returnPage(query).Render(w) // fails only if the browser has gone
}

const pageStyle = "body{font:1.1rem/1.5 sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}" +
	"dt{color:#555}dd{margin:0 0 1rem;overflow-wrap:anywhere}"

func returnPage(query url.Values) g.Node {
	title, text := "This is a webhook receiver", "Callbacks appear in the terminal where make listen runs."
	if query.Has("connectionId") {
		title = "Welcome back"
		text = "The bank has sent you back. In reality, the partner's application would continue here."
	}
	return html.Doctype(html.HTML(html.Lang("en"),
		html.Head(
			html.Meta(html.Charset("utf-8")),
			html.Meta(html.Name("viewport"), html.Content("width=device-width, initial-scale=1")),
			html.TitleEl(g.Text(title)),
			html.StyleEl(g.Raw(pageStyle)),
		),
		html.Body(html.Main(
			html.H1(g.Text(title)),
			html.P(g.Text(text)),
			g.If(query.Has("connectionId"), html.Dl(
				html.Dt(g.Text("connectionId")), html.Dd(g.Text(query.Get("connectionId"))),
				html.Dt(g.Text("status")), html.Dd(g.Text(query.Get("status"))),
			)),
		)),
	))
}

package console

import "net/http"

func (c *Console) overviewRoutes() []Route {
	return []Route{{Method: http.MethodGet, Path: Path, Role: Viewer, Do: c.showOverview}}
}

func (c *Console) showOverview(call *Call) (Answer, error) {
	base := c.origin(call.Request)
	return Page{
		Title: "Overview", Section: Path, Template: "overview",
		Lead: "What your server asked for, and what reached it.",
		Data: Empty{
			Title: "Nothing has happened yet",
			Text: "Requests, connections, letters and callbacks appear here as soon as your server uses the API. " +
				"The first step is a token:",
			Command: "curl -s -u " + string(call.Partner()) + ":$CLIENT_SECRET -d grant_type=client_credentials " + base + "/oauth2/token",
			Link:    Link{"/docs", "Your first hour"},
		},
	}, nil
}

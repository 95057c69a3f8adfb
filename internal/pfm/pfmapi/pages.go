package pfmapi

import (
	"errors"
	"net"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/api"
	"aviso/internal/pfm"
)

// registerPages adds the pages that users' browsers open: no token, no JSON.
func registerPages(r *api.Router, connections *pfm.Connections) {
	r.Raw(api.Operation{
		ID: "openConnection", Method: http.MethodGet, Path: "/connect", Tag: "User pages",
		Summary: "Send the user to the bank",
		Description: "redirectUrl opens this page. We request a consent from the bank and redirect the user " +
			"to the bank's page. Opening the link again leads to the same page. " +
			"A cookie marks the browser, because the user must come back from the bank in a browser " +
			"that has opened the link.",
	}, pageDocument(&huma.Param{
		Name: "connectionId", In: "query", Required: true, Description: "ID of the connection to authorise.",
		Schema: &huma.Schema{Type: huma.TypeString}, Example: "5d8e0c3a-8b44-4b4e-9b19-0a0f6a2d7c55",
	}, &huma.Param{
		Name: "link", In: "query", Required: true,
		Description: "The secret of the link. Each new link of a connection has another one.",
		Schema:      &huma.Schema{Type: huma.TypeString}, Example: "OPAQUE",
	}), ignoreHead(func(w http.ResponseWriter, req *http.Request) {
		q := req.URL.Query()
		id := strings.ToLower(q.Get("connectionId"))
		visit, err := connections.Open(req.Context(), id, q.Get("link"), visitor(req), api.BaseURL(req.Context()))
		if err == nil {
			http.SetCookie(w, browserCookie(id, visit))
		}
		respond(w, req, visit, err)
	}))

	r.Raw(api.Operation{
		ID: "finishConnection", Method: http.MethodGet, Path: "/connect/callback", Tag: "User pages",
		Summary: "Receive the user from the bank",
		Description: "The bank sends the user here after the user's decision. " +
			"A state that is forged, used or expired changes nothing, " +
			"nor does a browser that has not opened the link.",
	}, pageDocument(&huma.Param{
		Name: "state", In: "query", Required: true,
		Description: "The secret that we gave the bank for this authorisation.",
		Schema:      &huma.Schema{Type: huma.TypeString}, Example: "5d8e0c3a-8b44-4b4e-9b19-0a0f6a2d7c55.OPAQUE",
	}, &huma.Param{
		Name: "refused", In: "query", Description: "true in the address to which the bank sends users who refuse.",
		Schema: &huma.Schema{Type: huma.TypeBoolean}, Example: false,
	}), ignoreHead(func(w http.ResponseWriter, req *http.Request) {
		q := req.URL.Query()
		user := visitor(req)
		if cookie, err := req.Cookie(cookieName(pfm.ConnectionOf(q.Get("state")))); err == nil {
			user.BrowserKey = cookie.Value
		}
		visit, err := connections.Finish(req.Context(), q.Get("state"), q.Get("refused") == "true", user)
		respond(w, req, visit, err)
	}))
}

// cookieName returns the name of the cookie that marks the browsers that opened the
// connection's link. Each connection has its own, so that a user can open several links.
// The prefix makes browsers accept it from this very host only, over TLS.
func cookieName(connectionID string) string { return "__Host-connect-" + connectionID }

// browserCookie returns the cookie for a browser that opens a link. It is Lax, not
// Strict, because the bank's site sends the user back. Browsers accept a Secure cookie
// from http://localhost too.
func browserCookie(connectionID string, visit pfm.Visit) *http.Cookie {
	return &http.Cookie{
		Name: cookieName(connectionID), Value: visit.BrowserKey,
		Path: "/", MaxAge: int(visit.KeyLifetime.Seconds()), Secure: true, HttpOnly: true,
		SameSite: http.SameSiteLaxMode,
	}
}

// ignoreHead answers HEAD without an effect, so that mail scanners and link
// previews do not use up a link.
func ignoreHead(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		if req.Method == http.MethodHead {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next(w, req)
	}
}

// visitor returns the user's browser as API Gateway saw it. It does not read the
// address from a header, because anybody can send one.
func visitor(req *http.Request) pfm.Visitor {
	ip := req.RemoteAddr
	if host, _, err := net.SplitHostPort(ip); err == nil {
		ip = host
	}
	return pfm.Visitor{IPAddress: ip, UserAgent: req.UserAgent()}
}

// respond redirects the user, or shows why that is not possible.
func respond(w http.ResponseWriter, req *http.Request, visit pfm.Visit, err error) {
	w.Header().Set("Referrer-Policy", "no-referrer") // the address contains a secret
	if err == nil {
		w.Header().Set("Location", visit.RedirectTo)
		w.WriteHeader(http.StatusFound)
		return
	}
	m := messageFor(err)
	if m.status >= http.StatusInternalServerError {
		api.NoteCause(req.Context(), err)
	}
	retryURL := ""
	if m.retry {
		retryURL = req.URL.RequestURI()
	}
	writePage(w, m, visit, retryURL)
}

// message is what a page tells the user.
type message struct {
	status      int
	title, text string
	// retry offers a link to the same address, when that may help.
	retry bool
}

func messageFor(err error) message {
	switch {
	case errors.Is(err, pfm.ErrLinkUnknown):
		return message{
			status: http.StatusNotFound, title: "We do not recognise this link",
			text: "Please check that the address is complete, or start again from the app or website you came from.",
		}
	case errors.Is(err, pfm.ErrLinkExpired):
		return message{
			status: http.StatusGone, title: "This link has expired",
			text: "For your safety, a link to your bank works for only 30 minutes. Nothing has been connected. " +
				"Please start again from the app or website you came from.",
		}
	case errors.Is(err, pfm.ErrLinkUsed):
		return message{
			status: http.StatusGone, title: "This link has already been used",
			text: "There is nothing left to do here. Please go back to the app or website you came from.",
		}
	case errors.Is(err, pfm.ErrOtherBrowser):
		return message{
			status: http.StatusForbidden, title: "Please go back to the browser you started in",
			text: "You started to connect your bank in another browser, or this browser does not keep cookies. " +
				"For your safety, nothing was changed here. Please continue in the browser in which you opened " +
				"the link, or start again from the app or website you came from.",
		}
	case errors.Is(err, pfm.ErrBankRefused):
		return message{
			status: http.StatusBadGateway, title: "Your bank does not allow this connection",
			text: "The bank turned the request down. Nothing has been connected.",
		}
	case errors.Is(err, pfm.ErrNotConfirmed):
		return message{
			status: http.StatusServiceUnavailable, title: "Your bank has not confirmed yet",
			text: "This can take a moment. Please try again.", retry: true,
		}
	case errors.Is(err, pfm.ErrBankUnavailable):
		return message{
			status: http.StatusServiceUnavailable, title: "Your bank is not responding right now",
			text: "Nothing has been connected so far. Please try again in a minute.", retry: true,
		}
	default:
		return message{
			status: http.StatusInternalServerError, title: "Something went wrong on our side",
			text: "Nothing has been lost. Please try again in a minute.", retry: true,
		}
	}
}

func pageDocument(params ...*huma.Param) api.Description {
	html := map[string]*huma.MediaType{"text/html": {Schema: &huma.Schema{Type: huma.TypeString}}}
	page := func(description string) *huma.Response {
		return &huma.Response{Description: description, Content: html}
	}
	location := &huma.Param{
		Description: "The bank's page, or the partner's return URL.",
		Schema:      &huma.Schema{Type: huma.TypeString, Format: "uri"},
		Example:     "https://partner.example/back?connectionId=5d8e0c3a-8b44-4b4e-9b19-0a0f6a2d7c55&status=success",
	}
	return func(huma.Registry) huma.Operation {
		return huma.Operation{Parameters: params, Responses: map[string]*huma.Response{
			"302": {Description: "Redirects the user.", Headers: map[string]*huma.Param{"Location": location}},
			"403": page("The user comes back from the bank in a browser that has not opened the link."),
			"404": page("The link is unknown."),
			"410": page("The link has expired or was already used."),
			"500": page("Something went wrong."),
			"502": page("The bank refused."),
			"503": page("The bank is not responding, or has not confirmed yet."),
		}}
	}
}

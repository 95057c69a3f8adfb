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

// registerPages adds what users' browsers open: no token, no JSON.
func registerPages(r *api.Router, connections *pfm.Connections) {
	r.Raw(api.Operation{
		ID: "openConnection", Method: http.MethodGet, Path: "/connect", Tag: "User pages",
		Summary:     "The user's way to the bank",
		Description: "Where redirectUrl leads. The bank is asked for a consent, and the user is sent on to the bank's page. Opening it again leads to the same page.",
	}, pageDocument(&huma.Param{
		Name: "connectionId", In: "query", Required: true, Description: "Of the connection that is to be authorised.",
		Schema: &huma.Schema{Type: huma.TypeString}, Example: "5d8e0c3a-8b44-4b4e-9b19-0a0f6a2d7c55",
	}), forUsers(func(w http.ResponseWriter, req *http.Request) {
		visit, err := connections.Open(req.Context(), strings.ToLower(req.URL.Query().Get("connectionId")), visitor(req), api.BaseURL(req.Context()))
		leave(w, req, visit, err)
	}))

	r.Raw(api.Operation{
		ID: "finishConnection", Method: http.MethodGet, Path: "/connect/callback", Tag: "User pages",
		Summary:     "The user's way back from the bank",
		Description: "Where the bank sends the user after the decision. A state that is forged, used or too late changes nothing.",
	}, pageDocument(&huma.Param{
		Name: "state", In: "query", Required: true, Description: "The secret that the bank was given for this one way.",
		Schema: &huma.Schema{Type: huma.TypeString}, Example: "5d8e0c3a-8b44-4b4e-9b19-0a0f6a2d7c55.OPAQUE",
	}, &huma.Param{
		Name: "refused", In: "query", Description: "Set by the address for users who refused.", Schema: &huma.Schema{Type: huma.TypeBoolean}, Example: false,
	}), forUsers(func(w http.ResponseWriter, req *http.Request) {
		q := req.URL.Query()
		visit, err := connections.Finish(req.Context(), q.Get("state"), q.Get("refused") == "true", visitor(req))
		leave(w, req, visit, err)
	}))
}

// forUsers keeps what merely looks at an address (mail scanners, previews, which
// send HEAD) from using it up.
func forUsers(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		if req.Method == http.MethodHead {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		next(w, req)
	}
}

// visitor is the user's browser as API Gateway saw it; the address is not taken
// from a header, which anybody can send.
func visitor(req *http.Request) pfm.Visitor {
	ip := req.RemoteAddr
	if host, _, err := net.SplitHostPort(ip); err == nil {
		ip = host
	}
	return pfm.Visitor{IPAddress: ip, UserAgent: req.UserAgent()}
}

// leave sends the user on, or shows why that is not possible.
func leave(w http.ResponseWriter, req *http.Request, visit pfm.Visit, err error) {
	w.Header().Set("Referrer-Policy", "no-referrer") // the address holds the id or the state
	if err == nil {
		w.Header().Set("Location", visit.RedirectTo)
		w.WriteHeader(http.StatusFound)
		return
	}
	m := messageFor(err)
	if m.status >= http.StatusInternalServerError {
		api.NoteCause(req.Context(), err)
	}
	again := ""
	if m.again {
		again = req.URL.RequestURI()
	}
	writePage(w, m, visit, again)
}

// message is what a page tells the user.
type message struct {
	status      int
	title, text string
	// again: trying the same address once more may help.
	again bool
}

func messageFor(err error) message {
	switch {
	case errors.Is(err, pfm.ErrLinkUnknown):
		return message{status: http.StatusNotFound, title: "We do not know this link", text: "Please check that the address is complete, or start again from the app or website you came from."}
	case errors.Is(err, pfm.ErrLinkExpired):
		return message{status: http.StatusGone, title: "This link has expired", text: "For your safety a link to your bank works for 30 minutes only. Nothing has been connected. Please start again from the app or website you came from."}
	case errors.Is(err, pfm.ErrLinkUsed):
		return message{status: http.StatusGone, title: "This link has already been used", text: "There is nothing left to do here. Please go back to the app or website you came from."}
	case errors.Is(err, pfm.ErrBankRefused):
		return message{status: http.StatusBadGateway, title: "Your bank does not allow this connection", text: "The bank turned the request down. Nothing has been connected."}
	case errors.Is(err, pfm.ErrNotConfirmed):
		return message{status: http.StatusServiceUnavailable, title: "Your bank has not confirmed yet", text: "This can take a moment. Please try again.", again: true}
	case errors.Is(err, pfm.ErrBankUnavailable):
		return message{status: http.StatusServiceUnavailable, title: "Your bank does not answer at the moment", text: "Nothing has been connected so far. Please try again in a minute.", again: true}
	default:
		return message{status: http.StatusInternalServerError, title: "Something went wrong on our side", text: "Nothing has been lost. Please try again in a minute.", again: true}
	}
}

func pageDocument(params ...*huma.Param) api.Description {
	page := func(description string) *huma.Response {
		return &huma.Response{Description: description, Content: map[string]*huma.MediaType{"text/html": {Schema: &huma.Schema{Type: huma.TypeString}}}}
	}
	return func(huma.Registry) huma.Operation {
		return huma.Operation{Parameters: params, Responses: map[string]*huma.Response{
			"302": {Description: "The user is sent on.", Headers: map[string]*huma.Param{"Location": {Description: "The bank's page, or the partner's return URL.", Schema: &huma.Schema{Type: huma.TypeString, Format: "uri"}, Example: "https://partner.example/back?connectionId=5d8e0c3a-8b44-4b4e-9b19-0a0f6a2d7c55&status=success"}}},
			"404": page("There is no such link."),
			"410": page("The link has expired, or has been used."),
			"500": page("Something went wrong."),
			"502": page("The bank refused."),
			"503": page("The bank does not answer, or has yet to confirm."),
		}}
	}
}

package pfmapi

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"

	"aviso/internal/api"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm/connection"
)

// addresseeReader reads how pages address a user.
type addresseeReader func(ctx context.Context, user owner.User) (Addressee, error)

// pages are the pages that users' browsers open: no token, no JSON.
type pages struct {
	connections *connection.Connections
	addressee   addresseeReader
	entity      func(context.Context) (Entity, error)
}

func (p pages) register(r *api.Router) {
	r.Raw(api.Operation{
		ID: "openConnection", Method: http.MethodGet, Path: "/connect", Internal: true,
	}, ignoreHead(func(w http.ResponseWriter, req *http.Request) {
		q := req.URL.Query()
		id := strings.ToLower(q.Get("connectionId"))
		visit, err := p.connections.Open(req.Context(), id, q.Get("link"), visitor(req))
		if err == nil {
			http.SetCookie(w, browserCookie(id, visit))
		}
		p.respond(w, req, visit, err)
	}))

	finish := ignoreHead(func(w http.ResponseWriter, req *http.Request) {
		q := req.URL.Query()
		user := visitorOf(req, connection.IDOf(q.Get("state")))
		visit, err := p.connections.Finish(req.Context(), req.URL.Path, q, user)
		p.respond(w, req, visit, err)
	})
	r.Raw(api.Operation{
		ID: "finishConnection", Method: http.MethodGet, Path: "/connect/callback/{providerId}", Internal: true,
	}, finish)
	r.Raw(api.Operation{
		ID: "finishSharedCallback", Method: http.MethodGet, Path: "/connect/callback", Internal: true,
	}, finish)
}

// cookieName returns the name of the cookie that marks the browsers that opened the
// connection's link. Each connection has its own, so that a user can open several links.
// The prefix makes browsers accept it from this very host only, over TLS.
func cookieName(connectionID string) string { return "__Host-connect-" + connectionID }

// browserCookie returns the cookie for a browser that opens a link. It is Lax, not
// Strict, because the bank's site sends the user back. Browsers accept a Secure cookie
// from http://localhost too.
func browserCookie(connectionID string, visit connection.Visit) *http.Cookie {
	return &http.Cookie{
		Name: cookieName(connectionID), Value: visit.BrowserKey, Path: "/", MaxAge: int(visit.Left.Seconds()),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
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
func visitor(req *http.Request) connection.Visitor {
	ip, port, err := net.SplitHostPort(req.RemoteAddr)
	if err != nil {
		ip, port = req.RemoteAddr, ""
	}
	headers := map[string]string{"PSU-Http-Method": req.Method, "PSU-IP-Port": port}
	for _, name := range []string{"Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "User-Agent"} {
		if value := strings.Join(req.Header.Values(name), ","); len(value) <= maxPSUHeader {
			headers["PSU-"+name] = value
		}
	}
	return connection.Visitor{
		IPAddress: ip, UserAgent: req.UserAgent(), Headers: headers, BaseURL: api.BaseURL(req.Context()),
	}
}

// maxPSUHeader bounds what is passed on of a header about the user.
const maxPSUHeader = 500

// visitorOf returns the user's browser with the key that it got for the connection.
func visitorOf(req *http.Request, connectionID string) connection.Visitor {
	v := visitor(req)
	if cookie, err := req.Cookie(cookieName(connectionID)); err == nil {
		v.BrowserKey = cookie.Value
	}
	return v
}

// respond redirects the user, shows a page of ours, or why neither is possible.
func (p pages) respond(w http.ResponseWriter, req *http.Request, visit connection.Visit, err error) {
	w.Header().Set("Referrer-Policy", "no-referrer") // the address contains a secret
	if err == nil && visit.RedirectTo != "" {
		status := http.StatusFound
		if req.Method == http.MethodPost {
			status = http.StatusSeeOther
		}
		w.Header().Set("Location", visit.RedirectTo)
		w.WriteHeader(status)
		return
	}
	words, partner, unread := p.words(req, visit)
	page := Page{Words: words, Partner: partner, Bank: visit.BankName}
	if err == nil && visit.Question != nil {
		var form Consent
		if form, err = p.consent(req.Context(), words, partner, visit); err == nil {
			page.Consent, page.Message = &form, form.Message
			page.Write(w, http.StatusOK) // its own buttons lead on and back
			return
		}
	}
	m := messageFor(err, words)
	if err == nil {
		m = stepOn(&page, visit)
	}
	page.Message = m.Message
	if m.status > http.StatusInternalServerError { // the bank's failure
		err = &outcome.Later{Err: err, Normal: true}
	}
	if m.status >= http.StatusInternalServerError || unread != nil {
		api.NoteCause(req.Context(), errors.Join(err, unread))
	}
	if m.again != "" {
		page.Links = append(page.Links, Link{Address: req.URL.RequestURI(), Label: m.again})
	}
	if back, err := url.Parse(visit.ReturnTo); err == nil && back.Host != "" {
		label := words.BackToName(cmp.Or(partner, back.Host))
		page.Links = append(page.Links, Link{Address: visit.ReturnTo, Label: label})
	}
	page.Write(w, m.status)
}

// words returns the words for the user and the partner's name, which may be empty. After an error, they are those
// for the browser, because such a page is still better than none.
func (p pages) words(req *http.Request, visit connection.Visit) (words Words, partner string, err error) {
	var to Addressee
	if visit.Owner != (owner.User{}) {
		to, err = p.addressee(req.Context(), visit.Owner)
	}
	return WordsFor(to.LanguageCode, req.Header.Get("Accept-Language")), to.PartnerName, err
}

// message is what a page tells the user.
type message struct {
	Message
	status int
	// again is the label of a link to the same address; empty if that does not help.
	again string
}

func messageFor(err error, words Words) message {
	switch {
	case errors.Is(err, connection.ErrLinkUnknown):
		return message{words.Unknown, http.StatusNotFound, ""}
	case errors.Is(err, connection.ErrLinkExpired):
		return message{words.Expired, http.StatusGone, ""}
	case errors.Is(err, connection.ErrLinkUsed):
		return message{words.Used, http.StatusGone, ""}
	case errors.Is(err, connection.ErrOtherBrowser):
		return message{words.OtherBrowser, http.StatusForbidden, ""}
	case errors.Is(err, connection.ErrPartnerDisabled):
		return message{words.Disabled, http.StatusForbidden, ""}
	case errors.Is(err, connection.ErrBankRefused):
		return message{words.Refused, http.StatusBadGateway, ""}
	case errors.Is(err, connection.ErrOtherMustSign):
		return message{words.OtherMustSign, http.StatusAccepted, words.TryAgain}
	case errors.Is(err, connection.ErrNotConfirmed):
		return message{words.NotConfirmed, http.StatusServiceUnavailable, words.TryAgain}
	case errors.Is(err, connection.ErrBankUnavailable):
		return message{words.BankUnavailable, http.StatusServiceUnavailable, words.TryAgain}
	default:
		return message{words.Failed, http.StatusInternalServerError, words.TryAgain}
	}
}

package mailroom

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/sandboxdb"
)

// These are the paths of the pages to sign in and out. docs/sandbox.md describes them for
// programs.
const (
	SignInPath  = "/sandbox/sign-in"
	SignOutPath = "/sandbox/sign-out"
)

const (
	// cookieName has the prefix that makes browsers refuse the cookie from other hosts,
	// over HTTP and for a part of the site only.
	cookieName  = "__Host-aviso-sandbox"
	sessionTime = time.Hour
	// maxAttempts is how often wrong secrets of a partner may be tried from an address in a
	// minute.
	maxAttempts = 10
	// maxSecret is far longer than any secret.
	maxSecret = 512
)

// clientPattern is that of partners' IDs. An ID is part of a key, and of the cookie.
var clientPattern = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)

// Desk signs people in to those pages that show what belongs to one partner. They sign in with
// the partner's client ID and secret, which the service's own token endpoint checks: the
// sandbox has no access to partners. A session lasts an hour, also if the secret is revoked in
// the meantime. A nil Desk lets everybody see everything.
type Desk struct {
	layout.Site
	*Processor
	key []byte
}

// NewDesk returns a desk that signs sessions with this key, and registers its pages.
func NewDesk(p *Processor, mux *http.ServeMux, key []byte) *Desk {
	d := &Desk{layout.Site{
		Policy: "; form-action 'self'", Log: p.Log, ErrorTitle: "Signing in is not available",
		Section: PagePath, Footer: "The secret is checked and not stored. You stay signed in for an hour.",
	}, p, key}
	d.Message = func(w http.ResponseWriter, _ *http.Request, status int, _, text string) error {
		return d.form(w, status, PagePath, "", text)
	}
	d.Handle(mux, SignInPath, layout.Methods{"GET": d.show, "POST": d.Form(d.signIn)})
	d.Handle(mux, SignOutPath, layout.Methods{"POST": func(w http.ResponseWriter, _ *http.Request) error {
		setCookie(w, "", -1)
		return layout.Redirect(w, SignInPath)
	}})
	return d
}

// Partner returns the partner that a visitor has signed in as (empty: all of them), and false if
// a visitor has not.
func (d *Desk) Partner(r *http.Request) (partner string, ok bool) {
	if d == nil {
		return "", true
	}
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return "", false
	}
	session, sum, _ := strings.Cut(cookie.Value, "/")
	if !hmac.Equal([]byte(sum), []byte(d.sign(session))) {
		return "", false
	}
	partner, until, _ := strings.Cut(session, ".")
	ends, err := strconv.ParseInt(until, 10, 64)
	return partner, err == nil && clientPattern.MatchString(partner) && d.Now().Unix() < ends
}

// SignIn asks a visitor to sign in and then to return. A program gets a status instead of a page.
func (d *Desk) SignIn(w http.ResponseWriter, r *http.Request) error {
	if layout.WantsJSON(r) {
		return layout.WriteJSON(w, http.StatusUnauthorized, map[string]string{"signIn": SignInPath})
	}
	return layout.Redirect(w, SignInPath+"?next="+url.QueryEscape(r.URL.Path))
}

func (d *Desk) sign(session string) string {
	mac := hmac.New(sha256.New, d.key)
	_, _ = mac.Write([]byte(session)) // never fails
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// setCookie sets the cookie of a session; a negative time ends it.
func setCookie(w http.ResponseWriter, value string, seconds int) {
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: value, Path: "/", MaxAge: seconds,
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

func (d *Desk) show(w http.ResponseWriter, r *http.Request) error {
	return d.form(w, http.StatusOK, safe(r.URL.Query().Get("next")), "", "")
}

// form shows the form with its values, except the secret.
func (d *Desk) form(w http.ResponseWriter, status int, next, client, problem string) error {
	title := "Sign in as a partner"
	field := func(name, label, kind, complete string, more ...g.Node) g.Node {
		return h.Div(h.Class("field wide"),
			h.Label(h.For(name), g.Text(label)),
			h.Input(h.ID(name), h.Name(name), h.Type(kind), h.Required(), h.AutoComplete(complete),
				g.Attr("spellcheck", "false"), g.Attr("autocapitalize", "none"), g.Group(more)))
	}
	return d.Show(w, status, title, problem,
		h.H1(g.Text(title)),
		layout.Lead(g.Text("Letters hold names and addresses, so each partner sees only its own. "+
			"Use the credentials with which your server gets access tokens.")),
		layout.Outcome("", problem),
		h.Form(h.Method("post"), h.Action(SignInPath),
			h.Input(h.Type("hidden"), h.Name("next"), h.Value(next)),
			field("clientId", "Client ID", "text", "username", h.Value(client), h.MaxLength("64")),
			field("clientSecret", "Client secret", "password", "current-password", h.MaxLength("512")),
			h.Div(h.Class("actions"), h.Button(h.Type("submit"), g.Text("Sign in"))),
		),
	)
}

// safe returns the path of a page for visitors: an address must not send them anywhere
// else.
func safe(next string) string {
	page := strings.HasPrefix(next, PagePath+"/") || next == ReplyPath
	if page && next == path.Clean(next) && !strings.ContainsAny(next, `\?#`) {
		return next
	}
	return PagePath
}

func (d *Desk) signIn(w http.ResponseWriter, r *http.Request, fields url.Values) error {
	next, client, secret := safe(fields.Get("next")), strings.TrimSpace(fields.Get("clientId")), fields.Get("clientSecret")
	if !clientPattern.MatchString(client) {
		client, secret = "", ""
	}
	const wrong = "The client ID or the secret is wrong." // never which
	if secret == "" || len(secret) > maxSecret {
		return d.form(w, http.StatusUnauthorized, next, client, wrong)
	}
	status, err := d.check(r.Context(), d.Base(r), client, secret)
	switch {
	case err == nil && status == http.StatusOK:
		session := client + "." + strconv.FormatInt(d.Now().Add(sessionTime).Unix(), 10)
		setCookie(w, session+"/"+d.sign(session), int(sessionTime.Seconds()))
		return layout.Redirect(w, next)
	case err == nil && (status == http.StatusUnauthorized || status == http.StatusBadRequest):
		minute, source := d.Now().Truncate(time.Minute), r.RemoteAddr
		if host, _, err := net.SplitHostPort(source); err == nil {
			source = host
		}
		key := sandboxdb.Key{PK: "SIGNIN#" + client + "#" + source, SK: minute.UTC().Format(time.RFC3339)}
		attempts, err := d.Store.Count(r.Context(), key, minute.Add(time.Minute))
		if err != nil {
			return fmt.Errorf("count attempts: %w", err)
		}
		if attempts > maxAttempts {
			w.Header().Set("Retry-After", "60")
			return d.form(w, http.StatusTooManyRequests, next, client,
				"There were too many attempts for this client ID. Please wait a minute.")
		}
		return d.form(w, http.StatusUnauthorized, next, client, wrong)
	}
	d.Processor.Log.WarnContext(r.Context(), "sandbox cannot check credentials", "status", status, "error", err)
	return d.form(w, http.StatusBadGateway, next, client, "Aviso does not respond. Please try again.")
}

// check asks the service's token endpoint about a secret. The token is of no further use.
// The host is ours: API Gateway has routed the visitor's request by it.
func (d *Desk) check(ctx context.Context, base, client, secret string) (status int, err error) {
	credentials := url.QueryEscape(client) + ":" + url.QueryEscape(secret) // RFC 6749 §2.3.1
	return d.post(ctx, Call{base + "/oauth2/token", map[string]string{
		"Content-Type":  "application/x-www-form-urlencoded",
		"Authorization": "Basic " + base64.StdEncoding.EncodeToString([]byte(credentials)),
	}, []byte("grant_type=client_credentials")})
}

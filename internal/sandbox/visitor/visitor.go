// Package visitor signs people in to those pages of the sandbox that show what belongs to
// one partner. A developer signs in with the partner's client ID and secret, which the
// service's own token endpoint checks: the sandbox has no access to partners.
//
// GET /sandbox/sign-in shows the form; ?next=<path> is where to go after that. A program
// can post the same fields as application/x-www-form-urlencoded and keep the cookie:
//
//	clientId=<client ID>
//	clientSecret=<secret>
//
// The response is 303 to the page, 401 for any wrong ID or secret, 429 after ten attempts
// for the same ID within a minute, and 502 if the service does not answer. A session lasts
// an hour, also if the secret is revoked in the meantime. POST /sandbox/sign-out ends it
// in this browser.
package visitor

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/sandboxdb"
)

// Path is the path of the page to sign in.
const Path = "/sandbox/sign-in"

const (
	// cookieName has the prefix that makes browsers refuse the cookie from other hosts,
	// over HTTP and for a part of the site only.
	cookieName  = "__Host-aviso-sandbox"
	sessionTime = time.Hour
	// maxAttempts is how often a partner's secret may be tried in a minute.
	maxAttempts = 10
	// maxSecret is far longer than any secret.
	maxSecret = 512
)

// replies is the page that lists what waits for an answer.
const replies = "/sandbox/replies"

// clientPattern is that of partners' IDs. An ID is part of a key, and of the cookie.
var clientPattern = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)

// Options configures the pages.
type Options struct {
	// BaseURL is the public address without a trailing slash. If it is empty, the address
	// of each request is used.
	BaseURL string
	// Key signs sessions.
	Key []byte
	// Attempts counts attempts to sign in.
	Attempts *sandboxdb.Store
	Now      func() time.Time
	Log      *slog.Logger
}

// Desk signs visitors in and out. It is an http.Handler for Path and
// mailroom.SignOutPath, and implements mailroom.Visitors.
type Desk struct {
	Options
	http.Handler
	client *http.Client
}

var _ mailroom.Visitors = (*Desk)(nil)

// New returns a Desk.
func New(opts Options) *Desk {
	d := &Desk{Options: opts, client: mailroom.NewClient()}
	site := layout.Site{
		Policy: layout.Policy("; form-action 'self'"), Log: opts.Log,
		ErrorTitle: "Signing in is not available", Notice: notice,
	}
	mux := http.NewServeMux()
	page := func(path string, m layout.Methods) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { site.Serve(w, r, m) })
	}
	page(Path, layout.Methods{"GET": show, "POST": site.Form(d.signIn)})
	page(mailroom.SignOutPath, layout.Methods{"POST": d.signOut})
	d.Handler = mux
	return d
}

// Partner implements mailroom.Visitors.
func (d *Desk) Partner(r *http.Request) (partner string, ok bool) {
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

// SignIn implements mailroom.Visitors. A program gets a status instead of a page.
func (d *Desk) SignIn(w http.ResponseWriter, r *http.Request) error {
	if layout.WantsJSON(r) {
		return layout.WriteJSON(w, http.StatusUnauthorized, map[string]string{"signIn": Path})
	}
	return layout.Redirect(w, Path+"?next="+url.QueryEscape(r.URL.Path))
}

func (d *Desk) sign(session string) string {
	mac := hmac.New(sha256.New, d.Key)
	_, _ = mac.Write([]byte(session)) // never fails
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// cookie returns the cookie of a session, or the one that ends it.
func cookie(value string, lasts time.Duration) *http.Cookie {
	c := &http.Cookie{
		Name: cookieName, Value: value, Path: "/", MaxAge: int(lasts.Seconds()),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
	if lasts == 0 {
		c.MaxAge = -1
	}
	return c
}

func show(w http.ResponseWriter, r *http.Request) error {
	return form{next: safe(r.URL.Query().Get("next"))}.write(w, http.StatusOK)
}

// safe returns the path of a page for visitors: an address must not send them anywhere
// else.
func safe(next string) string {
	page := strings.HasPrefix(next, mailroom.PagePath+"/") || next == replies
	if page && next == path.Clean(next) && !strings.ContainsAny(next, `\?#`) {
		return next
	}
	return mailroom.PagePath
}

func (d *Desk) signIn(w http.ResponseWriter, r *http.Request, fields url.Values) error {
	f := form{next: safe(fields.Get("next")), client: strings.TrimSpace(fields.Get("clientId"))}
	secret := fields.Get("clientSecret")
	if !clientPattern.MatchString(f.client) {
		f.client = ""
		return f.refuse(w)
	}
	if secret == "" || len(secret) > maxSecret {
		return f.refuse(w)
	}
	minute := d.Now().Truncate(time.Minute)
	key := sandboxdb.Key{PK: "SIGNIN#" + f.client, SK: minute.UTC().Format(time.RFC3339)}
	attempts, err := d.Attempts.Count(r.Context(), key, minute.Add(time.Minute))
	if err != nil {
		return fmt.Errorf("count attempts: %w", err)
	}
	if attempts > maxAttempts {
		w.Header().Set("Retry-After", "60")
		f.problem = "There were too many attempts for this client ID. Please wait a minute."
		return f.write(w, http.StatusTooManyRequests)
	}
	status, err := d.check(r.Context(), layout.Origin(d.BaseURL, r), f.client, secret)
	switch {
	case err == nil && status == http.StatusOK:
		session := f.client + "." + strconv.FormatInt(d.Now().Add(sessionTime).Unix(), 10)
		http.SetCookie(w, cookie(session+"/"+d.sign(session), sessionTime))
		return layout.Redirect(w, f.next)
	case err == nil && (status == http.StatusUnauthorized || status == http.StatusBadRequest):
		return f.refuse(w)
	}
	d.Log.WarnContext(r.Context(), "sandbox cannot check credentials", "status", status, "error", err)
	f.problem = "Aviso does not respond. Please try again."
	return f.write(w, http.StatusBadGateway)
}

// check asks the service's token endpoint about a secret. The token is of no further use.
// The host is ours: API Gateway has routed the visitor's request by it.
func (d *Desk) check(ctx context.Context, base, client, secret string) (status int, err error) {
	body := strings.NewReader("grant_type=client_credentials")
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/oauth2/token", body) //nolint:gosec // see above
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.SetBasicAuth(url.QueryEscape(client), url.QueryEscape(secret)) // RFC 6749 §2.3.1
	res, err := d.client.Do(req)                                       //nolint:gosec // see above
	if err != nil {
		return 0, err
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10)) // keeps the connection for the next one
	return res.StatusCode, nil
}

func (d *Desk) signOut(w http.ResponseWriter, _ *http.Request) error {
	http.SetCookie(w, cookie("", 0))
	return layout.Redirect(w, Path)
}

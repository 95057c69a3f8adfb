package console

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"aviso/internal/api/apierror"
	"aviso/internal/aws/config"
	"aviso/internal/console/feed"
	"aviso/internal/identity"
	"aviso/internal/owner"
)

const (
	// sessionTime is the maximum length of a session, idleTime the maximum time without a request.
	sessionTime = 8 * time.Hour
	idleTime    = time.Hour
	// renewAfter is how old Session.Seen may become before the cookie is renewed.
	renewAfter = time.Minute

	sessionBinding = "console session"
)

// Session is a signed-in person or client. It is sealed in a cookie.
type Session struct {
	ID      string          `json:"id"`
	Partner owner.PartnerID `json:"partner"`
	Role    Role            `json:"role"`
	// Who is a person's name at the issuer, or the client ID.
	Who string `json:"who"`
	// Secret is the digest of the client secret; empty for a person.
	Secret  string    `json:"secret,omitempty"`
	Started time.Time `json:"started"`
	// Seen is the time of the last request, to the minute.
	Seen time.Time `json:"seen"`
	// Flash is a message that the next page shows once.
	Flash string `json:"flash,omitempty"`

	// Name is the partner's name.
	Name string `json:"-"`
}

// errNoSession is returned if there is no valid session.
var errNoSession = errors.New("console: no session")

// secure reports whether browsers reach the console only over HTTPS.
func (c *Console) secure() bool { return c.Stage != config.Local }

// cookieName adds the prefix with which browsers reject the cookie from other hosts and over HTTP. The local stack
// has no HTTPS.
func (c *Console) cookieName(name string) string {
	if c.secure() {
		return "__Host-" + name
	}
	return name
}

const sessionCookie = "aviso-console"

func (c *Console) setCookie(w http.ResponseWriter, name, value string, lasts time.Duration) {
	age := int(lasts.Seconds())
	if age <= 0 {
		age = -1 // a negative age deletes the cookie
	}
	cookie := &http.Cookie{ //nolint:gosec // the local stack has no HTTPS
		Name: c.cookieName(name), Value: value, Path: "/", MaxAge: age,
		Secure: c.secure(), HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
	w.Header()["Set-Cookie"] = slices.DeleteFunc(w.Header()["Set-Cookie"], func(line string) bool {
		return strings.HasPrefix(line, cookie.Name+"=")
	})
	http.SetCookie(w, cookie)
}

// seal returns a value for a cookie.
func (c *Console) seal(value any, binding string) string {
	plain, _ := json.Marshal(value) // texts and times only: cannot fail
	return base64.RawURLEncoding.EncodeToString(c.Sealer.Seal(plain, binding))
}

// unseal opens a cookie that seal has written.
func (c *Console) unseal(r *http.Request, name, binding string, value any) error {
	cookie, err := r.Cookie(c.cookieName(name))
	if err != nil {
		return errNoSession
	}
	text, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err == nil {
		text, err = c.Sealer.Open(text, binding)
	}
	if err != nil || json.Unmarshal(text, value) != nil {
		return errNoSession
	}
	return nil
}

// keep writes the session's cookie.
func (c *Console) keep(w http.ResponseWriter, s Session) {
	c.setCookie(w, sessionCookie, c.seal(s, sessionBinding), sessionTime-c.Now().Sub(s.Started))
}

// renew writes the cookie again from time to time, so that an active session does not end. It also does so when the
// page shows the flash message.
func (c *Console) renew(call *Call) {
	if call.Header.Get("Aviso-Live") != "" { // the page reloads by itself, perhaps with nobody there
		return
	}
	shown := call.Session
	if call.Method == http.MethodGet {
		shown.Flash = ""
	}
	if shown.Flash != call.Session.Flash || call.Now.Sub(shown.Seen) >= renewAfter {
		shown.Seen = call.Now
		c.keep(call.w, shown)
	}
}

// session returns the session of a request, errNoSession or identity.ErrDisabled. A session ends after sessionTime,
// after idleTime, when the person signs out, when the partner is disabled, and when the client secret that opened it
// is revoked.
func (c *Console) session(r *http.Request) (Session, error) {
	var s Session
	if err := c.unseal(r, sessionCookie, sessionBinding, &s); err != nil {
		return Session{}, err
	}
	now := c.Now()
	if now.Sub(s.Started) >= sessionTime || now.Sub(s.Seen) >= idleTime {
		return Session{}, errNoSession
	}
	var partner identity.Partner
	var ended bool
	both, ctx := errgroup.WithContext(r.Context())
	both.Go(func() (err error) {
		partner, err = c.Partners.Get(ctx, s.Partner)
		return err
	})
	both.Go(func() (err error) {
		ended, err = c.Store.SignedOut(ctx, s.ID)
		return err
	})
	err := both.Wait()
	if apierror.Is(err, apierror.NotFound) || err == nil && (ended || !s.secretIsValid(partner, now)) {
		return Session{}, errNoSession
	}
	if err == nil && partner.Disabled {
		return Session{}, identity.ErrDisabled
	}
	if err != nil {
		return Session{}, fmt.Errorf("check session: %w", err)
	}
	s.Name = partner.PublicName()
	return s, nil
}

// secretIsValid reports whether the client secret that opened the session is still valid.
func (s Session) secretIsValid(p identity.Partner, now time.Time) bool {
	return s.Secret == "" || slices.ContainsFunc(p.Secrets, func(secret identity.ClientSecret) bool {
		return secret.Digest() == s.Secret && secret.ValidAt(now)
	})
}

// open starts a session, writes the audit log, and redirects to the page next.
func (c *Console) open(call *Call, s Session, next string) (Answer, error) {
	s.ID, s.Started, s.Seen = c.NewID(), call.Now, call.Now
	call.Session = s
	if err := c.noteSignIn(call, s, feed.Done); err != nil {
		return nil, err
	}
	c.keep(call.w, s)
	c.setCookie(call.w, stateCookie, "", 0)
	return Redirect{To: safe(next)}, nil
}

// noteSignIn adds a sign-in to the audit log.
func (c *Console) noteSignIn(call *Call, s Session, result feed.Result) error {
	entry := c.newEntry(call, s, actionSignIn)
	entry.Result = result
	if err := c.Store.Begin(call.Context(), s.Partner, entry); err != nil {
		return fmt.Errorf("write audit log: %w", err)
	}
	return nil
}

// toSignIn redirects to the sign-in page, and back afterwards.
func (c *Console) toSignIn(call *Call) Answer {
	c.setCookie(call.w, sessionCookie, "", 0)
	to := signInPath
	if call.Method == http.MethodGet && call.URL.Path != Path {
		to += "?next=" + url.QueryEscape(call.URL.RequestURI())
	}
	return Redirect{To: to}
}

// safe returns the path of a console page, so that a link cannot redirect to another site.
func safe(next string) string {
	to, err := url.Parse(next)
	inside := err == nil && strings.HasPrefix(next, Path+"/") && to.Path == path.Clean(to.Path) &&
		!strings.ContainsAny(next, `\#`)
	if !inside || strings.HasPrefix(to.Path, Path+"/sign-") {
		return Path
	}
	return next
}

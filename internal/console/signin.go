package console

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"aviso/internal/aws/config"
	"aviso/internal/console/feed"
	"aviso/internal/identity"
	"aviso/internal/owner"
)

const (
	signInPath = Path + "/sign-in"
	// actionSignIn is the name of the action in the audit log.
	actionSignIn = "sign-in"

	// maxAttempts is the maximum number of wrong secrets for a partner from one address in a minute. The right secret
	// always passes, which prevents a lock-out of the partner.
	maxAttempts = 10
	// maxSecret is far longer than any secret.
	maxSecret = 512
)

// clientPattern matches partners' IDs, which are part of keys.
var clientPattern = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)

// takesSecrets reports whether a client secret opens the console. Acceptance and production have personal data, so
// people sign in themselves: a server's credentials are not enough.
func (c *Console) takesSecrets() bool { return c.Stage == config.Local || c.Stage == config.Test }

func (c *Console) signInForm(status int, next, client, problem string) Page {
	page := Page{Status: status, Title: "Sign in", Template: "signin", Problem: problem}
	if c.Provider != nil {
		page.Links = []Link{{providerPath + "?next=" + url.QueryEscape(safe(next)), "Continue with " + c.Provider.host}}
	}
	if c.takesSecrets() {
		secret := ""
		if client == "" && problem == "" && c.Example.Secret != "" {
			client, secret = c.Example.ClientID, c.Example.Secret
			page.Note = "Those of the local stack's first partner are filled in."
		}
		page.Form = formOf("signIn", signInPath, url.Values{"clientId": {client}, "clientSecret": {secret}})
		page.Form.Hidden = map[string]string{"next": safe(next)}
	}
	return page
}

func (c *Console) showSignIn(call *Call) (Answer, error) {
	return c.signInForm(http.StatusOK, call.URL.Query().Get("next"), "", ""), nil
}

func (c *Console) signIn(call *Call) (Answer, error) {
	if !c.takesSecrets() {
		return notFoundPage(), nil
	}
	next, client := call.Form.Get("next"), strings.TrimSpace(call.Form.Get("clientId"))
	secret := call.Form.Get("clientSecret")
	if !clientPattern.MatchString(client) {
		client, secret = "", ""
	}
	if secret == "" || len(secret) > maxSecret {
		return c.wrongSecret(next, client), nil
	}
	partner, err := c.Partners.Authenticate(call.Context(), owner.PartnerID(client), secret)
	if errors.Is(err, identity.ErrDisabled) {
		return disabledPage(), c.noteSignIn(call, Session{Partner: partner.ID, Who: client}, feed.Refused)
	}
	if errors.Is(err, identity.ErrInvalidClient) {
		return c.refuseSignIn(call, next, client)
	}
	if err != nil {
		return nil, err
	}
	digest := identity.ClientSecret{Hash: identity.HashSecret(secret)}.Digest()
	return c.open(call, Session{Partner: partner.ID, Role: Admin, Who: client, Secret: digest}, next)
}

// wrongSecret does not say whether the ID or the secret is wrong.
func (c *Console) wrongSecret(next, client string) Page {
	return c.signInForm(http.StatusUnauthorized, next, client, "The client ID or the secret is wrong.")
}

// refuseSignIn counts a failed attempt, and logs it for the partner if the ID exists.
func (c *Console) refuseSignIn(call *Call, next, client string) (Answer, error) {
	id := owner.PartnerID(client)
	attempts, err := c.Store.Attempt(call.Context(), id, source(call.Request), call.Now.Truncate(time.Minute))
	if err != nil {
		return nil, fmt.Errorf("count attempts: %w", err)
	}
	if attempts > maxAttempts {
		return c.signInForm(http.StatusTooManyRequests, next, client,
			"There were too many attempts for this client ID. Please wait a minute."), nil
	}
	_, err = c.Partners.Get(call.Context(), id)
	if err == nil {
		err = c.noteSignIn(call, Session{Partner: id, Who: client}, feed.Refused)
	}
	if err != nil && !isNotFound(err) {
		return nil, err
	}
	return c.wrongSecret(next, client), nil
}

// source returns a visitor's address as API Gateway saw it.
func source(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
}

func (c *Console) signOut(call *Call) (Answer, error) {
	if err := c.Store.SignOut(call.Context(), call.Session.ID, call.Session.Started.Add(sessionTime)); err != nil {
		return nil, fmt.Errorf("sign out: %w", err)
	}
	c.setCookie(call.w, sessionCookie, "", 0)
	return Redirect{To: signInPath}, nil
}

package console

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"aviso/internal/api/apierror"
	"aviso/internal/observe"
	"aviso/internal/owner"
	"aviso/internal/secret/keyring"
)

const (
	providerPath = signInPath + "/provider"
	callbackPath = signInPath + "/callback"

	stateCookie  = "aviso-console-sign-in"
	stateBinding = "console sign-in"
	// stateTime is how long a sign-in at the issuer may take.
	stateTime = 10 * time.Minute
	// providerTimeout bounds each call to the issuer.
	providerTimeout = 5 * time.Second
)

// Provider signs people in with OpenID Connect, and maps their groups to roles.
type Provider struct {
	observe.Hidden
	Issuer       string `json:"issuer"`
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret"`
	// GroupClaim is the claim of the ID token with the groups; "groups" if empty.
	GroupClaim string `json:"groupClaim"`
	// Scopes are requested in addition to openid, profile and email.
	Scopes []string         `json:"scopes"`
	Groups map[string]Grant `json:"groups"`

	now  func() time.Time
	host string
}

// Grant gives a group a partner and a role.
type Grant struct {
	Partner owner.PartnerID `json:"partner"`
	Role    string          `json:"role"`
}

// ParseProvider parses the provider from JSON. Issuers on other machines need HTTPS. Nothing calls the issuer until
// somebody signs in, so the console starts without it.
func ParseProvider(text string, now func() time.Time) (*Provider, error) {
	p := &Provider{now: now}
	if err := json.Unmarshal([]byte(text), p); err != nil { // the error text may contain the secret
		return nil, errors.New("console sign-in: it is not a JSON object with issuer, clientId, clientSecret and groups")
	}
	issuer, err := url.Parse(p.Issuer)
	if err != nil || issuer.Scheme != "https" && issuer.Hostname() != "127.0.0.1" || issuer.Host == "" {
		return nil, errors.New("console sign-in: issuer must be an https address")
	}
	if p.ClientID == "" || len(p.Groups) == 0 {
		return nil, errors.New("console sign-in: clientId and groups must not be empty")
	}
	for group, grant := range p.Groups {
		if _, known := ParseRole(grant.Role); !known || !clientPattern.MatchString(string(grant.Partner)) {
			return nil, fmt.Errorf("console sign-in: group %q needs a partner, and the role viewer, developer or admin", group)
		}
	}
	p.GroupClaim, p.host = cmp.Or(p.GroupClaim, "groups"), issuer.Hostname()
	return p, nil
}

// discover reads the issuer's metadata. It is not cached, because people sign in rarely.
func (p *Provider) discover(ctx context.Context, redirect string) (*oidc.Provider, oauth2.Config, error) {
	provider, err := oidc.NewProvider(withTimeout(ctx), p.Issuer)
	if err != nil {
		return nil, oauth2.Config{}, fmt.Errorf("discover the issuer: %w", err)
	}
	return provider, oauth2.Config{
		ClientID: p.ClientID, ClientSecret: p.ClientSecret, Endpoint: provider.Endpoint(), RedirectURL: redirect,
		Scopes: slices.Concat([]string{oidc.ScopeOpenID, "profile", "email"}, p.Scopes),
	}, nil
}

// withTimeout bounds each call to the issuer.
func withTimeout(ctx context.Context) context.Context {
	return oidc.ClientContext(ctx, &http.Client{Timeout: providerTimeout})
}

// attempt is one sign-in at the issuer. It is sealed in a cookie.
type attempt struct {
	State, Nonce, Verifier, Next string
	Until                        time.Time
}

// origin is the public address without a trailing slash. The Host header can be trusted: API Gateway routed the
// request by it.
func (c *Console) origin(r *http.Request) string {
	return cmp.Or(c.BaseURL, "https://"+r.Host)
}

func (c *Console) toProvider(call *Call) (Answer, error) {
	if c.Provider == nil {
		return notFoundPage(), nil
	}
	_, config, err := c.Provider.discover(call.Context(), c.origin(call.Request)+callbackPath)
	if err != nil {
		return c.signInFailed(call, err), nil
	}
	a := attempt{
		State: keyring.RandomToken(), Nonce: keyring.RandomToken(), Verifier: oauth2.GenerateVerifier(),
		Next: safe(call.URL.Query().Get("next")), Until: call.Now.Add(stateTime),
	}
	to := config.AuthCodeURL(a.State, oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier))
	c.setCookie(call.w, stateCookie, c.seal(a, stateBinding), stateTime)
	return Redirect{To: to}, nil
}

func (c *Console) fromProvider(call *Call) (Answer, error) {
	if c.Provider == nil {
		return notFoundPage(), nil
	}
	var a attempt
	query := call.URL.Query()
	known := c.unseal(call.Request, stateCookie, stateBinding, &a) == nil
	if !known || query.Get("state") != a.State || !call.Now.Before(a.Until) {
		return brokenSignIn(), nil
	}
	if refusal := query.Get("error"); refusal != "" {
		return signInProblem(http.StatusForbidden, "You were not signed in",
			c.Provider.host+" says: "+cmp.Or(query.Get("error_description"), refusal)), nil
	}
	// A response from another issuer (RFC 9207).
	if issuer := query.Get("iss"); issuer != "" && issuer != c.Provider.Issuer {
		return brokenSignIn(), nil
	}
	claims, err := c.Provider.exchange(call.Context(), c.origin(call.Request)+callbackPath, query.Get("code"), a)
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok && refused.ErrorCode == "invalid_grant" {
		return brokenSignIn(), nil
	}
	if err != nil {
		return c.signInFailed(call, err), nil
	}
	session, refusal := c.Provider.admit(claims)
	if refusal != "" {
		return signInProblem(http.StatusForbidden, "You have no access to this console", refusal), nil
	}
	partner, err := c.Partners.Get(call.Context(), session.Partner)
	if apierror.Is(err, apierror.NotFound) || err == nil && partner.Disabled {
		return signInProblem(http.StatusForbidden, "You have no access to this console",
			fmt.Sprintf("Your group belongs to the partner %s, which is not active here. Ask the operator of Aviso.",
				session.Partner)), nil
	}
	if err != nil {
		return nil, err
	}
	return c.open(call, session, a.Next)
}

// exchange exchanges a code for the claims of the ID token.
func (p *Provider) exchange(ctx context.Context, redirect, code string, a attempt) (map[string]any, error) {
	provider, config, err := p.discover(ctx, redirect)
	if err != nil {
		return nil, err
	}
	token, err := config.Exchange(withTimeout(ctx), code, oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return nil, fmt.Errorf("exchange code: %w", err)
	}
	raw, _ := token.Extra("id_token").(string)
	idToken, err := provider.Verifier(&oidc.Config{ClientID: p.ClientID, Now: p.now}).Verify(ctx, raw)
	if err != nil {
		return nil, fmt.Errorf("check ID token: %w", err)
	}
	if idToken.Nonce != a.Nonce {
		return nil, errors.New("check ID token: it has another nonce")
	}
	claims := map[string]any{}
	err = idToken.Claims(&claims)
	return claims, err
}

// admit returns the session for a person's groups, or a refusal for a person without a grant.
func (p *Provider) admit(claims map[string]any) (s Session, refusal string) {
	for _, name := range []string{"email", "preferred_username", "sub"} {
		text, _ := claims[name].(string)
		s.Who = cmp.Or(s.Who, text)
	}
	partners := map[owner.PartnerID]bool{}
	for _, group := range groupsIn(claims[p.GroupClaim]) {
		if grant, known := p.Groups[group]; known {
			role, _ := ParseRole(grant.Role) // ParseProviderConfig has checked it
			s.Partner, s.Role = grant.Partner, max(s.Role, role)
			partners[grant.Partner] = true
		}
	}
	switch len(partners) {
	case 1:
		return s, ""
	case 0:
		return s, fmt.Sprintf("You are signed in as %s, but in none of the groups that may use it. "+
			"Ask whoever manages the accounts at %s to add you to one, or the operator of Aviso to admit your group.",
			s.Who, p.host)
	default:
		return s, fmt.Sprintf("You are signed in as %s, and your groups lead to more than one partner. "+
			"Ask whoever manages the accounts at %s to leave you in the groups of one.", s.Who, p.host)
	}
}

// groupsIn returns the groups in a claim, which is a string or a list of strings.
func groupsIn(claim any) []string {
	switch claim := claim.(type) {
	case string:
		return []string{claim}
	case []any:
		var groups []string
		for _, g := range claim {
			if text, ok := g.(string); ok {
				groups = append(groups, text)
			}
		}
		return groups
	}
	return nil
}

func brokenSignIn() Page {
	return signInProblem(http.StatusBadRequest, "This sign-in has run out",
		"It began more than ten minutes ago, or in another browser. Please sign in again.")
}

// signInFailed logs why a sign-in at the issuer failed, and returns a page that says so.
func (c *Console) signInFailed(call *Call, err error) Page {
	c.Log.WarnContext(call.Context(), "console sign-in failed", "issuer", c.Provider.Issuer, "error", err.Error())
	return signInProblem(http.StatusBadGateway, "You could not be signed in",
		c.Provider.host+" did not answer as it should. Please try again. If it goes on, tell the operator of Aviso.")
}

func signInProblem(status int, title, text string) Page {
	page := messagePage(status, title, text)
	page.Links = []Link{{signInPath, "Sign in again"}}
	return page
}

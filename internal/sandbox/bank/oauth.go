package bank

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/sandboxdb"
)

const (
	codeLife   = 5 * time.Minute
	accessLife = 10 * time.Minute
)

// TokenGrant is what a customer's approval at the authorization server gives a client. A
// code and a token are the grant's ID, a dot and a secret, of which only digests are stored.
type TokenGrant struct {
	Bank, ID string
	// ConsentID is what the tokens are for. If it is empty, they are for all consents of the
	// customer.
	ConsentID, Persona, CustomerNumber string
	// Challenge and RedirectURI belong to the code.
	Challenge, RedirectURI string
	// Code, Access and Refresh are digests; empty if there is none.
	Code, Access, Refresh      string
	CodeExpires, AccessExpires time.Time
	// Ahead is that of the customer's browser when it got the code. Without a consent nobody has
	// told the bank the customer's time by then.
	Ahead   time.Duration `dynamodbav:",omitempty"`
	Forget  time.Time
	Version int
}

// Key returns the key of the record.
func (t TokenGrant) Key() sandboxdb.Key { return key(t.Bank, "TOKENS", t.ID) }

// Next implements sandboxdb.Versioned.
func (t TokenGrant) Next() (sandboxdb.Record, int) { t.Version++; return t, t.Version - 1 }

// KeepUntil returns when the record expires.
func (t TokenGrant) KeepUntil() time.Time { return t.Forget }

// issue returns a new secret of the grant, and its digest.
func (s server) issue(t TokenGrant) (secret, hash string) {
	secret = t.ID + "." + s.NewID()
	return secret, hashOf(secret)
}

func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func (t TokenGrant) has(stored, secret string) bool {
	return subtle.ConstantTimeCompare([]byte(stored), []byte(hashOf(secret))) == 1
}

// oauth handles an endpoint of the authorization server that programs call.
func (s server) oauth(m methods) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		c := s.newCall(w, r)
		answer, allowed := m[r.Method]
		if !c.Traits.SCA.hasTokens() || !allowed {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		c.fail(answer(c))
	})
}

func (c *call) issuer() string { return c.base() + c.Path() }

func (c *call) metadata() error {
	issuer := c.issuer()
	return c.json(http.StatusOK, map[string]any{
		"issuer": issuer, "authorization_endpoint": issuer + "/oauth/authorize",
		"token_endpoint": issuer + "/oauth/token", "revocation_endpoint": issuer + "/oauth/revoke",
		"response_types_supported": []string{"code"}, "scopes_supported": []string{"AIS"},
		"grant_types_supported":                          []string{"authorization_code", "refresh_token"},
		"code_challenge_methods_supported":               []string{"S256"},
		"token_endpoint_auth_methods_supported":          []string{"none"},
		"authorization_response_iss_parameter_supported": true,
	})
}

// authorize receives the customer from the client and leads to the consent page.
func (c *call) authorize() error {
	q := c.r.URL.Query()
	back := q.Get("redirect_uri")
	if !c.Traits.SCA.hasTokens() || q.Get("client_id") != ClientID || !c.isRegistered(back) {
		return c.notice(http.StatusBadRequest, "Unknown app", "The bank does not know who sent you here.", "")
	}
	request := AuthorizationRequest{State: q.Get("state"), Challenge: q.Get("code_challenge"), Issuer: c.issuer()}
	a := Authorisation{Bank: c.Slug, ID: c.NewID(), Status: SCAReceived, RedirectURI: back, OAuth: &request}
	challenge, err := base64.RawURLEncoding.DecodeString(request.Challenge)
	scope, consentID, _ := strings.Cut(q.Get("scope"), ":")
	switch {
	case q.Get("response_type") != "code":
		return layout.Redirect(c.w, a.answer("error", "unsupported_response_type"))
	case err != nil || len(challenge) != sha256.Size || q.Get("code_challenge_method") != "S256" || request.State == "":
		return layout.Redirect(c.w, a.answer("error", "invalid_request"))
	case scope != "AIS" || (consentID == "") != (c.Traits.SCA == scaTokenFirst):
		return layout.Redirect(c.w, a.answer("error", "invalid_scope"))
	}
	var records []sandboxdb.Record
	if consentID != "" {
		consent, err := c.consent(consentID)
		if err != nil || consent.status(c.now, c.today) != Received {
			return layout.Redirect(c.w, a.answer("error", "invalid_scope"))
		}
		a.ConsentID, consent.AuthoriseBy = consent.ID, c.now.Add(authoriseWithin)
		consent.Authorisations = append(consent.Authorisations, a.ID)
		records = append(records, consent)
	}
	a.ExpiresAt = c.now.Add(authoriseWithin)
	if err := c.Store.Save(c.r.Context(), append(records, a)...); err != nil {
		return fmt.Errorf("save authorisation: %w", err)
	}
	return layout.Redirect(c.w, c.Path()+"/authorise/"+a.ID)
}

// isRegistered reports whether Aviso's users come back at an address: in this environment, or to
// a program on the developer's machine (RFC 8252, section 7.3). Anybody can make a link to the
// bank, so it must not lead to other sites.
func (c *call) isRegistered(back string) bool {
	u, err := url.Parse(back)
	if err != nil || !isReturnURL(back) {
		return false
	}
	ip, _ := netip.ParseAddr(u.Hostname())
	return strings.HasPrefix(back, c.base()+"/") || u.Hostname() == "localhost" || ip.IsLoopback()
}

// answer returns the client's address with an answer, the state and the server's name (RFC 9207).
func (a Authorisation) answer(name, value string) string {
	u, err := url.Parse(a.RedirectURI)
	if err != nil { // checked when it came
		return a.RedirectURI
	}
	q := u.Query()
	q.Set(name, value)
	q.Set("state", a.OAuth.State)
	q.Set("iss", a.OAuth.Issuer)
	u.RawQuery = q.Encode()
	return u.String()
}

// approvedURI returns where the customer goes after approving, and what to store for that.
func (v *visit) approvedURI(a Authorisation) (string, []sandboxdb.Record) {
	switch {
	case a.OAuth != nil:
		grant := TokenGrant{
			Bank: a.Bank, ID: v.NewID(), ConsentID: a.ConsentID, Persona: a.Persona, CustomerNumber: a.CustomerNumber,
			Challenge: a.OAuth.Challenge, RedirectURI: a.RedirectURI, CodeExpires: v.now.Add(codeLife),
			Ahead: v.consent.Ahead, Forget: v.now.AddDate(0, 0, 400),
		}
		var code string
		code, grant.Code = v.issue(grant)
		return a.answer("code", code), []sandboxdb.Record{grant}
	case a.RedirectURI == "": // in the app
		return v.Path() + "/app?done=true", nil
	default:
		return a.RedirectURI, nil
	}
}

// tokenError writes an error of RFC 6749 §5.2.
func (c *call) tokenError(code string) error {
	return c.json(http.StatusBadRequest, map[string]string{"error": code})
}

// tokenForm reads the form of a call to the authorization server.
func (c *call) tokenForm() (url.Values, bool) {
	form, err := layout.ReadForm(c.w, c.r)
	return form, err == nil && form.Get("client_id") == ClientID
}

// tokenGrant returns the grant that a code or token belongs to.
func (c *call) tokenGrant(secret string) (TokenGrant, error) {
	id, _, _ := strings.Cut(secret, ".")
	if uuid.Validate(id) != nil {
		return TokenGrant{}, outcome.ErrNotFound
	}
	return stored(c, TokenGrant{Bank: c.Slug, ID: id})
}

// postToken issues tokens for a code or a refresh token. Each works once. If one comes a
// second time, somebody may have stolen it, so all tokens of the grant are void.
func (c *call) postToken() error {
	form, ok := c.tokenForm()
	if !ok {
		return c.tokenError("invalid_client")
	}
	kind := map[string]string{"authorization_code": "code", "refresh_token": "refresh_token"}[form.Get("grant_type")]
	if kind == "" {
		return c.tokenError("unsupported_grant_type")
	}
	secret := form.Get(kind)
	t, err := c.tokenGrant(secret)
	if errors.Is(err, outcome.ErrNotFound) {
		return c.tokenError("invalid_grant")
	}
	if err != nil {
		return fmt.Errorf("read tokens: %w", err)
	}
	inBrowser := c.Now().Add(t.Ahead)
	verifier := sha256.Sum256([]byte(form.Get("code_verifier")))
	valid := t.has(t.Refresh, secret)
	if kind == "code" {
		valid = t.has(t.Code, secret) && inBrowser.Before(t.CodeExpires) && form.Get("redirect_uri") == t.RedirectURI &&
			base64.RawURLEncoding.EncodeToString(verifier[:]) == t.Challenge
	}
	t.Code, t.Access, t.Refresh = "", "", ""
	var access, refresh string
	if valid {
		access, t.Access = c.issue(t)
		refresh, t.Refresh = c.issue(t)
		t.AccessExpires = c.now.Add(accessLife)
	}
	err = c.Store.Save(c.r.Context(), t)
	if errors.Is(err, outcome.ErrChanged) || err == nil && !valid {
		return c.tokenError("invalid_grant")
	}
	if err != nil {
		return fmt.Errorf("save tokens: %w", err)
	}
	return c.json(http.StatusOK, map[string]any{
		"access_token": access, "token_type": "Bearer", "expires_in": int(accessLife.Seconds()), "refresh_token": refresh,
	})
}

// postRevocation revokes a grant by one of its tokens (RFC 7009). An unknown token is fine.
func (c *call) postRevocation() error {
	form, ok := c.tokenForm()
	if !ok {
		return c.tokenError("invalid_client")
	}
	secret := form.Get("token")
	t, err := c.tokenGrant(secret)
	if err == nil && (t.has(t.Access, secret) || t.has(t.Refresh, secret)) {
		t.Code, t.Access, t.Refresh = "", "", ""
		err = c.Store.Save(c.r.Context(), t)
	}
	if err != nil && !errors.Is(err, outcome.ErrNotFound) {
		return fmt.Errorf("revoke tokens: %w", err)
	}
	c.w.WriteHeader(http.StatusOK)
	return nil
}

// bearer returns the grant of the call's access token.
func (c *call) bearer() (TokenGrant, error) {
	secret, ok := strings.CutPrefix(c.r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return TokenGrant{}, unauthorised("TOKEN_UNKNOWN", "The call needs an access token.")
	}
	t, err := c.tokenGrant(secret)
	switch {
	case errors.Is(err, outcome.ErrNotFound), err == nil && !t.has(t.Access, secret):
		return TokenGrant{}, unauthorised("TOKEN_INVALID", "The access token is not valid.")
	case err != nil:
		return TokenGrant{}, fmt.Errorf("read tokens: %w", err)
	case !c.now.Before(t.AccessExpires):
		return TokenGrant{}, unauthorised("TOKEN_EXPIRED", "The access token has expired.")
	}
	return t, nil
}

// checkToken requires an access token for the consent, if the bank has tokens.
func (c *call) checkToken(consent Consent) error {
	if !c.Traits.SCA.hasTokens() {
		return nil
	}
	t, err := c.bearer()
	if err != nil {
		return err
	}
	isTheirs := t.ConsentID == consent.ID
	if t.ConsentID == "" {
		isTheirs = consent.Persona == "" || consent.Persona == t.Persona
	}
	if !isTheirs {
		return unauthorised("TOKEN_INVALID", "The access token is for something else.")
	}
	return nil
}

// AppRequest is a request that waits for the customer in the bank's app. Its code is short,
// because the customer types it.
type AppRequest struct {
	Bank, Code, AuthorisationID string
	Forget                      time.Time
	Version                     int
}

// Key returns the key of the record.
func (a AppRequest) Key() sandboxdb.Key { return key(a.Bank, "APP", a.Code) }

// Next implements sandboxdb.Versioned.
func (a AppRequest) Next() (sandboxdb.Record, int) { a.Version++; return a, a.Version - 1 }

// KeepUntil returns when the record expires.
func (a AppRequest) KeepUntil() time.Time { return a.Forget }

// newAppRequest returns the request of a decoupled authorisation. The customer approves on a page
// that stands for the bank's app.
func (c *call) newAppRequest(a Authorisation) AppRequest {
	return AppRequest{Bank: c.Slug, Code: strings.ToUpper(c.NewID()[:6]), AuthorisationID: a.ID, Forget: a.KeepUntil()}
}

func (c *call) showApp() error {
	if c.Traits.SCA != scaDecoupled {
		return c.notice(http.StatusNotFound, "No app", "This bank's customers approve in the browser.", "")
	}
	if c.r.URL.Query().Has("done") {
		return c.notice(http.StatusOK, "You have decided",
			"Go back to the page that waits for you. It goes on by itself.", "")
	}
	return c.appPage(http.StatusOK, "")
}

func (c *call) appPage(status int, problem string) error {
	title := c.t("The app of %s", c.Name)
	return c.show(status, "", title, problem,
		h.H1(g.Text(title)),
		layout.Lead(c.text("Aviso waits until you confirm here. In reality, this is on your phone.")),
		g.If(problem != "", layout.Alert(h.ID("problem"), c.text(problem))),
		h.Form(h.Method("post"), h.Action(c.Path()+"/app"),
			h.Div(h.Class("field"),
				h.Label(h.For("code"), c.text("Code of the request")),
				h.Input(h.ID("code"), h.Name("code"), h.MaxLength("6"), h.Required(), h.AutoComplete("off"),
					g.If(problem != "", h.Aria("describedby", "problem"))),
			),
			h.Div(h.Class("actions"), h.Button(h.Type("submit"), c.text("Show the request"))),
		),
	)
}

// postApp leads to the page on which the customer approves.
func (c *call) postApp(form url.Values) error {
	code := strings.ToUpper(strings.TrimSpace(form.Get("code")))
	request, err := AppRequest{}, outcome.ErrNotFound
	if len(code) == 6 {
		request, err = stored(c, AppRequest{Bank: c.Slug, Code: code})
	}
	if errors.Is(err, outcome.ErrNotFound) {
		return c.appPage(http.StatusUnprocessableEntity, "There is no request with this code.")
	}
	if err != nil {
		return fmt.Errorf("read app request: %w", err)
	}
	return layout.Redirect(c.w, c.Path()+"/authorise/"+request.AuthorisationID)
}

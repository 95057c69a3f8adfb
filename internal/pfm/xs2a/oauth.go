package xs2a

import (
	"cmp"
	"context"
	"encoding/asn1"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"aviso/internal/clock"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

const (
	// invalidGrant is the error for an invalid code or refresh token (RFC 6749 §5.2).
	invalidGrant = "invalid_grant"
	// renewBefore is how long a token must be valid when a sync begins: longer than a sync's lease.
	renewBefore = 5 * time.Minute
	// longestToken is the maximum lifetime of a token.
	longestToken = 365 * 24 * time.Hour
	// maxToken limits the size of tokens, so that a connection stays small.
	maxToken = 8 << 10
	// scopeAIS is the standard's scope, followed by the consent's ID if there is one.
	scopeAIS = "AIS"
)

var (
	errNoClientID = errors.New("no client ID: neither the provider nor a QWAC has one")
	errNoPKCE     = errors.New("authorization server does not support PKCE with S256")
	errBadToken   = errors.New("token response is malformed")
	errOtherBank  = errors.New("what is kept was issued for another base URL")
	errNotAnswer  = errors.New("answer does not name the authorization server that the user was sent to")
)

// memory is our sealed data about a consent: its tokens, and the state of its authorisation.
type memory struct {
	// BaseURL is the base URL of the bank, the only one that gets the token. It is empty in data of older versions.
	BaseURL string    `json:"baseUrl,omitempty"`
	Access  string    `json:"access,omitempty"`
	Refresh string    `json:"refresh,omitempty"`
	Expires time.Time `json:"expires,omitzero"`
	// ClientID and the addresses belong to the authorization server. NamesIssuer says that its responses name the
	// issuer.
	ClientID    string `json:"clientId,omitempty"`
	TokenURL    string `json:"tokenUrl,omitempty"`
	RevokeURL   string `json:"revokeUrl,omitempty"`
	Issuer      string `json:"issuer,omitempty"`
	NamesIssuer bool   `json:"namesIssuer,omitempty"`
	// Verifier and Callback belong to the authorization request in progress.
	Verifier string `json:"verifier,omitempty"`
	Callback string `json:"callback,omitempty"`
	// Identify is the address that gets the user's ID, with Method. Status is the address with the state of the user's
	// confirmation. Message is the bank's text for the user.
	Identify string `json:"identify,omitempty"`
	Method   string `json:"method,omitempty"`
	Status   string `json:"status,omitempty"`
	Message  string `json:"message,omitempty"`
	// Confirmation is the address that gets the code with which the bank sends the user back, or the token.
	Confirmation string `json:"confirmation,omitempty"`
}

// recall opens the session's secret for its bank.
func (c *Client) recall(bank pfm.BankEndpoint, s pfm.Session) (m memory, err error) {
	if s.Secret != "" {
		err = bankwire.Open(c.sealer, s, &m)
	}
	if err == nil && m.BaseURL != "" && m.BaseURL != bank.BaseURL {
		return memory{}, errOtherBank
	}
	return m, err
}

// remember changes the content of the session's secret.
func (c *Client) remember(bank pfm.BankEndpoint, s pfm.Session, change func(*memory)) (pfm.Session, error) {
	m, err := c.recall(bank, s)
	if err == nil {
		m.BaseURL = bank.BaseURL
		change(&m)
		s, err = bankwire.Sealed(c.sealer, s, m)
	}
	if err != nil {
		return s, bankwire.Failure(startAuthorisation, pfm.SupplierRejected, err)
	}
	return s, nil
}

// refusesToken reports whether the bank refuses the token of a session. The user must then authorise again.
func refusesToken(r request, status int, code string) bool {
	if r.session.Secret == "" || status != http.StatusUnauthorized || r.op == requestConsent {
		return false
	}
	return code == "" || strings.HasPrefix(code, "TOKEN_")
}

// tokenErrorCode returns the error of RFC 6749 §5.2. Other texts are dropped.
func tokenErrorCode(body []byte) string {
	var w struct {
		Error string `json:"error"`
	}
	known := []string{
		invalidGrant, "invalid_request", "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope",
	}
	if json.Unmarshal(body, &w) != nil || !slices.Contains(known, w.Error) {
		return ""
	}
	return w.Error
}

// clientID returns our ID at the bank's authorization server.
func (c *Client) clientID(ctx context.Context, bank pfm.BankEndpoint) (string, error) {
	if bank.SCA.ClientID != "" {
		return bank.SCA.ClientID, nil
	}
	if bank.TransportSecret == "" {
		return "", errNoClientID
	}
	cert, err := c.certificate(ctx, bank.TransportSecret)
	if err != nil {
		return "", err
	}
	organizationIdentifier := asn1.ObjectIdentifier{2, 5, 4, 97}
	for _, name := range cert.pair.Leaf.Subject.Names {
		if id, ok := name.Value.(string); ok && name.Type.Equal(organizationIdentifier) && id != "" {
			return id, nil
		}
	}
	return "", errNoClientID
}

// toAuthorizationServer sends the user to the bank's authorization server. Its metadata (RFC 8414) is at this address
// or at the provider's.
func (c *Client) toAuthorizationServer(
	ctx context.Context, a attempt, answer scaAnswer,
) (pfm.ConsentProgress, error) {
	id, err := c.clientID(ctx, a.bank)
	if err != nil {
		return pfm.ConsentProgress{}, bankwire.Failure(readMetadata, pfm.SupplierRejected, err)
	}
	var w struct {
		Issuer    string   `json:"issuer"`
		Authorize string   `json:"authorization_endpoint"`
		Token     string   `json:"token_endpoint"`
		Revoke    string   `json:"revocation_endpoint"`
		PKCE      []string `json:"code_challenge_methods_supported"`
		// NamesIssuer is a boolean in RFC 9207. Other types must not make the metadata unreadable.
		NamesIssuer any `json:"authorization_response_iss_parameter_supported"`
	}
	r := request{bank: a.bank, op: readMetadata, link: cmp.Or(a.bank.SCA.MetadataURL, answer.to), isToServer: true}
	err = c.do(ctx, r, &w, func(at *url.URL) error {
		// Many banks leave the member out, although the standard requires PKCE.
		if len(w.PKCE) > 0 && !slices.Contains(w.PKCE, "S256") {
			return errNoPKCE
		}
		parts := []*url.URL{at}
		if w.Issuer != "" { // without an issuer here, responses must not name one
			issuer, err := url.Parse(w.Issuer)
			if err != nil || !isIssuer(issuer, at) {
				return errIssuer
			}
			parts = append(parts, issuer)
		}
		for _, address := range []*string{&w.Authorize, &w.Token, &w.Revoke} {
			if address == &w.Revoke && w.Revoke == "" {
				continue
			}
			to, err := resolve(a.bank, at, *address) // the address may lack the host
			if err != nil {
				return err
			}
			*address, parts = to.String(), append(parts, to)
		}
		return c.checkServer(ctx, a.bank, parts)
	})
	if err != nil {
		return pfm.ConsentProgress{}, err
	}
	scope := scopeAIS
	if a.session.ConsentID != "" {
		scope += ":" + a.session.ConsentID
	}
	conf := oauth2.Config{
		ClientID: id, RedirectURL: a.req.CallbackURL, Scopes: []string{scope},
		Endpoint: oauth2.Endpoint{AuthURL: w.Authorize},
	}
	verifier := oauth2.GenerateVerifier()
	page := conf.AuthCodeURL(a.req.State, oauth2.S256ChallengeOption(verifier))
	return c.pause(a, pfm.Step{Kind: pfm.StepRedirect, URL: page, Once: true}, func(m *memory) {
		m.ClientID, m.TokenURL, m.RevokeURL, m.Issuer = id, w.Token, w.Revoke, w.Issuer
		m.NamesIssuer = w.NamesIssuer == true
		m.Verifier, m.Callback, m.Confirmation = verifier, a.req.CallbackURL, answer.confirmation
		m.Identify, m.Method = "", "" // the bank already knows the user
	})
}

// isAnswer reports whether the response comes from the server to which the user was sent (RFC 9207).
func (m memory) isAnswer(callback url.Values) bool {
	for _, name := range []string{"code", "error", "iss"} {
		if len(callback[name]) > 1 {
			return false
		}
	}
	if !callback.Has("iss") {
		return !m.NamesIssuer
	}
	return m.Issuer != "" && callback.Get("iss") == m.Issuer
}

// fromAuthorizationServer exchanges the user's code for a token.
func (c *Client) fromAuthorizationServer(
	ctx context.Context, a attempt, m memory,
) (pfm.ConsentProgress, error) {
	code, failure := a.answer.Callback.Get("code"), a.answer.Callback.Get("error")
	switch {
	case code == "" && failure != "access_denied":
		return pfm.ConsentProgress{Session: a.session}, nil
	case !m.isAnswer(a.answer.Callback):
		return pfm.ConsentProgress{}, bankwire.Failure(requestToken, pfm.SupplierRejected, errNotAnswer)
	case failure == "access_denied":
		return pfm.ConsentProgress{Session: a.session, Consent: pfm.Consent{State: pfm.ConsentRejected}}, nil
	}
	s, err := c.exchange(ctx, a.bank, a.session, requestToken, m, url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {m.Callback},
		"code_verifier": {m.Verifier},
	})
	if err != nil {
		return pfm.ConsentProgress{}, err
	}
	// The code is used up, so a temporary failure of the next call must not lose the token.
	a.session, a.answer = s, pfm.UserAnswer{}
	var progress pfm.ConsentProgress
	if s.ConsentID == "" {
		progress, err = c.newConsent(ctx, a)
	} else {
		c.confirm(ctx, a.bank, s, m, map[string]string{})
		progress, err = c.poll(ctx, a, memory{})
	}
	if e := pfm.FailureOf(err); e.Temporary() {
		return pfm.ConsentProgress{Session: s, Next: pfm.Step{Kind: pfm.StepWait}}, nil
	}
	return progress, err
}

// exchange exchanges a code or a refresh token for a token. It returns the session with the token.
func (c *Client) exchange(
	ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, op string, m memory, form url.Values,
) (pfm.Session, error) {
	form.Set("client_id", m.ClientID)
	var w struct {
		Access    string      `json:"access_token"`
		Type      string      `json:"token_type"`
		Refresh   string      `json:"refresh_token"`
		ExpiresIn json.Number `json:"expires_in"`
	}
	r := request{bank: bank, op: op, method: http.MethodPost, link: m.TokenURL, form: form, isToServer: true}
	err := c.do(ctx, r, &w, func(*url.URL) error {
		if !strings.EqualFold(w.Type, "Bearer") || !isToken(w.Access) || w.Refresh != "" && !isToken(w.Refresh) {
			return errBadToken
		}
		return nil
	})
	if err != nil {
		return s, err
	}
	expires := clock.Now(ctx, c.caller.Now)
	if seconds, err := w.ExpiresIn.Int64(); err == nil && seconds > 0 && seconds <= math.MaxInt32 {
		expires = expires.Add(min(time.Duration(seconds)*time.Second, longestToken))
	}
	return c.remember(bank, s, func(m *memory) {
		// Without a new refresh token, the old one remains valid.
		m.Access, m.Refresh, m.Expires = w.Access, cmp.Or(w.Refresh, m.Refresh), expires
		m.Verifier, m.Callback = "", ""
	})
}

// isToken reports whether a token can be sent in a header.
func isToken(s string) bool {
	return s != "" && len(s) <= maxToken && strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

// RenewSession implements pfm.Supplier. It renews a token that might expire during a sync, and seals old data with
// the current key.
func (c *Client) RenewSession(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) (pfm.Session, error) {
	if s.Secret == "" {
		return s, nil
	}
	m, err := c.recall(bank, s)
	if err != nil {
		return s, bankwire.Failure(renewToken, pfm.SupplierConsentInvalid, err)
	}
	if m.Refresh == "" || clock.Now(ctx, c.caller.Now).Before(m.Expires.Add(-renewBefore)) {
		return bankwire.Resealed(c.sealer, s), nil
	}
	return c.exchange(ctx, bank, s, renewToken, m, url.Values{
		"grant_type": {"refresh_token"}, "refresh_token": {m.Refresh},
	})
}

// revoke revokes the session's tokens, if the bank supports that (RFC 7009). A failure does not matter, because
// tokens are useless without the consent.
func (c *Client) revoke(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) {
	m, err := c.recall(bank, s)
	if err != nil || m.RevokeURL == "" {
		return
	}
	for kind, token := range map[string]string{"refresh_token": m.Refresh, "access_token": m.Access} {
		if token != "" {
			form := url.Values{"token": {token}, "token_type_hint": {kind}, "client_id": {m.ClientID}}
			r := request{
				bank: bank, op: revokeToken, method: http.MethodPost, link: m.RevokeURL, form: form, isToServer: true,
			}
			_ = c.do(ctx, r, nil, nil)
		}
	}
}

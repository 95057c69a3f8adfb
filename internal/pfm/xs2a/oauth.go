package xs2a

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"aviso/internal/clock"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

const (
	// invalidGrant is the error of a code or refresh token that is void (RFC 6749 §5.2).
	invalidGrant = "invalid_grant"
	// renewBefore is how long a token must last when a sync begins: longer than a sync's
	// lease.
	renewBefore = 5 * time.Minute
	// longestToken bounds the life that a bank may give a token.
	longestToken = 365 * 24 * time.Hour
	// maxToken bounds tokens, so that a connection with one stays small.
	maxToken = 8 << 10
	// scopeAIS is the standard's scope, followed by the consent's ID if there is one.
	scopeAIS = "AIS"
)

var (
	errNoClientID = errors.New("no client ID: neither the provider nor a QWAC has one")
	errNoPKCE     = errors.New("authorization server does not support PKCE with S256")
	errBadToken   = errors.New("token response is malformed")
)

// memory is what we keep, sealed, about a consent: its tokens, and how its authorisation
// goes on.
type memory struct {
	Access  string    `json:"access,omitempty"`
	Refresh string    `json:"refresh,omitempty"`
	Expires time.Time `json:"expires,omitzero"`
	// ClientID and the addresses are those of the authorization server.
	ClientID  string `json:"clientId,omitempty"`
	TokenURL  string `json:"tokenUrl,omitempty"`
	RevokeURL string `json:"revokeUrl,omitempty"`
	Issuer    string `json:"issuer,omitempty"`
	// Verifier and Callback belong to the authorization request in progress.
	Verifier string `json:"verifier,omitempty"`
	Callback string `json:"callback,omitempty"`
	// Identify is where the user's ID goes, with Method. Status says how the user's
	// confirmation stands, and Message is the bank's text for the user.
	Identify string `json:"identify,omitempty"`
	Method   string `json:"method,omitempty"`
	Status   string `json:"status,omitempty"`
	Message  string `json:"message,omitempty"`
}

// recall opens the session's secret.
func (c *Client) recall(s pfm.Session) (m memory, err error) {
	if s.Secret != "" {
		err = bankwire.Open(c.sealer, s, &m)
	}
	return m, err
}

// remember changes what the session's secret holds.
func (c *Client) remember(s pfm.Session, change func(*memory)) (pfm.Session, error) {
	m, err := c.recall(s)
	if err == nil {
		change(&m)
		s, err = bankwire.Sealed(c.sealer, s, m)
	}
	if err != nil {
		return s, bankwire.Failure(startAuthorisation, pfm.SupplierRejected, 0, err)
	}
	return s, nil
}

// authorised adds the session's token to the request.
func (c *Client) authorised(r request) (request, error) {
	m, err := c.recall(r.session)
	if err != nil || m.Access == "" {
		return r, err
	}
	header := map[string]string{"Authorization": "Bearer " + m.Access}
	maps.Copy(header, r.header)
	r.header = header
	return r, nil
}

// refusesToken reports whether the bank refuses the token of a session, so that the user
// has to authorise again.
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

// server is an authorization server.
type server struct{ authorize, token, revoke, issuer string }

// discover reads the metadata of an authorization server (RFC 8414).
func (c *Client) discover(ctx context.Context, bank pfm.BankEndpoint, metadata string) (server, error) {
	var found server
	r := request{bank: bank, op: readMetadata, method: http.MethodGet, link: metadata}
	err := c.do(ctx, r, func(at *url.URL, body []byte) error {
		var w struct {
			Issuer    string   `json:"issuer"`
			Authorize string   `json:"authorization_endpoint"`
			Token     string   `json:"token_endpoint"`
			Revoke    string   `json:"revocation_endpoint"`
			PKCE      []string `json:"code_challenge_methods_supported"`
		}
		if err := bankwire.Unmarshal(body, &w); err != nil {
			return err
		}
		// Many banks leave the member out, although the standard requires PKCE.
		if len(w.PKCE) > 0 && !slices.Contains(w.PKCE, "S256") {
			return errNoPKCE
		}
		addresses := []*string{&w.Authorize, &w.Token}
		if w.Revoke != "" {
			addresses = append(addresses, &w.Revoke)
		}
		for _, address := range addresses {
			to, err := resolve(bank, at, *address) // it may lack the host
			if err != nil {
				return err
			}
			*address = to.String()
		}
		found = server{w.Authorize, w.Token, w.Revoke, w.Issuer}
		return nil
	})
	return found, err
}

// clientID returns our ID at the bank's authorization server.
func (c *Client) clientID(ctx context.Context, bank pfm.BankEndpoint) (string, error) {
	if bank.SCA.ClientID != "" {
		return bank.SCA.ClientID, nil
	}
	if bank.TransportSecret == "" {
		return "", errNoClientID
	}
	cert, err := c.certificates.get(ctx, bank.TransportSecret)
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

// toAuthorizationServer sends the user to the bank's authorization server, whose metadata is
// at this address or where the provider says.
func (c *Client) toAuthorizationServer(
	ctx context.Context, bank pfm.BankEndpoint, req pfm.ConsentRequest, s pfm.Session, metadata string,
) (pfm.ConsentProgress, error) {
	fail := func(err error) (pfm.ConsentProgress, error) {
		return pfm.ConsentProgress{}, bankwire.Failure(readMetadata, pfm.SupplierRejected, 0, err)
	}
	id, err := c.clientID(ctx, bank)
	if err != nil {
		return fail(err)
	}
	found, err := c.discover(ctx, bank, cmp.Or(bank.SCA.MetadataURL, metadata))
	if err != nil {
		return pfm.ConsentProgress{}, err
	}
	page, err := url.Parse(found.authorize)
	if err != nil {
		return fail(errBadLink)
	}
	verifier := rand.Text() + rand.Text()
	challenge := sha256.Sum256([]byte(verifier))
	scope := scopeAIS
	if s.ConsentID != "" {
		scope += ":" + s.ConsentID
	}
	q := page.Query()
	for name, value := range map[string]string{
		"response_type": "code", "client_id": id, "redirect_uri": req.CallbackURL, "scope": scope, "state": req.State,
		"code_challenge_method": "S256", "code_challenge": base64.RawURLEncoding.EncodeToString(challenge[:]),
	} {
		q.Set(name, value)
	}
	page.RawQuery = q.Encode()
	s, err = c.remember(s, func(m *memory) {
		m.ClientID, m.TokenURL, m.RevokeURL, m.Issuer = id, found.token, found.revoke, found.issuer
		m.Verifier, m.Callback = verifier, req.CallbackURL
		m.Identify, m.Method = "", "" // the bank knows who the user is
	})
	next := pfm.Step{Kind: pfm.StepRedirect, URL: page.String(), Once: true}
	return pfm.ConsentProgress{Session: s, Next: next}, err
}

// fromAuthorizationServer exchanges the code with which the user comes back for a token.
func (c *Client) fromAuthorizationServer(
	ctx context.Context, bank pfm.BankEndpoint, req pfm.ConsentRequest, s pfm.Session, m memory, a pfm.UserAnswer,
) (pfm.ConsentProgress, error) {
	code, issuer := a.Callback.Get("code"), a.Callback.Get("iss")
	switch {
	case a.Callback.Get("error") == "access_denied":
		return pfm.ConsentProgress{Session: s, Consent: pfm.Consent{State: pfm.ConsentRejected}}, nil
	case code == "", issuer != "" && m.Issuer != "" && issuer != m.Issuer: // RFC 9207: another server's answer
		return pfm.ConsentProgress{Session: s}, nil
	}
	token, err := c.token(ctx, bank, requestToken, m, url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {m.Callback},
		"code_verifier": {m.Verifier},
	})
	if err != nil {
		return pfm.ConsentProgress{}, err
	}
	s, err = c.remember(s, func(m *memory) {
		m.Access, m.Refresh, m.Expires = token.Access, token.Refresh, token.Expires
		m.Verifier, m.Callback = "", ""
	})
	if err != nil {
		return pfm.ConsentProgress{}, err
	}
	// The code is used. What the bank cannot do or say now, it can later.
	var progress pfm.ConsentProgress
	if s.ConsentID == "" {
		progress, err = c.newConsent(ctx, bank, req, s, pfm.UserAnswer{})
	} else {
		progress, err = c.poll(ctx, bank, s, memory{})
	}
	if e := pfm.FailureOf(err); e.Temporary() {
		return pfm.ConsentProgress{Session: s, Next: pfm.Step{Kind: pfm.StepWait}}, nil
	}
	return progress, err
}

// token calls the token endpoint.
func (c *Client) token(
	ctx context.Context, bank pfm.BankEndpoint, op operation, m memory, form url.Values,
) (memory, error) {
	form.Set("client_id", m.ClientID)
	var token memory
	r := request{bank: bank, op: op, method: http.MethodPost, link: m.TokenURL, form: form}
	err := c.do(ctx, r, func(_ *url.URL, body []byte) error {
		var w struct {
			Access    string      `json:"access_token"`
			Type      string      `json:"token_type"`
			Refresh   string      `json:"refresh_token"`
			ExpiresIn json.Number `json:"expires_in"`
		}
		if bankwire.Unmarshal(body, &w) != nil || !strings.EqualFold(w.Type, "Bearer") || !isToken(w.Access) ||
			w.Refresh != "" && !isToken(w.Refresh) {
			return errBadToken
		}
		token = memory{Access: w.Access, Refresh: w.Refresh, Expires: clock.Now(ctx, c.caller.Now)}
		if seconds, err := w.ExpiresIn.Int64(); err == nil && seconds > 0 && seconds <= math.MaxInt32 {
			token.Expires = clock.Now(ctx, c.caller.Now).Add(min(time.Duration(seconds)*time.Second, longestToken))
		}
		return nil
	})
	return token, err
}

// isToken reports whether a token can be sent in a header.
func isToken(s string) bool {
	return s != "" && len(s) <= maxToken && strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

// RenewSession implements pfm.Supplier. It renews a token that might end during a sync, and
// seals with the current key what an older one sealed.
func (c *Client) RenewSession(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) (pfm.Session, error) {
	if s.Secret == "" {
		return s, nil
	}
	m, err := c.recall(s)
	if err != nil {
		return s, bankwire.Failure(renewToken, pfm.SupplierConsentInvalid, 0, err)
	}
	if m.Refresh == "" || clock.Now(ctx, c.caller.Now).Before(m.Expires.Add(-renewBefore)) {
		return bankwire.Resealed(c.sealer, s), nil
	}
	token, err := c.token(ctx, bank, renewToken, m, url.Values{
		"grant_type": {"refresh_token"}, "refresh_token": {m.Refresh},
	})
	if err != nil {
		return s, err
	}
	return c.remember(s, func(m *memory) {
		m.Access, m.Expires = token.Access, token.Expires
		if token.Refresh != "" { // else the old one still works
			m.Refresh = token.Refresh
		}
	})
}

// revoke revokes the session's tokens, if the bank offers that (RFC 7009). Without the
// consent they are worth nothing, so a failure does not matter.
func (c *Client) revoke(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) {
	m, err := c.recall(s)
	if err != nil || m.RevokeURL == "" {
		return
	}
	for kind, token := range map[string]string{"refresh_token": m.Refresh, "access_token": m.Access} {
		if token != "" {
			form := url.Values{"token": {token}, "token_type_hint": {kind}, "client_id": {m.ClientID}}
			r := request{bank: bank, op: revokeToken, method: http.MethodPost, link: m.RevokeURL, form: form}
			_ = c.do(ctx, r, nil)
		}
	}
}

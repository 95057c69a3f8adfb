package console_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/console"
	"aviso/localstack/tests/clocktest"
)

// issuer is an OpenID Connect provider. It knows one person, who approves at once.
type issuer struct {
	*httptest.Server
	clock *clocktest.Clock
	algo  jose.SignatureAlgorithm
	key   crypto.Signer
	// published is the key that the issuer tells.
	published crypto.PublicKey
	claims    map[string]any // replace the usual ones
	codes     map[string]url.Values
	down      bool
	refuses   bool
}

func newKey(t *testing.T, algo jose.SignatureAlgorithm) (key crypto.Signer) {
	t.Helper()
	var err error
	if algo == jose.ES256 {
		key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	} else {
		key, err = rsa.GenerateKey(rand.Reader, 2048)
	}
	require.NoError(t, err)
	return key
}

func newIssuer(t *testing.T, algo jose.SignatureAlgorithm) *issuer {
	t.Helper()
	i := &issuer{algo: algo, claims: map[string]any{}, codes: map[string]url.Values{}}
	i.key = newKey(t, algo)
	i.published = i.key.Public()
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		if i.down {
			http.Error(w, "down", http.StatusServiceUnavailable)
			return
		}
		writeJSON(w, map[string]any{
			"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token",
			"jwks_uri": i.URL + "/keys", "id_token_signing_alg_values_supported": []string{string(algo)},
		})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: i.published, KeyID: "k", Algorithm: string(algo), Use: "sig"}}})
	})
	mux.HandleFunc("/token", i.token)
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	return i
}

func writeJSON(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

// approve is the person who approves: it returns where the browser goes then.
func (i *issuer) approve(t *testing.T, authorize string) string {
	t.Helper()
	u, err := url.Parse(authorize)
	require.NoError(t, err)
	assert.Equal(t, i.URL+"/authorize", u.Scheme+"://"+u.Host+u.Path)
	q := u.Query()
	assert.Equal(t, "console", q.Get("client_id"))
	assert.Equal(t, "S256", q.Get("code_challenge_method"))
	back, err := url.Parse(q.Get("redirect_uri"))
	require.NoError(t, err)
	answer := url.Values{"state": {q.Get("state")}}
	if i.refuses {
		answer.Set("error", "access_denied")
	} else {
		i.codes["code"] = q
		answer.Set("code", "code")
	}
	return back.Path + "?" + answer.Encode()
}

// token exchanges a code once, for whoever knows the verifier and the client secret.
func (i *issuer) token(w http.ResponseWriter, r *http.Request) {
	asked, known := i.codes[r.FormValue("code")]
	delete(i.codes, r.FormValue("code"))
	client, secret, _ := r.BasicAuth()
	secret, _ = url.QueryUnescape(secret) // RFC 6749 §2.3.1
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if !known || client != "console" || secret != "a secret" || r.FormValue("redirect_uri") != asked.Get("redirect_uri") ||
		base64.RawURLEncoding.EncodeToString(sum[:]) != asked.Get("code_challenge") {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"invalid_grant"}`)
		return
	}
	now := i.clock.Now()
	claims := map[string]any{
		"iss": i.URL, "aud": "console", "sub": "4711", "email": "erika@alpha.example", "nonce": asked.Get("nonce"),
		"iat": now.Unix(), "exp": now.Add(time.Minute).Unix(), "groups": []string{"others", "alpha-admins"},
	}
	maps.Copy(claims, i.claims)
	token := ""
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: i.algo, Key: jose.JSONWebKey{Key: i.key, KeyID: "k"}}, nil)
	if err == nil {
		token, err = jwt.Signed(signer).Claims(claims).Serialize()
	}
	if err != nil {
		panic(err)
	}
	writeJSON(w, map[string]any{"access_token": "x", "token_type": "Bearer", "id_token": token})
}

// newIssuedWorld is a world without client secrets, in which people sign in at the issuer.
func newIssuedWorld(t *testing.T, i *issuer) *world {
	t.Helper()
	w := openWorld(t, func(o *console.Options) {
		var err error
		o.Stage = "production"
		o.Provider, err = console.ParseProvider(`{"issuer": "`+i.URL+`", "clientId": "console", "clientSecret": "a secret",
		"groups": {"alpha-admins": {"partner": "alpha", "role": "admin"}, "alpha-readers": {"partner": "alpha", "role": "viewer"},
		"beta-readers": {"partner": "beta", "role": "viewer"}, "gone": {"partner": "gone", "role": "viewer"}}}`, o.Now)
		require.NoError(t, err)
	})
	i.clock = w.clock
	return w
}

// walkThrough signs in at the issuer and returns the last answer.
func (v *visitor) walkThrough(t *testing.T, i *issuer) answer {
	t.Helper()
	res := v.get(t, "/console/sign-in/provider?next=/console/audit")
	require.Equal(t, http.StatusSeeOther, res.StatusCode, res.body)
	return v.get(t, i.approve(t, res.Header.Get("Location")))
}

func TestSignInAtTheIssuer(t *testing.T) {
	t.Parallel()
	for _, algo := range []jose.SignatureAlgorithm{jose.RS256, jose.ES256} {
		t.Run(string(algo), func(t *testing.T) {
			t.Parallel()
			i := newIssuer(t, algo)
			w := newIssuedWorld(t, i)
			v := w.visitor()
			assert.Contains(t, v.get(t, "/console/sign-in").body, "Continue with 127.0.0.1")
			res := v.walkThrough(t, i)
			assert.Equal(t, "/console/audit", res.Header.Get("Location"), w.log)
			res = v.get(t, "/console/audit")
			assert.Equal(t, http.StatusOK, res.StatusCode)
			assert.Contains(t, res.body, "erika@alpha.example, admin")
			assert.Len(t, v.cookies, 1, "what the sign-in needed is gone")
			entries := w.entries(t, "alpha")
			require.Len(t, entries, 1)
			assert.Equal(t, "sign-in by erika@alpha.example", entries[0].Action+" by "+entries[0].Who)
		})
	}
}

func TestGroupsGiveTheRole(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		groups any
		shows  string
	}{
		"one group as a text":   {"alpha-readers", "erika@alpha.example, viewer"},
		"the highest role":      {[]string{"alpha-readers", "alpha-admins"}, "erika@alpha.example, admin"},
		"the other partner":     {[]string{"beta-readers"}, "BETA GmbH"},
		"no group":              {nil, "in none of the groups"},
		"an unknown group":      {[]string{"others"}, "to add you to one, or the operator of Aviso to admit your group"},
		"groups of two":         {[]string{"alpha-readers", "beta-readers"}, "more than one partner"},
		"a partner that is not": {[]string{"gone"}, "the partner gone, which is not active"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := newIssuer(t, jose.ES256)
			w := newIssuedWorld(t, i)
			i.claims["groups"] = test.groups
			v := w.visitor()
			res := v.walkThrough(t, i)
			if res.StatusCode == http.StatusSeeOther {
				res = v.get(t, "/console")
			} else {
				assert.Equal(t, http.StatusForbidden, res.StatusCode)
				assert.NotContains(t, v.cookies, console.SessionCookie)
			}
			assert.Contains(t, res.body, test.shows)
		})
	}
}

func TestIssuersAnswersAreChecked(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		spoil  func(i *issuer)
		status int
		says   string
	}{
		"another nonce":      {func(i *issuer) { i.claims["nonce"] = "x" }, http.StatusBadGateway, "another nonce"},
		"no nonce":           {func(i *issuer) { i.claims["nonce"] = nil }, http.StatusBadGateway, "another nonce"},
		"another audience":   {func(i *issuer) { i.claims["aud"] = "another client" }, http.StatusBadGateway, "audience"},
		"another issuer":     {func(i *issuer) { i.claims["iss"] = "https://evil.example" }, http.StatusBadGateway, "different provider"},
		"an expired token":   {func(i *issuer) { i.claims["exp"] = i.clock.Now().Add(-time.Minute).Unix() }, http.StatusBadGateway, "expired"},
		"another key":        {func(i *issuer) { i.published = newKey(t, jose.ES256).Public() }, http.StatusBadGateway, "signature"},
		"a code used before": {func(i *issuer) { clear(i.codes) }, http.StatusBadRequest, ""},
		"a refusal":          {func(i *issuer) { i.refuses = true }, http.StatusForbidden, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := newIssuer(t, jose.ES256)
			w := newIssuedWorld(t, i)
			v := w.visitor()
			authorize := v.get(t, "/console/sign-in/provider").Header.Get("Location")
			i.refuses = name == "a refusal"
			back := i.approve(t, authorize)
			test.spoil(i)
			res := v.get(t, back)
			assert.Equal(t, test.status, res.StatusCode, res.body)
			assert.Contains(t, w.log.String(), test.says)
			assert.NotContains(t, v.cookies, console.SessionCookie)
			assert.Empty(t, w.entries(t, "alpha"))
		})
	}
}

func TestSignInsRunOut(t *testing.T) {
	t.Parallel()
	i := newIssuer(t, jose.ES256)
	w := newIssuedWorld(t, i)
	v := w.visitor()
	back := i.approve(t, v.get(t, "/console/sign-in/provider").Header.Get("Location"))
	res := w.visitor().get(t, back)
	assert.Equal(t, http.StatusBadRequest, res.StatusCode, "another browser")
	res = v.get(t, back+"&iss=https://evil.example")
	assert.Equal(t, http.StatusBadRequest, res.StatusCode, "another issuer's answer")
	res = v.get(t, "/console/sign-in/callback?state=x&code=code")
	assert.Equal(t, http.StatusBadRequest, res.StatusCode, "another state")
	w.later(10 * time.Minute)
	res = v.get(t, back)
	assert.Equal(t, http.StatusBadRequest, res.StatusCode, "too late")
	assert.Contains(t, res.body, "Sign in again")
}

func TestIssuerIsDown(t *testing.T) {
	t.Parallel()
	i := newIssuer(t, jose.ES256)
	w := newIssuedWorld(t, i)
	i.down = true
	v := w.visitor()
	res := v.get(t, "/console/sign-in/provider")
	assert.Equal(t, http.StatusBadGateway, res.StatusCode)
	assert.Contains(t, res.body, "did not answer as it should")
	i.down = false
	assert.Equal(t, http.StatusSeeOther, v.walkThrough(t, i).StatusCode, "it is asked again")
}

func TestProviderConfig(t *testing.T) {
	t.Parallel()
	groups := `"groups": {"g": {"partner": "alpha", "role": "admin"}}`
	for text, want := range map[string]string{
		`no JSON, and a secret`: "not a JSON object",
		`{"issuer": "http://login.example.com", "clientId": "c", ` + groups + `}`:                                            "https",
		`{"clientId": "c", ` + groups + `}`:                                                                                  "https",
		`{"issuer": "https://login.example.com", ` + groups + `}`:                                                            "clientId",
		`{"issuer": "https://login.example.com", "clientId": "c"}`:                                                           "groups",
		`{"issuer": "https://login.example.com", "clientId": "c", "groups": {"g": {"partner": "alpha", "role": "root"}}}`:    "viewer, developer or admin",
		`{"issuer": "https://login.example.com", "clientId": "c", "groups": {"g": {"partner": "a#U#b", "role": "viewer"}}}`:  "needs a partner",
		`{"issuer": "https://login.example.com", "clientId": "c", "clientSecret": "hunter2", "groups": {"g": {"role": ""}}}`: "needs a partner",
	} {
		_, err := console.ParseProvider(text, time.Now)
		require.ErrorContains(t, err, want)
		assert.NotContains(t, err.Error(), "hunter2")
	}
}

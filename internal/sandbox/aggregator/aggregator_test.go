package aggregator_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/sandbox/aggregator"
	"aviso/internal/sandbox/sandboxdb"
	"aviso/localstack/tests/clocktest"
	"aviso/localstack/tests/testenv"
)

// Package enablebanking tests with its client what a well-behaved client sees. These
// tests are about the others.

const application, callback = "1f0c7a3e-0d54-4f0e-8d3c-5a1b2c3d4e5f", "https://aviso.example/connect/callback"

type world struct {
	*testing.T
	key    *rsa.PrivateKey
	clock  *clocktest.Clock
	server *httptest.Server
	// told is what the service says what time it is for the user.
	told string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, clock: clocktest.New()}
	var err error
	w.key, err = rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	public, err := x509.MarshalPKIXPublicKey(w.key.Public())
	require.NoError(t, err)
	store := sandboxdb.New(testenv.DynamoDB(t), testenv.Table(t, "SandboxTable"), w.clock.Now)
	require.NoError(t, aggregator.Register(t.Context(), store, aggregator.Application{
		ID: application, PublicKey: public, RedirectURLs: []string{callback}, Registered: w.clock.Now(),
	}))
	w.server = httptest.NewServer(aggregator.New(aggregator.Options{
		Store: store, Now: w.clock.Now, NewID: uuid.NewString, Log: slog.New(slog.DiscardHandler),
	}))
	t.Cleanup(w.server.Close)
	return w
}

// token returns a token with these members besides, or instead of, the right ones.
func (w *world) token(header, claims map[string]any) string {
	now := w.clock.Now().Unix()
	h := map[string]any{"typ": "JWT", "alg": "RS256", "kid": application}
	c := map[string]any{"iss": "enablebanking.com", "aud": "api.enablebanking.com", "iat": now, "exp": now + 3600}
	maps.Copy(h, header)
	maps.Copy(c, claims)
	var parts []string
	for _, part := range []map[string]any{h, c} {
		text, err := json.Marshal(part)
		require.NoError(w, err)
		parts = append(parts, base64.RawURLEncoding.EncodeToString(text))
	}
	signed := strings.Join(parts, ".")
	sum := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(nil, w.key, crypto.SHA256, sum[:])
	require.NoError(w, err)
	return signed + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// call returns the status and the body of a call. psu are headers.
func (w *world) call(token, method, path, body string, psu ...string) (int, map[string]any) {
	w.Helper()
	req, err := http.NewRequestWithContext(w.Context(), method, w.server.URL+aggregator.Path+path, strings.NewReader(body))
	require.NoError(w, err)
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	req.Header.Set(clock.Header, w.told)
	for _, name := range psu {
		req.Header.Set(name, "x")
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(w, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(w, err)
	var answer map[string]any
	require.NoError(w, json.Unmarshal(text, &answer), string(text))
	return resp.StatusCode, answer
}

func TestTokens(t *testing.T) {
	w := newWorld(t)
	now := w.clock.Now().Unix()
	for name, c := range map[string]struct {
		token  string
		status int
	}{
		"right":                       {w.token(nil, nil), 200},
		"of a day":                    {w.token(nil, map[string]any{"exp": now + 86_400}), 200},
		"none":                        {"", 401},
		"not one":                     {"x", 401},
		"another application":         {w.token(map[string]any{"kid": "other"}, nil), 403},
		"another algorithm":           {w.token(map[string]any{"alg": "none"}, nil), 401},
		"for somebody else":           {w.token(nil, map[string]any{"aud": "x"}), 401},
		"from somebody else":          {w.token(nil, map[string]any{"iss": "x"}), 401},
		"expired":                     {w.token(nil, map[string]any{"iat": now - 100, "exp": now - 1}), 401},
		"too long":                    {w.token(nil, map[string]any{"exp": now + 86_401}), 401},
		"from the future":             {w.token(nil, map[string]any{"iat": now + 600, "exp": now + 700}), 401},
		"changed after the signature": {strings.Replace(w.token(nil, nil), ".", ".e30", 1), 401},
	} {
		t.Run(name, func(t *testing.T) {
			status, answer := w.call(c.token, http.MethodGet, "/aspsps", "")
			assert.Equal(t, c.status, status, answer)
			assert.NotContains(t, answer, "error", "such refusals have no code")
		})
	}
}

// auth is the body of POST /auth with one member replaced.
func (w *world) auth(name string, value any) string {
	body := map[string]any{
		"access": map[string]any{"valid_until": w.clock.Now().Add(89 * 24 * time.Hour)}, "state": "s", "psu_type": "personal",
		"aspsp": map[string]any{"name": "Silbertal Bank", "country": "AT"}, "redirect_url": callback,
	}
	body[name] = value
	text, err := json.Marshal(body)
	require.NoError(w, err)
	return string(text)
}

func TestAuthRefusals(t *testing.T) {
	w := newWorld(t)
	tooLong := map[string]any{"valid_until": w.clock.Now().Add(90*24*time.Hour + time.Second)}
	for body, code := range map[string]string{
		w.auth("access", tooLong):                            "WRONG_REQUEST_PARAMETERS",
		w.auth("state", ""):                                  "WRONG_REQUEST_PARAMETERS",
		w.auth("psu_type", nil):                              "WRONG_REQUEST_PARAMETERS",
		w.auth("redirect_url", callback+"?x=1"):              "REDIRECT_URI_NOT_ALLOWED",
		w.auth("aspsp", map[string]any{"name": "Silbertal"}): "WRONG_ASPSP_PROVIDED",
		`[`: "WRONG_REQUEST_PARAMETERS",
	} {
		status, answer := w.call(w.token(nil, nil), http.MethodPost, "/auth", body)
		assert.Equal(t, 422, status)
		assert.Equal(t, code, answer["error"], body)
	}
}

// connect returns the ID of an account in a new session in Austria.
func (w *world) connect() string {
	w.Helper()
	_, started := w.call(w.token(nil, nil), http.MethodPost, "/auth", w.auth("state", "s"))
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := browser.PostForm(started["url"].(string), url.Values{"persona": {"anna"}, "decision": {"approve"}})
	require.NoError(w, err)
	require.NoError(w, resp.Body.Close())
	to, err := resp.Location()
	require.NoError(w, err)
	_, session := w.call(w.token(nil, nil), http.MethodPost, "/sessions", `{"code":"`+to.Query().Get("code")+`"}`)
	return session["accounts"].([]any)[0].(map[string]any)["uid"].(string)
}

func TestDataRefusals(t *testing.T) {
	w := newWorld(t)
	account := "/accounts/" + w.connect()
	from := "?date_from=" + w.clock.Now().AddDate(0, 0, -30).Format(time.DateOnly)
	_, page := w.call(w.token(nil, nil), http.MethodGet, account+"/transactions"+from, "")
	assert.Len(t, page["transactions"], 2)
	key := url.QueryEscape(page["continuation_key"].(string))
	_, next := w.call(w.token(nil, nil), http.MethodGet, account+"/transactions"+from+"&continuation_key="+key, "")
	assert.Empty(t, next["transactions"])
	assert.NotNil(t, next["continuation_key"], "an empty page is not the end")

	for name, c := range map[string]struct{ path, psu, code string }{
		"other parameters with a key": {account + "/transactions?continuation_key=" + key, "", "WRONG_REQUEST_PARAMETERS"},
		"a bad key":                   {account + "/transactions" + from + "&continuation_key=x", "", "WRONG_CONTINUATION_KEY"},
		"the future":                  {account + "/transactions?date_from=2999-01-01", "", "DATE_FROM_IN_FUTURE"},
		"long ago":                    {account + "/transactions?date_from=2023-01-01", "", "WRONG_TRANSACTIONS_PERIOD"},
		"no account":                  {"/accounts/x/details", "", "ACCOUNT_DOES_NOT_EXIST"},
		"no session":                  {"/sessions/x", "", "SESSION_DOES_NOT_EXIST"},
		"half of the headers":         {account + "/balances", "Psu-Referer", "PSU_HEADER_NOT_PROVIDED"},
	} {
		t.Run(name, func(t *testing.T) {
			var psu []string
			if c.psu != "" {
				psu = append(psu, c.psu)
			}
			_, answer := w.call(w.token(nil, nil), http.MethodGet, c.path, "", psu...)
			assert.Equal(t, c.code, answer["error"])
		})
	}
}

func TestTheAggregatorFollowsTheUsersTime(t *testing.T) {
	w := newWorld(t)
	other, account := "/accounts/"+w.connect(), "/accounts/"+w.connect()
	newest := func(account string) string {
		status, page := w.call(w.token(nil, nil), http.MethodGet, account+"/balances", "")
		if status != http.StatusOK {
			return page["error"].(string)
		}
		return page["balances"].([]any)[0].(map[string]any)["reference_date"].(string)
	}
	in := func(days int) string {
		day := w.clock.Now().UTC().AddDate(0, 0, days)
		w.told = day.Format("2006-01-02T15:04:05.000Z")
		return day.Format(time.DateOnly)
	}
	for range 4 {
		newest(account)
	}
	assert.Equal(t, "ASPSP_RATE_LIMIT_EXCEEDED", newest(account), "that was all for a day")
	today := in(1)
	assert.Equal(t, today, newest(account))
	today = in(40)
	assert.Equal(t, today, newest(account))
	_, page := w.call(w.token(nil, nil), http.MethodGet, account+"/transactions?date_from="+w.clock.Now().Format(time.DateOnly), "")
	assert.NotEmpty(t, page["transactions"], "the persona goes on living")
	in(90)
	assert.Equal(t, "EXPIRED_SESSION", newest(account))

	w.told = ""
	assert.Equal(t, w.clock.Now().UTC().Format(time.DateOnly), newest(other))

	in(365)
	_, started := w.call(w.token(nil, nil), http.MethodPost, "/auth", w.auth("access", map[string]any{
		"valid_until": w.clock.Now().AddDate(0, 0, 365+89),
	}))
	assert.Contains(t, started["url"], "/auth/", "89 days of the user's time")
}

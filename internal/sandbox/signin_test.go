package sandbox_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apigateway"
	"aviso/internal/sandbox"
	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/mailroom/mailroomtest"
	"aviso/internal/sandbox/sandboxdb"
	"aviso/localstack/tests/testenv"
)

// shared is a sandbox that partners share, behind API Gateway's adapter and HTTPS.
type shared struct {
	*testing.T
	server *httptest.Server
	store  mailroom.Store
	// asked counts the calls of the token endpoint.
	asked atomic.Int32
	// now is the time in seconds after the start.
	now atomic.Int64
}

func newShared(t *testing.T) *shared {
	t.Helper()
	s := &shared{T: t}
	clock := func() time.Time { return mailroomtest.Start().Add(time.Duration(s.now.Load()) * time.Second) }
	db, table := testenv.DynamoDB(t), testenv.Table(t, "SandboxTable")
	s.store = mailroom.Store{Store: sandboxdb.New(db, table, clock)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /oauth2/token", func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		id, secret, _ := r.BasicAuth()
		switch {
		case id == "down":
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.PostFormValue("grant_type") != "client_credentials" || secret != url.QueryEscape(id+"+secret"):
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	s.server = httptest.NewUnstartedServer(mux)
	s.server.StartTLS()
	t.Cleanup(s.server.Close)
	tokens := httptest.NewServer(mux) // the sandbox does not trust the certificate
	t.Cleanup(tokens.Close)
	handler := sandbox.New(sandbox.Options{
		DynamoDB: db, Table: table, BaseURL: tokens.URL, SessionKey: []byte("a key of the test"), Now: clock,
		Log: slog.New(slog.DiscardHandler), Scheduler: noSteps{}, Post: mailroomtest.Post(), Fax: mailroomtest.Fax(),
	})
	function := apigateway.Handler(handler)
	mux.HandleFunc("/sandbox/", func(w http.ResponseWriter, r *http.Request) { lambda(t, function, w, r) })
	return s
}

// letter stores a letter of a partner.
func (s *shared) letter(partner, to string) mailroom.Letter {
	s.Helper()
	id := map[string]string{"one": "1", "two": "2", "": "3"}[partner]
	l := mailroom.Letter{
		ID: "0198c2f4-7a33-7c1e-9d51-5f0a1b2c3d4" + id, Carrier: mailroom.Post, How: mailroom.Mail, State: "submitted",
		To: to, Partner: partner, HasFile: true, Pages: 1, CreatedAt: mailroomtest.Start(), UpdatedAt: mailroomtest.Start(),
	}
	document := mailroom.Document{LetterID: l.ID, Content: []byte("%PDF-1.7 " + to), Forget: l.KeepUntil()}
	require.NoError(s, s.store.Save(s.Context(), l, document))
	return l
}

// browser is a new one, which follows no redirects.
func (s *shared) browser() *http.Client {
	jar, err := cookiejar.New(nil)
	require.NoError(s, err)
	client := *s.server.Client()
	client.Jar = jar
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

func (s *shared) get(c *http.Client, path string) (*http.Response, string) {
	s.Helper()
	res, err := c.Get(s.server.URL + path)
	require.NoError(s, err)
	return res, body(s.T, res)
}

func (s *shared) post(c *http.Client, path string, form url.Values) (*http.Response, string) {
	s.Helper()
	res, err := c.PostForm(s.server.URL+path, form)
	require.NoError(s, err)
	return res, body(s.T, res)
}

func (s *shared) signIn(c *http.Client, partner, secret string) (*http.Response, string) {
	s.Helper()
	return s.post(c, "/sandbox/sign-in", url.Values{"clientId": {partner}, "clientSecret": {secret}})
}

func TestPartnersSeeTheirOwnLetters(t *testing.T) {
	t.Parallel()
	s := newShared(t)
	mine, theirs, nobodys := s.letter("one", "Stromwerk AG"), s.letter("two", "Gasag Nord"), s.letter("", "Alte Post")
	paths := func(l mailroom.Letter) []string {
		return []string{"/sandbox/letters/" + l.ID, "/sandbox/letters/" + l.ID + "/file.pdf"}
	}

	t.Run("nobody sees anything before signing in", func(t *testing.T) {
		c := s.browser()
		for _, path := range append(paths(mine), "/sandbox/letters") {
			res, text := s.get(c, path)
			require.Equal(t, http.StatusSeeOther, res.StatusCode, path)
			assert.Equal(t, "/sandbox/sign-in?next="+url.QueryEscape(path), res.Header.Get("Location"))
			assert.Empty(t, text)
		}
		for _, path := range []string{"/sandbox/letters", paths(mine)[0]} {
			res, _ := s.post(c, path, url.Values{"action": {"lose"}, "behaviour": {"lose"}})
			assert.Equal(t, http.StatusSeeOther, res.StatusCode)
			assert.Contains(t, res.Header.Get("Location"), "/sandbox/sign-in")
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.server.URL+"/sandbox/letters", nil)
		require.NoError(t, err)
		request.Header.Set("Accept", "application/json")
		res, err := c.Do(request)
		require.NoError(t, err)
		assert.Equal(t, http.StatusUnauthorized, res.StatusCode)
		assert.NotContains(t, body(t, res), mine.ID)
	})

	c := s.browser()
	res, _ := s.post(c, "/sandbox/sign-in", url.Values{
		"clientId": {"one"}, "clientSecret": {"one+secret"}, "next": {paths(mine)[0]},
	})
	require.Equal(t, http.StatusSeeOther, res.StatusCode)
	assert.Equal(t, paths(mine)[0], res.Header.Get("Location"))
	cookie := res.Header.Get("Set-Cookie")
	require.True(t, strings.HasPrefix(cookie, "__Host-aviso-sandbox="), cookie)
	for _, attribute := range []string{"; Path=/;", "; Max-Age=3600", "; HttpOnly", "; Secure", "; SameSite=Lax"} {
		assert.Contains(t, cookie, attribute)
	}
	assert.NotContains(t, cookie, "Domain")

	t.Run("a partner sees its own letters", func(t *testing.T) {
		_, text := s.get(c, "/sandbox/letters")
		assert.Contains(t, text, "Stromwerk AG")
		assert.Contains(t, text, "You see the letters of <b>one</b>")
		for _, path := range paths(mine) {
			res, text := s.get(c, path)
			assert.Equal(t, http.StatusOK, res.StatusCode)
			assert.Contains(t, text, "Stromwerk AG")
		}
	})
	t.Run("and no others, which cannot be told from letters that do not exist", func(t *testing.T) {
		_, text := s.get(c, "/sandbox/letters")
		assert.NotContains(t, text, "Gasag Nord")
		assert.NotContains(t, text, "Alte Post")
		_, none := s.get(c, "/sandbox/letters/0198c2f4-7a33-7c1e-9d51-5f0a1b2c3d4f")
		for _, path := range append(paths(theirs), paths(nobodys)...) {
			res, text := s.get(c, path)
			assert.Equal(t, http.StatusNotFound, res.StatusCode)
			assert.Equal(t, none, text)
		}
		for _, l := range []mailroom.Letter{theirs, nobodys} {
			res, text := s.post(c, paths(l)[0], url.Values{"action": {"lose"}})
			assert.Equal(t, http.StatusNotFound, res.StatusCode)
			assert.Equal(t, none, text)
			got, err := s.store.Letter(t.Context(), l.ID)
			require.NoError(t, err)
			assert.False(t, got.Lost())
		}
	})
	t.Run("its form for new letters leaves the other partners alone", func(t *testing.T) {
		_, text := s.get(c, "/sandbox/letters")
		for _, everybodys := range []string{"throttle", "fail", "hang"} {
			assert.NotContains(t, text, `value="`+everybodys+`"`)
			res, _ := s.post(c, "/sandbox/letters", url.Values{"behaviour": {everybodys}})
			assert.Equal(t, http.StatusUnprocessableEntity, res.StatusCode)
		}
		res, _ := s.post(c, "/sandbox/letters", url.Values{"behaviour": {"lose"}})
		require.Equal(t, http.StatusSeeOther, res.StatusCode)
		_, text = s.get(c, "/sandbox/letters")
		assert.Contains(t, text, "New letters and faxes are lost until")
		other := s.browser()
		s.signIn(other, "two", "two+secret")
		_, text = s.get(other, "/sandbox/letters")
		assert.NotContains(t, text, "New letters and faxes are lost until")
	})
	t.Run("its forms act", func(t *testing.T) {
		res, _ := s.post(c, paths(mine)[0], url.Values{"action": {"lose"}})
		assert.Equal(t, http.StatusSeeOther, res.StatusCode)
		got, err := s.store.Letter(t.Context(), mine.ID)
		require.NoError(t, err)
		assert.True(t, got.Lost())
	})
	t.Run("until it signs out", func(t *testing.T) {
		c := s.browser()
		s.signIn(c, "one", "one+secret")
		res, _ := s.post(c, "/sandbox/sign-out", nil)
		assert.Equal(t, "/sandbox/sign-in", res.Header.Get("Location"))
		res, _ = s.get(c, "/sandbox/letters")
		assert.Equal(t, http.StatusSeeOther, res.StatusCode)
	})
	t.Run("or an hour has passed", func(t *testing.T) {
		value, _, _ := strings.Cut(strings.TrimPrefix(cookie, "__Host-aviso-sandbox="), ";")
		see := func() int {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.server.URL+"/sandbox/letters", nil)
			require.NoError(t, err)
			request.AddCookie(&http.Cookie{Name: "__Host-aviso-sandbox", Value: value})
			res, err := s.browser().Do(request)
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			return res.StatusCode
		}
		s.now.Store(3599)
		assert.Equal(t, http.StatusOK, see())
		s.now.Store(3600)
		assert.Equal(t, http.StatusSeeOther, see())
	})
}

// The page of the answers is open, because whoever knows an ID may answer; what it lists is
// the partner's.
func TestPartnersSeeWhatWaitsForTheirAnswers(t *testing.T) {
	t.Parallel()
	s := newShared(t)
	for _, partner := range []string{"one", "two"} {
		l := s.letter(partner, "Organization of "+partner)
		l.Version, l.State, l.CancellationID = 1, "delivered", l.ID
		require.NoError(t, s.store.Save(t.Context(), l))
	}
	c := s.browser()
	res, text := s.get(c, "/sandbox/replies")
	assert.Equal(t, http.StatusOK, res.StatusCode)
	assert.NotContains(t, text, "Organization of")
	assert.Contains(t, text, `href="/sandbox/sign-in?next=/sandbox/replies"`)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.server.URL+"/sandbox/replies", nil)
	require.NoError(t, err)
	request.Header.Set("Accept", "application/json")
	res, err = c.Do(request)
	require.NoError(t, err)
	assert.Equal(t, http.StatusUnauthorized, res.StatusCode)
	assert.NotContains(t, body(t, res), "Organization of")

	res, _ = s.post(c, "/sandbox/sign-in", url.Values{
		"clientId": {"one"}, "clientSecret": {"one+secret"}, "next": {"/sandbox/replies"},
	})
	assert.Equal(t, "/sandbox/replies", res.Header.Get("Location"))
	_, text = s.get(c, "/sandbox/replies")
	assert.Contains(t, text, "Organization of one")
	assert.NotContains(t, text, "Organization of two")
}

func TestSigningIn(t *testing.T) {
	t.Parallel()
	s := newShared(t)
	s.letter("one", "Stromwerk AG")

	t.Run("every wrong ID and secret has the same answer", func(t *testing.T) {
		var first string
		for i, pair := range [][2]string{{"one", "wrong"}, {"one", ""}, {"one", strings.Repeat("x", 600)}} {
			res, text := s.signIn(s.browser(), pair[0], pair[1])
			assert.Equal(t, http.StatusUnauthorized, res.StatusCode)
			assert.Empty(t, res.Header.Get("Set-Cookie"))
			if i == 0 {
				first = text
			}
			assert.Equal(t, first, text)
			assert.NotContains(t, text, "wrong</", "the secret is not shown")
		}
		asked := s.asked.Load()
		for _, id := range []string{"none", "ONE", "", "one/../two", "one.9999999999", strings.Repeat("x", 65), "<b>"} {
			res, text := s.signIn(s.browser(), id, "secret")
			assert.Equal(t, http.StatusUnauthorized, res.StatusCode, id)
			assert.Contains(t, text, "The client ID or the secret is wrong.")
			assert.NotContains(t, text, "<b>")
		}
		assert.Equal(t, asked+1, s.asked.Load(), "what cannot be an ID is not passed on")
	})
	t.Run("a service that does not answer is not a wrong secret", func(t *testing.T) {
		res, text := s.signIn(s.browser(), "down", "secret")
		assert.Equal(t, http.StatusBadGateway, res.StatusCode)
		assert.Contains(t, text, "Aviso does not respond.")
	})
	t.Run("ten wrong secrets a minute for an ID, and the right one always", func(t *testing.T) {
		for range 10 {
			s.signIn(s.browser(), "two", "guess")
		}
		res, _ := s.signIn(s.browser(), "two", "guess")
		assert.Equal(t, http.StatusTooManyRequests, res.StatusCode)
		assert.Equal(t, "60", res.Header.Get("Retry-After"))
		res, _ = s.signIn(s.browser(), "two", "two+secret")
		assert.Equal(t, http.StatusSeeOther, res.StatusCode)
	})
	t.Run("sends nobody elsewhere", func(t *testing.T) {
		for _, next := range []string{
			"https://evil.test/", "//evil.test/sandbox/letters/", "/sandbox/letters/../../evil", `/sandbox/letters/\evil.test`,
			"/sandbox/letters/1?x", "", "/sandbox/letterset",
		} {
			res, _ := s.post(s.browser(), "/sandbox/sign-in", url.Values{
				"clientId": {"one"}, "clientSecret": {"one+secret"}, "next": {next},
			})
			require.Equal(t, http.StatusSeeOther, res.StatusCode)
			assert.Equal(t, "/sandbox/letters", res.Header.Get("Location"), next)
		}
	})
	t.Run("a cookie that was not signed here counts for nothing", func(t *testing.T) {
		zeros := base64.RawURLEncoding.EncodeToString(make([]byte, 32))
		for _, value := range []string{"", "/", "one", "one.99999999999/", "one.99999999999/" + zeros} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.server.URL+"/sandbox/letters", nil)
			require.NoError(t, err)
			request.AddCookie(&http.Cookie{Name: "__Host-aviso-sandbox", Value: value})
			res, err := s.browser().Do(request)
			require.NoError(t, err)
			assert.Equal(t, http.StatusSeeOther, res.StatusCode, value)
			assert.NotContains(t, body(t, res), "Stromwerk")
		}
	})
}

// Nobody signs in to the stack on a developer's own machine.
func TestNoSignInWithoutAKey(t *testing.T) {
	t.Parallel()
	s := sandbox.New(sandbox.Options{
		DynamoDB: testenv.DynamoDB(t), Table: testenv.Table(t, "SandboxTable"),
		Now: time.Now, Log: slog.New(slog.DiscardHandler), Scheduler: noSteps{},
	})
	for path, want := range map[string]int{"/sandbox/letters": 200, "/sandbox/sign-in": 404} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		assert.Equal(t, want, w.Code, path)
	}
}

// lambda passes a request to a function as API Gateway does.
func lambda(t *testing.T, function interface {
	Invoke(ctx context.Context, payload []byte) ([]byte, error)
}, w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	assert.NoError(t, err)
	event := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RawPath: r.URL.EscapedPath(), RawQueryString: r.URL.RawQuery, Body: string(raw),
		Headers: map[string]string{"host": r.Host, "x-forwarded-proto": "https"},
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			DomainName: r.Host,
			HTTP:       events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: r.Method, Path: r.URL.Path},
		},
	}
	for name := range r.Header {
		if name != "Cookie" {
			event.Headers[strings.ToLower(name)] = r.Header.Get(name)
		}
	}
	for _, c := range r.Cookies() {
		event.Cookies = append(event.Cookies, c.Name+"="+c.Value)
	}
	payload, err := json.Marshal(event)
	assert.NoError(t, err)
	answer, err := function.Invoke(r.Context(), payload)
	assert.NoError(t, err)
	var res events.APIGatewayV2HTTPResponse
	assert.NoError(t, json.Unmarshal(answer, &res))
	for name, value := range res.Headers {
		w.Header().Set(name, value)
	}
	for _, c := range res.Cookies {
		w.Header().Add("Set-Cookie", c)
	}
	content := []byte(res.Body)
	if res.IsBase64Encoded {
		content, err = base64.StdEncoding.DecodeString(res.Body)
		assert.NoError(t, err)
	}
	w.WriteHeader(res.StatusCode)
	_, _ = w.Write(content)
}

func body(t *testing.T, res *http.Response) string {
	t.Helper()
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return string(raw)
}

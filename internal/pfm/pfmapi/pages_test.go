package pfmapi_test

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/apitest"
	"aviso/localstack/tests/pfmtest"
)

// requirePage checks what every user page has in common.
func requirePage(t *testing.T, a apitest.Response, status int, title string) {
	t.Helper()
	require.Equal(t, status, a.StatusCode, a.Body)
	assert.Equal(t, "text/html; charset=utf-8", a.Header("Content-Type"))
	assert.Contains(t, a.Body, "<h1>"+title+"</h1>")
	assert.Contains(t, a.Body, "<title>"+title+"</title>")
	requirePrivate(t, a)

	_, style, _ := strings.Cut(a.Body, "<style>")
	style, _, _ = strings.Cut(style, "</style>")
	hash := sha256.Sum256([]byte(style))
	assert.Equal(
		t,
		"default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(hash[:])+"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		a.Header("Content-Security-Policy"),
		"nothing but the page's own style",
	)
	assert.NotContains(t, a.Body, "<script")
	assert.NotContains(t, a.Body, "style=")
	assert.Contains(t, a.Body, `<html lang="en">`)
}

// requirePrivate checks that a page is not cached or leaked: its address and content
// are secret.
func requirePrivate(t *testing.T, a apitest.Response) {
	t.Helper()
	assert.Equal(t, "no-store", a.Header("Cache-Control"))
	assert.Equal(t, "no-referrer", a.Header("Referrer-Policy"))
	assert.Equal(t, "nosniff", a.Header("X-Content-Type-Options"))
}

func TestAuthorisationFlow(t *testing.T) {
	s := newService(t)
	id, link := s.link()

	for range 2 { // the second time leads to the same page
		a := s.get(link)
		require.Equal(t, http.StatusFound, a.StatusCode, a.Body)
		assert.Equal(t, "https://bank.example/authorise/consent-1", a.Header("Location"))
		requirePrivate(t, a)
	}
	require.Len(t, s.bank.Requested, 1)
	assert.Equal(t, "203.0.113.7", s.bank.Requested[0].PSUIPAddress)
	assert.Equal(t, "Browser", s.bank.Requested[0].PSUUserAgent)
	assert.Empty(t, s.bank.Requested[0].PSUHeaders, "the bank wants none")

	waiting := s.get(s.callback())
	requirePage(t, waiting, http.StatusServiceUnavailable, "Your bank has not confirmed yet")
	assert.Contains(t, waiting.Body, `href="`+s.callback()+`">Try again</a>`)

	s.bank.SetConsent("consent-1", pfm.Consent{State: pfm.ConsentValid})
	done := s.get(s.callback())
	require.Equal(t, http.StatusFound, done.StatusCode)
	assert.Equal(t, "https://partner.example/back?order=4711&connectionId="+id+"&status=success", done.Header("Location"))
	requirePrivate(t, done)
	assert.Equal(t, "Active", s.call(http.MethodGet, "/connections/"+id, "").Member("data", "connection", "connectionStatus"))

	used := s.get(link)
	requirePage(t, used, http.StatusGone, "This link has already been used")
	assert.Contains(
		t, used.Body,
		`href="https://partner.example/back?order=4711&amp;connectionId=`+id+`&amp;status=success">Back to partner.example</a>`,
	)
	replayed := s.get(s.callback())
	requirePage(t, replayed, http.StatusGone, "This link has already been used")
	assert.NotContains(t, replayed.Body, "partner.example", "a used address reveals nothing")
}

func TestRefusalAtTheBank(t *testing.T) {
	s := newService(t)
	for state, outcome := range map[pfm.ConsentState]string{pfm.ConsentRejected: "cancelled", pfm.ConsentReceived: "failed"} {
		_, link := s.link()
		require.Equal(t, http.StatusFound, s.get(link).StatusCode)
		consent := "consent-" + string(rune('0'+len(s.bank.Requested)))
		s.bank.SetConsent(consent, pfm.Consent{State: state})
		a := s.get(s.callback() + "&refused=true")
		require.Equal(t, http.StatusFound, a.StatusCode)
		assert.True(t, strings.HasSuffix(a.Header("Location"), "&status="+outcome), a.Header("Location"))
	}
}

func TestPagesOfInvalidLinks(t *testing.T) {
	s := newService(t)

	t.Run("unknown", func(t *testing.T) {
		for _, path := range []string{"/connect", "/connect?connectionId=", "/connect?connectionId=x",
			"/connect?connectionId=" + pfmtest.ID(1), "/connect?connectionId=" + strings.Repeat("x", 3000),
			"/connect/callback", "/connect/callback?state=x.y", "/connect/callback/x?state=x.y"} {
			requirePage(t, s.get(path), http.StatusNotFound, "We do not recognise this link")
		}
	})

	t.Run("does not repeat the address", func(t *testing.T) {
		a := s.get("/connect?connectionId=%3Cscript%3Ealert(1)%3C/script%3E")
		assert.NotContains(t, a.Body, "alert")
	})

	t.Run("forged", func(t *testing.T) {
		id, link := s.link()
		require.Equal(t, http.StatusFound, s.get(link).StatusCode)
		for _, path := range []string{"/connect/callback?state=" + id + ".guess", "/connect/callback/x?state=" + id + ".guess",
			strings.Replace(s.callback(), "?", "x?", 1)} {
			requirePage(t, s.get(path), http.StatusGone, "This link has already been used")
		}
	})

	t.Run("expired", func(t *testing.T) {
		late := newService(t)
		_, link := late.link()
		late.clock.Advance(connection.LinkLifetime)
		for range 2 {
			a := late.get(link)
			requirePage(t, a, http.StatusGone, "This link has expired")
			assert.Contains(t, a.Body, "status=failed")
		}
	})

	for kind, want := range map[pfm.SupplierErrorKind]struct {
		status int
		title  string
		again  bool
	}{
		pfm.SupplierUnavailable: {http.StatusServiceUnavailable, "Your bank is not responding right now", true},
		pfm.SupplierRateLimited: {http.StatusServiceUnavailable, "Your bank is not responding right now", true},
		pfm.SupplierRejected:    {http.StatusBadGateway, "Your bank does not allow this connection", false},
	} {
		t.Run(string(kind), func(t *testing.T) {
			s := newService(t)
			_, link := s.link()
			s.bank.Before = func(string) error { return pfmtest.Failure(kind) }
			a := s.get(link)
			requirePage(t, a, want.status, want.title)
			assert.Equal(t, want.again, strings.Contains(a.Body, "Try again</a>"))
			assert.Contains(t, a.Body, "Back to partner.example")
			assert.Contains(t, s.edge.Log.String(), string(kind), "the cause is in the log")
			assert.Contains(t, s.edge.Log.String(), `"ServerErrors":1`)
			assert.NotContains(t, s.edge.Log.String(), "VersionErrors", "a bank must not stop a deployment")
			assert.NotContains(t, a.Body, string(kind))
		})
	}

	t.Run("our own failure", func(t *testing.T) {
		s := newService(t)
		_, link := s.link()
		s.bank.Before = func(string) error { return errors.New("our own") }
		a := s.get(link)
		requirePage(t, a, http.StatusInternalServerError, "Something went wrong on our side")
		assert.NotContains(t, a.Body, "our own")
		assert.Contains(t, s.edge.Log.String(), "our own")
		assert.Contains(t, s.edge.Log.String(), `"VersionErrors":1`)
	})
}

func TestPagesEscapeWhatTheyShow(t *testing.T) {
	s := newService(t)
	p := pfmtest.Provider()
	p.Name = `<script>alert("x")</script>'&"><img src=x onerror=alert(1)>`
	require.NoError(t, s.store.PutProvider(t.Context(), p))
	body := strings.Replace(newConnection, "order=4711", `x='%22%3E%3Cscript%3Ealert(2)%3C/script%3E&y=a'b`, 1)
	created := s.call(http.MethodPost, "/connections", body)
	require.Equal(t, http.StatusCreated, created.StatusCode, created.Body)
	link, _ := created.Member("data", "redirectUrl").(string)
	s.bank.Before = func(string) error { return pfmtest.Failure(pfm.SupplierUnavailable) }
	a := s.get(strings.TrimPrefix(link, base) + `&z='%22%3E%3Cscript%3E`)
	requirePage(t, a, http.StatusServiceUnavailable, "Your bank is not responding right now")
	for _, live := range []string{"<script", "<img", `'"`, `a'b`} {
		assert.NotContains(t, a.Body, live)
	}
	assert.Contains(t, a.Body, "&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt;")
}

func TestLinkNeedsItsSecret(t *testing.T) {
	s := newService(t)
	id, link := s.link()
	without := "/connect?connectionId=" + id
	unknown := s.get("/connect?connectionId=" + pfmtest.ID(7) + "&link=x")
	refused := func(path string) {
		t.Helper()
		before := s.stored(id)
		a := s.newBrowser().get(path)
		requirePage(t, a, http.StatusNotFound, "We do not recognise this link")
		assert.Equal(t, unknown.Body, a.Body, "nothing says that the connection exists")
		assert.Empty(t, a.SetCookies())
		assert.Equal(t, before, s.stored(id))
	}
	guesses := func() {
		t.Helper()
		refused(without)
		stored := s.stored(id)
		hash, _ := stored["linkHash"].(*types.AttributeValueMemberS)
		require.NotNil(t, hash)
		for _, path := range []string{without + "&link=", without + "&link=guess", without + "&link=" + hash.Value,
			strings.ToLower(link), link + "x", link[:len(link)-1]} {
			refused(path)
		}
	}
	guesses()
	assert.Empty(t, s.bank.Requested)
	assert.Regexp(t, `^/connect\?connectionId=[0-9a-f-]{36}&link=[A-Z2-7]{26,}$`, link)
	require.Equal(t, http.StatusFound, s.get(link).StatusCode)
	guesses()

	renewed := s.call(http.MethodPost, "/connections/"+id+"/reconnect", `{"returnUrl":"https://partner.example/"}`)
	require.Equal(t, http.StatusCreated, renewed.StatusCode, renewed.Body)
	refused(link) // an older link
	second, _ := renewed.Member("data", "redirectUrl").(string)
	assert.NotEqual(t, base+link, second)
	require.Equal(t, http.StatusFound, s.get(strings.TrimPrefix(second, base)).StatusCode)

	s.clock.Advance(connection.LinkLifetime)
	refused(without) // which must not close it either
	for _, l := range []string{link, second} {
		_, secret, _ := strings.Cut(l, "&link=")
		require.NotEmpty(t, secret)
		assert.NotContains(t, s.edge.Log.String(), secret)
	}
}

func TestCallbackCountsOnlyInTheBrowserThatOpenedTheLink(t *testing.T) {
	s := newService(t)
	id, link := s.link()
	opened := s.get(link)
	require.Equal(t, http.StatusFound, opened.StatusCode)
	callback := s.callback()
	requirePage(t, s.newBrowser().get(callback), http.StatusForbidden, "Please go back to the browser you started in")
	require.Len(t, opened.SetCookies(), 1)
	cookie := opened.SetCookies()[0]
	assert.Equal(t, "__Host-connect-"+id, cookie.Name)
	assert.GreaterOrEqual(t, len(cookie.Value), 43, "256 bits")
	assert.NotContains(t, link, cookie.Value)
	cookie.Name, cookie.Value, cookie.Raw = "", "", ""
	assert.Equal(t, &http.Cookie{
		Path: "/", MaxAge: int(connection.LinkLifetime.Seconds()), Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}, cookie)

	_, other := s.link()
	stranger := s.newBrowser()
	require.Equal(t, http.StatusFound, stranger.get(other).StatusCode)
	s.bank.SetConsent("consent-1", pfm.Consent{State: pfm.ConsentValid})
	for _, end := range []string{"", "&refused=true"} {
		for _, b := range []*browser{s.newBrowser(), stranger} {
			before := s.stored(id)
			a := b.get(callback + end)
			requirePage(t, a, http.StatusForbidden, "Please go back to the browser you started in")
			assert.NotContains(t, a.Body, "partner.example")
			assert.Empty(t, a.SetCookies())
			assert.Equal(t, before, s.stored(id))
		}
	}
	s.clock.Advance(connection.LinkLifetime - time.Minute)
	again := s.get(link)
	assert.Equal(t, opened.Header("Location"), again.Header("Location"), "the same page")
	require.Len(t, again.SetCookies(), 1)
	assert.Equal(t, 60, again.SetCookies()[0].MaxAge, "until the link expires")
	done := s.get(callback)
	require.Equal(t, http.StatusFound, done.StatusCode, done.Body)
	assert.Contains(t, done.Header("Location"), "&status=success")
}

func TestLinkOpenedInTwoBrowsers(t *testing.T) {
	for name, which := range map[string]int{"the first": 0, "the second": 1} {
		t.Run(name+" can finish", func(t *testing.T) {
			s := newService(t)
			_, link := s.link()
			browsers := []*browser{s.newBrowser(), s.newBrowser()}
			for _, b := range browsers {
				a := b.get(link)
				require.Equal(t, "https://bank.example/authorise/consent-1", a.Header("Location"), a.Body)
			}
			s.bank.SetConsent("consent-1", pfm.Consent{State: pfm.ConsentValid})
			done := browsers[which].get(s.callback())
			require.Equal(t, http.StatusFound, done.StatusCode, done.Body)
		})
	}
}

func TestSeveralLinksInOneBrowser(t *testing.T) {
	s := newService(t)
	var callbacks []string
	for range 3 {
		_, link := s.link()
		require.Equal(t, http.StatusFound, s.get(link).StatusCode)
		callbacks = append(callbacks, s.callback())
	}
	for i, callback := range callbacks {
		s.bank.SetConsent(fmt.Sprintf("consent-%d", i+1), pfm.Consent{State: pfm.ConsentValid})
		require.Equal(t, http.StatusFound, s.get(callback).StatusCode)
	}
}

func TestHeadHasNoEffect(t *testing.T) {
	s := newService(t)
	id, link := s.link()
	before := s.stored(id)
	for range 2 {
		a := s.send(http.MethodHead, link, nil, "")
		assert.Equal(t, http.StatusNoContent, a.StatusCode)
		assert.Empty(t, a.Body)
		assert.Empty(t, a.Header("Location"))
	}
	assert.Empty(t, s.bank.Requested)
	assert.Equal(t, before, s.stored(id))

	require.Equal(t, http.StatusFound, s.get(link).StatusCode)
	s.bank.SetConsent("consent-1", pfm.Consent{State: pfm.ConsentValid})
	before = s.stored(id)
	assert.Equal(t, http.StatusNoContent, s.send(http.MethodHead, s.callback(), nil, "").StatusCode)
	assert.Equal(t, before, s.stored(id))
	assert.Equal(t, http.StatusFound, s.get(s.callback()).StatusCode, "the authorisation can still be finished")
}

func TestPagesRejectOtherMethods(t *testing.T) {
	s := newService(t)
	_, link := s.link()
	a := s.send(http.MethodPost, link, nil, "")
	assert.Equal(t, http.StatusMethodNotAllowed, a.StatusCode)
	assert.Equal(t, "method_not_allowed", a.Member("code"))
}

// stored returns the connection's row.
func (s *service) stored(id string) dynamo.Item {
	s.Helper()
	row, err := dynamo.NewTable(s.db, s.table).Row(s.Context(), dynamo.Key{PK: pfmtest.User().Key(), SK: "C#" + id})
	require.NoError(s, err)
	return row
}

func TestBanksGetTheBrowsersHeaders(t *testing.T) {
	s := newService(t)
	p := pfmtest.Provider()
	p.Profile.Headers = []string{
		"PSU-Accept", "PSU-Accept-Encoding", "PSU-Accept-Language", "PSU-User-Agent", "PSU-Http-Method", "PSU-Geo-Location",
	}
	require.NoError(t, s.store.PutProvider(t.Context(), p))
	_, link := s.link()
	a := s.send(http.MethodGet, link, map[string]string{
		"Accept": "text/html", "Accept-Language": "de", "Accept-Encoding": strings.Repeat("x", 501),
		"X-Psu-Geo-Location": "GEO:52.506931;13.144558",
	}, "")
	require.Equal(t, http.StatusFound, a.StatusCode, a.Body)
	assert.Equal(t, map[string]string{
		"PSU-Accept": "text/html", "PSU-Accept-Language": "de", "PSU-User-Agent": "Browser", "PSU-Http-Method": "GET",
	}, s.bank.Requested[0].PSUHeaders)
}

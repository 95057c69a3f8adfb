package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/console"
	"aviso/internal/console/feed"
	"aviso/internal/owner"
)

func TestSignInWithASecret(t *testing.T) {
	w := newWorld(t)
	v := w.visitor()
	res := v.get(t, "/console/audit")
	assert.Equal(t, "/console/sign-in?next=%2Fconsole%2Faudit", res.Header.Get("Location"))
	filtered := w.visitor().get(t, "/console/events?type=webhook.ping")
	assert.Equal(t, "/console/sign-in?next=%2Fconsole%2Fevents%3Ftype%3Dwebhook.ping", filtered.Header.Get("Location"))
	res = v.post(t, "/console/sign-in", url.Values{
		"clientId": {" alpha "}, "clientSecret": {w.secrets["alpha"]}, "next": {"/console/audit"},
	})
	assert.Equal(t, http.StatusSeeOther, res.StatusCode)
	assert.Equal(t, "/console/audit", res.Header.Get("Location"))
	cookie := v.cookies[console.SessionCookie]
	require.NotNil(t, cookie)
	assert.True(t, cookie.Secure && cookie.HttpOnly)
	assert.Equal(t, http.SameSiteLaxMode, cookie.SameSite)

	res = v.get(t, "/console/audit")
	assert.Equal(t, http.StatusOK, res.StatusCode)
	shows(t, res.body, "ALPHA GmbH", "Sign-in")
	assert.NotContains(t, w.log.String(), w.secrets["alpha"])
}

func TestSignInRefuses(t *testing.T) {
	w := newWorld(t)
	for name, form := range map[string]url.Values{
		"a wrong secret":       {"clientId": {"alpha"}, "clientSecret": {"guess"}},
		"another's secret":     {"clientId": {"alpha"}, "clientSecret": {w.secrets["beta"]}},
		"an unknown client":    {"clientId": {"nobody"}, "clientSecret": {w.secrets["alpha"]}},
		"an ID like a key":     {"clientId": {"alpha#U"}, "clientSecret": {w.secrets["alpha"]}},
		"no secret":            {"clientId": {"alpha"}},
		"a secret of megabyte": {"clientId": {"alpha"}, "clientSecret": {string(make([]byte, 600))}},
	} {
		t.Run(name, func(t *testing.T) {
			v := w.visitor()
			res := v.post(t, "/console/sign-in", form)
			assert.Equal(t, http.StatusUnauthorized, res.StatusCode)
			assert.Contains(t, res.body, "Error: Sign in")
			assert.Empty(t, v.cookies)
		})
	}
	for client, want := range map[owner.PartnerID]int{"alpha": 2, "nobody": 0} {
		entries := w.entries(t, client)
		assert.Len(t, entries, want, client)
		for _, e := range entries {
			assert.Equal(t, feed.Refused, e.Result, client)
			assert.Equal(t, []string{"sign-in", string(client)}, []string{e.Action, e.Who})
		}
	}
}

func TestAttemptsAreLimited(t *testing.T) {
	w := newWorld(t)
	v := w.visitor()
	for range 10 {
		res := v.post(t, "/console/sign-in", url.Values{"clientId": {"alpha"}, "clientSecret": {"guess"}})
		assert.Equal(t, http.StatusUnauthorized, res.StatusCode)
	}
	guess := func(v *visitor, client string) int {
		return v.post(t, "/console/sign-in", url.Values{"clientId": {client}, "clientSecret": {"guess"}}).StatusCode
	}
	assert.Equal(t, http.StatusTooManyRequests, guess(v, "alpha"))
	assert.Len(t, w.entries(t, "alpha"), 10)
	assert.Equal(t, http.StatusUnauthorized, guess(v, "beta"), "another client")
	elsewhere := w.visitor()
	elsewhere.address = "203.0.113.9:2000"
	assert.Equal(t, http.StatusUnauthorized, guess(elsewhere, "alpha"), "another address")
	assert.Equal(t, http.StatusSeeOther, v.signIn(t, "alpha").StatusCode, "nobody can lock out who knows the secret")
	w.later(time.Minute)
	assert.Equal(t, http.StatusUnauthorized, guess(v, "alpha"))
}

func TestSecretsOpenOnlyLocalAndTest(t *testing.T) {
	t.Parallel()
	for stage, want := range map[config.Stage]int{
		config.Local: http.StatusSeeOther, config.Test: http.StatusSeeOther,
		config.Acceptance: http.StatusNotFound, config.Production: http.StatusNotFound,
	} {
		w := openWorld(t, func(o *console.Options) { o.Stage = stage })
		v := w.visitor()
		assert.Equal(t, want, v.signIn(t, "alpha").StatusCode, stage)
		res := w.visitor().get(t, "/console/sign-in")
		assert.Equal(t, want == http.StatusSeeOther, strings.Contains(res.body, "clientSecret"), stage)
	}
}

func TestExampleIsFilledInOnce(t *testing.T) {
	w := newWorld(t, func(o *console.Options) {
		o.Stage, o.Example = config.Local, console.Example{ClientID: "alpha", Secret: "an-example"}
	})
	v := w.visitor()
	assert.Contains(t, v.get(t, "/console/sign-in").body, `value="an-example"`)
	res := v.post(t, "/console/sign-in", url.Values{"clientId": {"beta"}, "clientSecret": {"an-example"}})
	assert.Contains(t, res.body, `value="beta"`)
	hides(t, res.body, "an-example", "local stack")
}

func TestNextStaysInTheConsole(t *testing.T) {
	w := newWorld(t)
	for next, want := range map[string]string{
		"": "/console", "/console/keys": "/console/keys", "https://evil.example/console/": "/console",
		"//evil.example": "/console", "/console/../sandbox": "/console", `/console/\evil`: "/console",
		"/console/sign-out": "/console", "/openbanking/v1": "/console", "/console/events?type=webhook.ping": "/console/events?type=webhook.ping",
		"/console/%2e%2e/sandbox": "/console", "/console/x#y": "/console", "/console/x\ny": "/console",
		"/console/sign-in/provider?next=x": "/console",
	} {
		res := w.visitor().post(t, "/console/sign-in", url.Values{
			"clientId": {"alpha"}, "clientSecret": {w.secrets["alpha"]}, "next": {next},
		})
		assert.Equal(t, want, res.Header.Get("Location"), next)
	}
}

func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		end  func(t *testing.T, w *world, v *visitor)
		want int
	}{
		"after an hour without a request": {func(_ *testing.T, w *world, _ *visitor) { w.later(time.Hour) }, http.StatusSeeOther},
		"not while it is used": {func(t *testing.T, w *world, v *visitor) {
			for range 7 {
				w.later(59 * time.Minute)
				v.get(t, "/console")
			}
		}, http.StatusOK},
		"after eight hours": {func(t *testing.T, w *world, v *visitor) {
			for range 10 {
				w.later(48 * time.Minute)
				v.get(t, "/console")
			}
		}, http.StatusSeeOther},
		"by signing out": {func(t *testing.T, _ *world, v *visitor) {
			stolen := v.cookies[console.SessionCookie]
			res := v.post(t, "/console/sign-out", url.Values{})
			assert.Equal(t, http.StatusSeeOther, res.StatusCode)
			v.cookies[console.SessionCookie] = stolen
		}, http.StatusSeeOther},
		"when the partner is disabled": {func(t *testing.T, w *world, _ *visitor) {
			_, err := w.partners.SetDisabled(t.Context(), "alpha", true)
			require.NoError(t, err)
		}, http.StatusForbidden},
		"when its secret is revoked": {func(t *testing.T, w *world, _ *visitor) {
			_, _, err := w.partners.RotateSecret(t.Context(), "alpha", 0)
			require.NoError(t, err)
		}, http.StatusSeeOther},
		"not in the secret's grace period": {func(t *testing.T, w *world, _ *visitor) {
			_, _, err := w.partners.RotateSecret(t.Context(), "alpha", time.Hour)
			require.NoError(t, err)
		}, http.StatusOK},
		"when the cookie is altered": {func(_ *testing.T, _ *world, v *visitor) {
			v.cookies[console.SessionCookie].Value += "A"
		}, http.StatusSeeOther},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			v := w.visitor()
			v.signIn(t, "alpha")
			require.Equal(t, http.StatusOK, v.get(t, "/console").StatusCode)
			test.end(t, w, v)
			assert.Equal(t, test.want, v.get(t, "/console").StatusCode)
		})
	}
}

// Whoever proves to belong to a disabled partner reads why nothing works, and nothing else.
func TestTheConsoleOfADisabledPartner(t *testing.T) {
	w := newWorld(t)
	v := w.visitor()
	v.signIn(t, "alpha")
	_, err := w.partners.SetDisabled(t.Context(), "alpha", true)
	require.NoError(t, err)
	assert.Contains(t, v.get(t, "/console/users").body, "The operator of Aviso has disabled it.")
	assert.Equal(t, http.StatusSeeOther, v.get(t, "/console").StatusCode, "the session has ended")
	signIn := func(secret string) answer {
		return w.visitor().post(t, "/console/sign-in", url.Values{"clientId": {"alpha"}, "clientSecret": {secret}})
	}
	known := signIn(w.secrets["alpha"])
	assert.Equal(t, http.StatusForbidden, known.StatusCode)
	assert.Contains(t, known.body, "The operator of Aviso has disabled it.")
	assert.Equal(t, feed.Refused, w.entries(t, "alpha")[0].Result)
	assert.Equal(t, http.StatusUnauthorized, signIn("a guess").StatusCode, "a guess learns nothing")
	_, err = w.partners.SetDisabled(t.Context(), "alpha", false)
	require.NoError(t, err)
	assert.Equal(t, http.StatusSeeOther, signIn(w.secrets["alpha"]).StatusCode)
}

func TestSignInAndOutAreInTheAuditLog(t *testing.T) {
	w := newWorld(t)
	v := w.visitor()
	v.signIn(t, "alpha")
	w.later(time.Second)
	v.post(t, "/console/sign-out", url.Values{})
	var actions []string
	for _, e := range w.entries(t, "alpha") {
		actions = append(actions, e.Action+" "+string(e.Result)+" "+e.Who)
		assert.NotEmpty(t, e.Trace)
	}
	assert.Equal(t, []string{"sign-out Done alpha", "sign-in Done alpha"}, actions)
	assert.Empty(t, w.entries(t, owner.PartnerID("beta")))
}

// A page that asks for new rows by itself keeps nobody signed in.
func TestALivePageDoesNotRenewASession(t *testing.T) {
	w := newWorld(t)
	v := w.as(t, "alpha", console.Viewer)
	w.later(50 * time.Minute)
	assert.Empty(t, v.get(t, "/console/requests", "Aviso-Live", "1").Cookies())
	assert.NotEmpty(t, v.get(t, "/console/requests").Cookies())
}

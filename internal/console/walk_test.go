package console_test

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/console"
	"aviso/internal/notification"
)

// marker is in everything that alpha owns, and on no page of another partner.
const marker = "ALPHA GmbH"

// alphaOwns returns alpha's IDs for the parameters in routes' paths. A new parameter needs a
// value here: something of alpha's that the page shows, with the marker in it.
func alphaOwns(t *testing.T, w *world) map[string]string {
	t.Helper()
	p, _, err := w.partners.RotateSecret(t.Context(), "alpha", time.Hour)
	require.NoError(t, err)
	values, h := alphaUses(t, w), newHistory(t, w)
	sub := w.hooks.subscribe(t, "alpha", marker)
	secret, err := w.hooks.subscriptions.AddSecret(t.Context(), "alpha", sub.ID, nil)
	require.NoError(t, err)
	w.hooks.send(t, sub, "webhook.ping", notification.OutcomeTimeout)
	attempt := w.hooks.newest(t, sub)
	maps.Copy(values, map[string]string{
		"digest": p.Secrets[0].Digest(), "trace": h.request.TraceID, "event": h.event.ID, "user": string(h.user.Owner.ID),
		"subscription": sub.ID, "secret": secret.ID, "attempt": attempt.ID, "delivered": attempt.EventID,
	})
	return values
}

func fill(t *testing.T, pattern string, values map[string]string) string {
	t.Helper()
	return regexp.MustCompile(`\{(\w+)\}`).ReplaceAllStringFunc(pattern, func(parameter string) string {
		value := values[strings.Trim(parameter, "{}")]
		require.NotEmpty(t, value, "alphaOwns has no value for %s", parameter)
		return value
	})
}

// TestEveryRouteForEveryRole opens every route without a session, with each role, and with
// the session of another partner.
func TestEveryRouteForEveryRole(t *testing.T) {
	w := newWorld(t)
	values := alphaOwns(t, w)
	for _, route := range w.console.Routes() {
		if route.Role == console.Anybody {
			continue
		}
		target := fill(t, route.Path, values)
		send := func(v *visitor) answer {
			if route.Method == http.MethodPost {
				return v.post(t, target, url.Values{})
			}
			return v.do(t, route.Method, target, nil)
		}
		t.Run(route.Method+" "+route.Path, func(t *testing.T) {
			if route.Method != http.MethodGet {
				assert.NotEmpty(t, route.Action, "a change belongs into the audit log")
			}
			if route.Action != "" {
				assert.NotEmpty(t, route.Did, "the audit log needs words for it")
			}

			res := send(w.visitor())
			assert.Equal(t, http.StatusSeeOther, res.StatusCode, "without a session")
			assert.Contains(t, res.Header.Get("Location"), "/console/sign-in")

			for _, role := range []console.Role{console.Viewer, console.Developer, console.Admin} {
				if role < route.Role {
					before := len(w.entries(t, "alpha"))
					res := send(w.as(t, "alpha", role))
					assert.Equal(t, http.StatusForbidden, res.StatusCode, role.String())
					assert.Contains(t, res.body, "needs the role "+route.Role.String())
					assert.Len(t, w.entries(t, "alpha"), before, "nothing was done")
					continue
				}
				if route.Method == http.MethodGet {
					res := send(w.as(t, "alpha", role))
					assert.Equal(t, http.StatusOK, res.StatusCode, role.String())
				}
			}

			res = send(w.as(t, "beta", console.Admin))
			assert.NotContains(t, res.body, marker, "another partner's session")
			if strings.Contains(route.Path, "{") {
				assert.Equal(t, http.StatusNotFound, res.StatusCode, "another partner's session")
			}
		})
	}
}

// TestEveryPage checks what all pages have in common.
func TestEveryPage(t *testing.T) {
	w := newWorld(t)
	values := alphaOwns(t, w)
	v := w.as(t, "alpha", console.Admin)
	for _, route := range w.console.Routes() {
		if route.Method != http.MethodGet || route.Path == "/console/sign-in/provider" || route.Path == "/console/sign-in/callback" {
			continue
		}
		t.Run(route.Path, func(t *testing.T) {
			res := v.get(t, fill(t, route.Path, values))
			require.Equal(t, http.StatusOK, res.StatusCode)
			assert.Contains(t, res.Header.Get("Content-Security-Policy"), "default-src 'none'")
			assert.NotContains(t, res.Header.Get("Content-Security-Policy"), "unsafe")
			assert.Equal(t, "nosniff", res.Header.Get("X-Content-Type-Options"))
			if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") {
				return
			}
			assert.Equal(t, "no-store", res.Header.Get("Cache-Control"))
			assert.NotContains(t, res.body, "style=", "the policy refuses it")
			assert.NotRegexp(t, `<script>|\son\w+=`, res.body, "the policy refuses it")
			assert.Equal(t, 1, strings.Count(res.body, "<h1>"))
			head := v.do(t, http.MethodHead, fill(t, route.Path, values), nil)
			assert.Equal(t, http.StatusOK, head.StatusCode)
			refused := v.do(t, http.MethodDelete, fill(t, route.Path, values), nil)
			assert.Equal(t, http.StatusMethodNotAllowed, refused.StatusCode)
			assert.Contains(t, refused.Header.Get("Allow"), "GET")
		})
	}
}

func TestOtherSitesCannotSubmitForms(t *testing.T) {
	w := newWorld(t)
	values := alphaOwns(t, w)
	v := w.as(t, "alpha", console.Admin)
	for _, route := range w.console.Routes() {
		if route.Method == http.MethodPost {
			target := fill(t, route.Path, values)
			res := v.do(t, http.MethodPost, target, url.Values{}, "Sec-Fetch-Site", "cross-site")
			assert.Equal(t, http.StatusForbidden, res.StatusCode, route.Path)
			assert.Contains(t, res.body, "another site")
		}
	}
	assert.Empty(t, w.entries(t, "alpha"))
}

func TestUnknownPages(t *testing.T) {
	w := newWorld(t)
	for _, target := range []string{"/console/nothing", "/console/keys/x", "/console/audit?before=x"} {
		res := w.as(t, "alpha", console.Admin).get(t, target)
		assert.Equal(t, http.StatusNotFound, res.StatusCode, target)
		assert.Contains(t, res.body, "There is no such page")
		assert.Contains(t, res.body, `aria-label="Console"`, "the way on")
	}
	assert.Equal(t, "/console", w.as(t, "alpha", console.Viewer).get(t, "/console/").Header.Get("Location"))
}

// Somebody who may not open a page is not led to it.
func TestNavigation(t *testing.T) {
	w := newWorld(t)
	for role, want := range map[console.Role]bool{console.Viewer: false, console.Admin: true} {
		res := w.as(t, "alpha", role).get(t, "/console")
		assert.Equal(t, want, strings.Contains(res.body, `href="/console/keys"`), role.String())
		assert.Contains(t, res.body, `aria-current="page"`)
	}
}

// TestWhateverIsAskedFor puts texts that are not IDs into every place that takes one: a key of
// DynamoDB has a limit, and the audit log must not take over what somebody typed.
func TestWhateverIsAskedFor(t *testing.T) {
	w := newWorld(t)
	values := alphaOwns(t, w)
	v := w.as(t, "alpha", console.Admin)
	fields := []string{"find", "id", "user", "userId", "before", "sent", "type", "eventType", "at", "by", "graceHours"}
	for name, text := range map[string]string{
		"long": strings.Repeat("abcde", 1000), "the partner's ID of a user": "customer-4711", "a UUID": uuid.NewString(),
	} {
		for _, route := range w.console.Routes() {
			var targets []string
			for _, parameter := range regexp.MustCompile(`\{\w+\}`).FindAllString(route.Path, -1) {
				targets = append(targets, fill(t, strings.Replace(route.Path, parameter, text, 1), values))
			}
			for _, target := range targets {
				res := v.do(t, route.Method, target, url.Values{})
				assert.Contains(t, []int{http.StatusNotFound, http.StatusUnprocessableEntity}, res.StatusCode,
					"%s: %s %s", name, route.Method, route.Path)
			}
			form := url.Values{}
			for _, field := range fields {
				form.Set(field, text)
			}
			target := fill(t, route.Path, values)
			if route.Method == http.MethodGet {
				target += "?" + form.Encode()
			}
			if route.Role > console.Anybody && !strings.HasSuffix(route.Path, "/sign-out") {
				res := v.do(t, route.Method, target, form)
				assert.Less(t, res.StatusCode, http.StatusInternalServerError, "%s: %s %s", name, route.Method, route.Path)
			}
		}
		for _, e := range w.entries(t, "alpha") {
			assert.NotContains(t, e.Detail, text, e.Action)
		}
	}
}

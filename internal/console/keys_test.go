package console_test

import (
	"net/http"
	"net/url"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/console"
	"aviso/internal/console/feed"
	"aviso/internal/identity"
)

// secretOn returns the secret that a page shows.
func secretOn(t *testing.T, body string) string {
	t.Helper()
	found := regexp.MustCompile(`<code>([A-Z0-9]{52})</code>`).FindStringSubmatch(body)
	require.Len(t, found, 2, body)
	return found[1]
}

func TestSecretsAreCreatedAndRevoked(t *testing.T) {
	w := newWorld(t)
	v := w.visitor()
	v.signIn(t, "alpha")
	w.later(time.Hour)
	v.signIn(t, "alpha")
	first := w.secrets["alpha"]

	res := v.post(t, "/console/keys", url.Values{"graceHours": {"24"}})
	require.Equal(t, http.StatusOK, res.StatusCode)
	second := secretOn(t, res.body)
	assert.Contains(t, res.body, "in 1 day")
	for _, secret := range []string{first, second} {
		_, err := w.partners.Authenticate(t.Context(), "alpha", secret)
		require.NoError(t, err)
	}

	res = v.get(t, "/console/keys")
	old := identity.ClientSecret{Hash: identity.HashSecret(first)}.Digest()
	shows(t, res.body, old, "1 hour ago")
	assert.NotContains(t, res.body, second, "it is shown once")

	res = v.post(t, "/console/keys/"+old+"/revoke", url.Values{})
	assert.Equal(t, "/console/keys", res.Header.Get("Location"))
	assert.Contains(t, v.get(t, "/console/keys").body, "The secret "+old+" is revoked.")
	assert.NotContains(t, v.get(t, "/console/keys").body, "is revoked.", "it is said once")
	_, err := w.partners.Authenticate(t.Context(), "alpha", first)
	require.ErrorIs(t, err, identity.ErrInvalidClient)

	newest := identity.ClientSecret{Hash: identity.HashSecret(second)}.Digest()
	res = v.post(t, "/console/keys/"+newest+"/revoke", url.Values{})
	assert.Equal(t, http.StatusConflict, res.StatusCode)
	assert.Contains(t, res.body, "This is the newest secret.")

	entries := w.entries(t, "alpha")
	require.Len(t, entries, 5)
	assert.Equal(t, feed.Refused, entries[0].Result)
	assert.Equal(t, old, entries[1].Detail)
	assert.Equal(t, newest+", the one before has a grace of 24 h", entries[2].Detail)
	hides(t, w.log.String(), first, second)
}

// Whoever replaces the secret that opened the session stays signed in.
func TestReplacingOnesOwnSecret(t *testing.T) {
	w := newWorld(t)
	v := w.visitor()
	v.signIn(t, "alpha")
	res := v.post(t, "/console/keys", url.Values{"graceHours": {"0"}})
	require.Equal(t, http.StatusOK, res.StatusCode)
	secretOn(t, res.body)
	assert.Equal(t, http.StatusOK, v.get(t, "/console/keys").StatusCode)
}

func TestGraceIsChecked(t *testing.T) {
	w := newWorld(t)
	v := w.as(t, "alpha", console.Admin)
	for _, hours := range []string{"", "x", "-1", "721", "9999999999999"} {
		res := v.post(t, "/console/keys", url.Values{"graceHours": {hours}})
		assert.Equal(t, http.StatusUnprocessableEntity, res.StatusCode, hours)
	}
	_, err := w.partners.Authenticate(t.Context(), "alpha", w.secrets["alpha"])
	assert.NoError(t, err)
}

//go:build nightly

package blackbox_test

import (
	"io"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/owner"
)

// operate gives the operator function a command about a partner.
func operate(t *testing.T, command, partner string) {
	t.Helper()
	a := send(t, request{
		method: http.MethodPost, path: noted(t, "lambda-endpoint") + "/2015-03-31/functions/operator/invocations",
		body:   `{"command":"` + command + `","id":"` + partner + `"}`,
		header: map[string]string{"Authorization": "AWS4-HMAC-SHA256 Credential=local"},
	})
	require.Equal(t, http.StatusOK, a.status, string(a.body))
	require.NotContains(t, string(a.body), "errorMessage")
}

// What the operator does to a partner reaches every running instance within a minute, both ways, so this
// takes two. internal/app/disabled_test.go says the same of instances that know nothing from before.
func TestDisabledPartner(t *testing.T) {
	t.Parallel()
	p := ownPartner(t)
	l := p.connected(t, "lindenmark")
	before := p.connection(t, l.ConnectionID).LastSuccessAt
	opened := p.connect(t, p.bank(t, "lindenmark").ID)
	back := visit(t, opened.RedirectURL, "anna", "approve")
	page := signedIn(t, p.id)
	calls := []string{
		"/identity/v1/users/" + p.user, "/openbanking/v1/connections/" + l.ConnectionID, cancellations,
		"/cancellations/v1/search?searchQuery=post", webhookSubscriptions,
	}
	answers := func(status int) {
		t.Helper()
		for _, path := range calls {
			eventually(t, func() bool { return p.send(t, http.MethodGet, path, nil).status == status },
				patience, time.Second, "%s never was %d", path, status)
		}
	}
	answers(http.StatusOK)

	operate(t, "disable-partner", p.id)
	assert.Equal(t, http.StatusUnauthorized, asksForToken(t, p.id, p.id+"-secret"))
	res, err := page.Get(service.baseURL + "/console")
	require.NoError(t, err)
	said, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, http.StatusForbidden, res.StatusCode)
	assert.Contains(t, string(said), "Your company is disabled")
	answers(http.StatusUnauthorized)
	for _, address := range []string{opened.RedirectURL, back} {
		shut := browse(t, http.MethodGet, address, nil)
		assert.Equal(t, http.StatusForbidden, shut.status)
		assert.Contains(t, string(shut.body), `<html lang="de"`)
	}

	operate(t, "enable-partner", p.id)
	time.Sleep(time.Minute) // bank-sync, which nobody can ask, would hold the sync for five
	eventually(t, func() bool { return p.connection(t, l.ConnectionID).LastSuccessAt.Equal(before) }, patience, time.Second)
	status, _ := outcome(t, back)
	assert.Equal(t, "success", status, "the user's way was not used up")
	p.until(t, opened.ConnectionID, synced)
}

// ownPartner creates a partner that no other test uses, with the secret that token expects.
func ownPartner(t *testing.T) partner {
	t.Helper()
	id := "walk-" + uuid.NewString()[:8]
	partners := identity.NewRegistrar(identitydb.New(tables(t), "IdentityTable"), time.Now,
		func() string { return id + "-secret" })
	_, _, err := partners.Create(t.Context(), identity.Partner{
		ID: owner.PartnerID(id), Name: "Walk GmbH", Scopes: identity.Scopes(), ReturnURLs: []string{returnURL},
	})
	require.NoError(t, err)
	return anotherPartner(t, id)
}

// asksForToken returns the answer's status.
func asksForToken(t *testing.T, id, secret string) int {
	t.Helper()
	return send(t, request{
		method: http.MethodPost, path: "/oauth2/token",
		header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"},
		body: url.Values{
			"grant_type": {"client_credentials"}, "client_id": {id}, "client_secret": {secret},
		}.Encode(),
	}).status
}

package blackbox_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/owner"
)

// ownPartner creates a partner that no other test uses, with the secret that token expects.
func ownPartner(t *testing.T) partner {
	t.Helper()
	id := "walk-" + uuid.NewString()[:8]
	partners := identity.NewRegistrar(
		identitydb.New(tables(t), "IdentityTable"), time.Now, func() string { return id + "-secret" },
	)
	_, _, err := partners.Create(t.Context(), identity.Partner{
		ID: owner.PartnerID(id), Name: "Walk GmbH", Scopes: identity.Scopes(), ReturnURLs: []string{returnURL},
	})
	require.NoError(t, err)
	return newPartner(t, id)
}

// externalID reads the partner's own ID for its user.
func (p partner) externalID(t *testing.T) string {
	t.Helper()
	var out struct {
		Data struct{ User struct{ ExternalID string } }
	}
	p.send(t, http.MethodGet, "/identity/v1/users/"+p.user, nil).decode(t, &out)
	return out.Data.User.ExternalID
}

// Somebody moves a user's clock by a year in the console, reads what happened to the user and
// what to do, replaces the client secret and signs out. Scripts are off. The bank is one that
// is not read every day, so that the year is short.
func TestReadAUsersYearInTheConsole(t *testing.T) {
	t.Parallel()
	p, ctx := ownPartner(t), browser(t)
	deaf := newReceiver(t, answering(http.StatusInternalServerError, ""))
	p.subscribe(t, deaf, "connection.expired")
	link := p.connected(t, "banque-des-saules")
	p.cancel(t, letterTo(p.product(t, "Einschreiben oder Fax")))

	require.NoError(t, chromedp.Do(ctx,
		chromedp.Navigate(service.baseURL+"/console/users"),
		chromedp.SetValue(chromedp.CSS("#clientId"), p.id),
		chromedp.SetValue(chromedp.CSS("#clientSecret"), "not "+p.id+"-secret"),
	))
	press(ctx, t, "main button", "The client ID or the secret is wrong.")
	require.NoError(t, chromedp.Do(ctx, chromedp.SetValue(chromedp.CSS("#clientSecret"), p.id+"-secret")))
	press(ctx, t, "main button", "Users to whom something happened")
	require.NoError(t, chromedp.Do(ctx, chromedp.SetValue(chromedp.CSS("#find-id"), p.externalID(t))))
	user := "/console/users/" + p.user
	press(ctx, t, "main form button", p.user)
	reload := func(text string) { // what happened comes a little later
		eventually(t, func() bool {
			require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(service.baseURL+user)))
			return strings.Contains(see(ctx, t, "main"), text)
		}, patience, time.Second, "the page never said %q", text)
	}
	reload("The user authorised access at the bank.")

	press(ctx, t, chromedp.CSS(`main a[href="/console/sandbox/clock/`+p.user+`"]`), "The consent ends")
	require.NoError(t, chromedp.Do(ctx, chromedp.SetValue(chromedp.CSS("#advance-by"), "year")))
	press(ctx, t, "main section form button", "The clock is on its way to")
	seeInConsole(ctx, t, "Ready") // the page reloads until then
	assert.NotContains(t, see(ctx, t, "main"), "never moved")
	press(ctx, t, chromedp.CSS(`main .actions a[href="`+user+`"]`), p.user)
	reload("The user's consent has ended.")
	expired := deaf.await(t, "the end of the consent", about(p, "connection.expired"))
	reload("given up")
	for _, said := range []string{
		"All accounts were read from the bank.", "The letter reached the organization.", "The user's consent ends soon.",
		"connection.expired", "POST /openbanking/v1/connections/{connectionId}/reconnect",
	} {
		assert.Contains(t, see(ctx, t, "main"), said)
	}
	press(ctx, t, chromedp.CSS(`a[href="/console/events/`+expired.EventID+`"]`), `"statusReason": "ConsentExpired"`)
	assert.Contains(t, see(ctx, t, "main"), "500")
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(service.baseURL+"/console/connections/"+link.ConnectionID)))
	seeInConsole(ctx, t, "The consent's time is up.")

	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(service.baseURL+"/console/keys")))
	press(ctx, t, "main .confirm summary", "Grace period")
	press(ctx, t, ".confirm form button", "Your new client secret")
	secret := see(ctx, t, ".block code")
	assert.Equal(t, http.StatusOK, asksForToken(t, p.id, secret))
	press(ctx, t, "main .actions .button", "In its grace period")
	press(ctx, t, "td .confirm summary", "get no tokens from now on")
	press(ctx, t, "td .confirm form button", "is revoked.")
	assert.Equal(t, http.StatusUnauthorized, asksForToken(t, p.id, p.id+"-secret"))

	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(service.baseURL+"/console/audit")))
	for _, did := range []string{"Advanced a user's clock", "Created a client secret", "Revoked a client secret"} {
		assert.Contains(t, see(ctx, t, "main"), did)
	}
	press(ctx, t, "header form button", "Client secret")
	for _, path := range []string{user, "/console/keys"} {
		require.NoError(t, chromedp.Do(ctx, chromedp.Navigate(service.baseURL+path)))
		heading(ctx, t, "Sign in")
	}
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

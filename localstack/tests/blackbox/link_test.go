package blackbox_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reconnect asks for a new link of the connection.
func (p partner) reconnect(t *testing.T, id string) link {
	t.Helper()
	a := p.send(t, http.MethodPost, "/openbanking/v1/connections/"+id+"/reconnect", map[string]any{"returnUrl": returnURL})
	require.Equal(t, http.StatusCreated, a.status, string(a.body))
	var out struct{ Data link }
	a.decode(t, &out)
	return out.Data
}

// A connectionId is in return URLs and webhooks, so other people know it.
func TestConnectionIDAloneOpensNothing(t *testing.T) {
	p := newPartner(t, "sandbox")
	l := p.connected(t, "lindenmark")
	before, accounts := p.connection(t, l.ConnectionID), p.accounts(t)
	renewed := p.reconnect(t, l.ConnectionID)
	bare := service.baseURL + "/connect?connectionId=" + l.ConnectionID
	for _, address := range []string{bare, bare + "&link=", bare + "&link=GUESS", l.RedirectURL, renewed.RedirectURL + "X"} {
		a := browseWith(t, cookies(t), http.MethodGet, address, nil)
		assert.Equal(t, http.StatusNotFound, a.status)
		assert.Empty(t, a.header.Values("Set-Cookie"))
		assert.Equal(t, "no-referrer", a.header.Get("Referrer-Policy"))
	}
	assert.Equal(t, before, p.connection(t, l.ConnectionID))
	assert.Equal(t, accounts, p.accounts(t))
}

// Somebody who sends another person the bank's page must not get that person's accounts.
func TestCallbackInAnotherBrowserChangesNothing(t *testing.T) {
	p := newPartner(t, "sandbox")
	bank := p.bank(t, "lindenmark").ID
	l := p.connect(t, bank)
	page := open(t, l.RedirectURL)
	callback := decide(t, page, "anna", "approve")
	before := p.connection(t, l.ConnectionID)
	without, other := cookies(t), cookies(t)
	require.Equal(t, http.StatusFound, browseWith(t, other, http.MethodGet, p.connect(t, bank).RedirectURL, nil).status)
	for _, browser := range []http.CookieJar{nil, without, other} {
		a := browseWith(t, browser, http.MethodGet, callback, nil)
		assert.Equal(t, http.StatusForbidden, a.status)
		assert.Contains(t, string(a.body), "Please go back to the browser you started in")
		assert.Equal(t, before, p.connection(t, l.ConnectionID))
	}
	status, id := outcome(t, callback)
	assert.Equal(t, "success", status, "the right browser can still finish")
	assert.Equal(t, l.ConnectionID, id)
}

func TestReconnectWithOtherAccounts(t *testing.T) {
	p := newPartner(t, "sandbox")
	l := p.connected(t, "lindenmark")
	before, accounts, rows := p.connection(t, l.ConnectionID), p.accounts(t), p.transactions(t, "200")

	status, _ := outcome(t, visit(t, p.reconnect(t, l.ConnectionID).RedirectURL, "family", "approve"))
	assert.Equal(t, "success", status, "at the bank")
	c := p.until(t, l.ConnectionID, func(c connection) bool { return c.ConnectionStatus != "Active" })
	assert.Equal(t, "ActionRequired", c.ConnectionStatus)
	assert.Equal(t, "AccountsMismatch", c.StatusReason)
	assert.Equal(t, before.LastSuccessAt, c.LastSuccessAt)
	ids := func() []string {
		var all []string
		for _, a := range p.accounts(t) {
			all = append(all, a.AccountID)
		}
		return all
	}
	mixed := ids()
	require.Len(t, mixed, len(accounts))
	assert.Equal(t, rows, p.transactions(t, "200"))

	status, _ = outcome(t, visit(t, p.reconnect(t, l.ConnectionID).RedirectURL, "anna", "approve"))
	assert.Equal(t, "success", status)
	c = p.until(t, l.ConnectionID, func(c connection) bool { return c.LastSuccessAt.After(before.LastSuccessAt) })
	assert.Equal(t, "Active", c.ConnectionStatus)
	assert.Empty(t, c.StatusReason)
	assert.ElementsMatch(t, mixed, ids())
	assert.Len(t, p.transactions(t, "200"), len(rows))
}

// Another site must not press the buttons of the bank's page.
func TestConsentFormRefusesOtherSites(t *testing.T) {
	p := newPartner(t, "sandbox")
	l := p.connect(t, p.bank(t, "lindenmark").ID)
	page := open(t, l.RedirectURL)
	login := resolve(t, page, action(t, browse(t, http.MethodGet, page, nil)))
	form := url.Values{"persona": {"anna"}, "decision": {"approve"}, "account[]": {"current"}}.Encode()
	for _, header := range [][2]string{{"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "cross-site"}} {
		for _, address := range []string{page, login} {
			a := send(t, request{
				method: http.MethodPost, path: address, body: form,
				header: map[string]string{"Content-Type": "application/x-www-form-urlencoded", header[0]: header[1]},
			})
			assert.Equal(t, http.StatusForbidden, a.status, header)
			assert.Empty(t, a.header.Get("Location"))
		}
	}
	assert.Equal(t, "Pending", p.connection(t, l.ConnectionID).ConnectionStatus)
	assert.True(t, strings.HasPrefix(decide(t, page, "anna", "approve"), service.baseURL+"/connect/callback"), "still open")
}

package blackbox_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// atAggregator is a user's browser without scripts: it opens the link and decides on the
// aggregator's page. It returns where it is sent at the end, without going there.
func atAggregator(t *testing.T, redirectURL, persona, decision string) string {
	t.Helper()
	address := open(t, redirectURL)
	page := browse(t, http.MethodGet, address, nil)
	require.Equal(t, http.StatusOK, page.status, string(page.body))
	page = browse(t, http.MethodPost, resolve(t, address, action(t, page)),
		url.Values{"persona": {persona}, "decision": {decision}})
	require.Equal(t, http.StatusSeeOther, page.status, string(page.body))
	return page.header.Get("Location")
}

// accountIDs are the user's accounts, by IBAN and currency.
func (p partner) accountIDs(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, a := range p.accounts(t) {
		all[a.AccountName+a.IBAN] = a.AccountID
	}
	return all
}

func TestAggregatorJourney(t *testing.T) {
	p := newPartner(t, "sandbox")
	bank := p.bank(t, "aggregator")
	var told struct {
		Data struct {
			Provider struct{ Meta map[string]string }
		}
	}
	p.send(t, http.MethodGet, "/openbanking/v1/providers/"+bank.ID, nil).decode(t, &told)
	assert.Equal(t, "Aggregator", told.Data.Provider.Meta["supplier"])

	l := p.connect(t, bank.ID)
	callback := atAggregator(t, l.RedirectURL, "anna", "approve")
	status, id := outcome(t, callback)
	require.Equal(t, "success", status)
	assert.Equal(t, l.ConnectionID, id)
	first := p.until(t, l.ConnectionID, synced)
	assert.Equal(t, "Active", first.ConnectionStatus)
	assert.WithinDuration(t, time.Now().AddDate(0, 0, 180), first.ConsentExpiresAt, 48*time.Hour)
	accounts, rows := p.accountIDs(t), p.transactions(t, "200")
	require.NotEmpty(t, accounts)
	require.NotEmpty(t, rows)
	for _, a := range p.accounts(t) {
		assert.NotEmpty(t, a.Balance)
	}

	t.Run("the callback works once", func(t *testing.T) {
		again := browse(t, http.MethodGet, callback, nil)
		assert.NotEqual(t, http.StatusFound, again.status)
		assert.Equal(t, "Active", p.connection(t, l.ConnectionID).ConnectionStatus)
	})

	t.Run("refresh", func(t *testing.T) {
		ageBy(t, p, l.ConnectionID, 7*time.Hour)
		old := p.connection(t, l.ConnectionID)
		accepted := p.send(t, http.MethodPost, "/openbanking/v1/connections/"+l.ConnectionID+"/refresh", nil,
			"X-Psu-Ip-Address", "203.0.113.7")
		require.Equal(t, http.StatusAccepted, accepted.status, string(accepted.body))
		p.until(t, l.ConnectionID, func(c connection) bool { return c.LastSuccessAt.After(old.LastSuccessAt) })
		assert.Equal(t, accounts, p.accountIDs(t))
	})

	t.Run("reconnect", func(t *testing.T) {
		before := p.connection(t, l.ConnectionID)
		status, id := outcome(t, atAggregator(t, p.reconnect(t, l.ConnectionID).RedirectURL, "anna", "approve"))
		require.Equal(t, "success", status)
		assert.Equal(t, l.ConnectionID, id)
		p.until(t, l.ConnectionID, func(c connection) bool { return c.LastSuccessAt.After(before.LastSuccessAt) })
		assert.Equal(t, accounts, p.accountIDs(t), "a session has new IDs, and the hashes stay")
		known := map[string]bool{}
		for _, row := range p.transactions(t, "200") {
			known[row.ID] = true
		}
		for _, row := range rows {
			assert.True(t, known[row.ID], "row %s is gone", row.ID)
		}
	})

	deleted := p.send(t, http.MethodDelete, "/openbanking/v1/connections/"+l.ConnectionID, nil)
	require.Equal(t, http.StatusNoContent, deleted.status, string(deleted.body))
	eventually(t, func() bool { return deletionIsOver(t, l.ConnectionID) }, patience, 100*time.Millisecond)
}

func TestAggregatorRefused(t *testing.T) {
	p := newPartner(t, "sandbox")
	l := p.connect(t, p.bank(t, "aggregator").ID)
	status, _ := outcome(t, atAggregator(t, l.RedirectURL, "anna", "refuse"))
	assert.Equal(t, "cancelled", status)
	assert.Equal(t, "UserCancelled", p.connection(t, l.ConnectionID).StatusReason)
}

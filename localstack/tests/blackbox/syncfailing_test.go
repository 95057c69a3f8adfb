package blackbox_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// refresh requests a sync as soon as the one before has ended.
func (p partner) refresh(t *testing.T, connectionID string) {
	t.Helper()
	eventually(t, func() bool {
		age(t, p, connectionID)
		a := p.send(t, http.MethodPost, "/openbanking/v1/connections/"+connectionID+"/refresh", nil, "X-Psu-Ip-Address", "203.0.113.7")
		return a.status == http.StatusAccepted
	}, patience, 100*time.Millisecond, "no refresh was accepted")
}

// Partners hear once that syncs fail, however often they do, and once that they work
// again.
func TestFailingSyncs(t *testing.T) {
	p, r := newPartner(t, "sandbox-2"), newReceiver(t, nil)
	p.subscribe(t, r, "connection.sync_failed", "connection.sync_recovered")
	l := p.connected(t, "lindenmark")
	type data struct{ ConnectionID, ConnectionStatus, StatusReason string }
	told := func(eventType string) (d data) {
		r.await(t, eventType, about(p, eventType)).decode(t, &d)
		return d
	}

	tellBank(t, l.ConnectionID, "block")
	p.refresh(t, l.ConnectionID)
	assert.Equal(t, data{l.ConnectionID, "Active", "SupplierRejected"}, told("connection.sync_failed"))
	p.refresh(t, l.ConnectionID)
	p.refresh(t, l.ConnectionID) // the one before has failed, too
	assert.Empty(t, r.all(about(p, "connection.sync_recovered")))

	tellBank(t, l.ConnectionID, "normal")
	p.refresh(t, l.ConnectionID)
	assert.Equal(t, data{l.ConnectionID, "Active", ""}, told("connection.sync_recovered"))
	p.until(t, l.ConnectionID, func(c connection) bool { return c.StatusReason == "" })
	assert.Len(t, r.all(func(callback) bool { return true }), 2)
}

// A bank that gives its rows other IDs changes nothing that a partner sees.
func TestReissuedIDs(t *testing.T) {
	p := newPartner(t, "sandbox")
	l := p.connected(t, "lindenmark")
	changes := func(since string) (count int, next string) {
		t.Helper()
		for {
			var out struct {
				Data struct {
					Changes []struct{ Change string }
					Since   string
				}
			}
			a := p.send(t, http.MethodGet, "/openbanking/v1/transactions/changes?limit=200&since="+url.QueryEscape(since), nil)
			require.Equal(t, http.StatusOK, a.status, string(a.body))
			a.decode(t, &out)
			if since = out.Data.Since; len(out.Data.Changes) == 0 {
				return count, since
			}
			count += len(out.Data.Changes)
		}
	}
	first, since := changes("")
	require.NotZero(t, first)
	list := func() string {
		var out struct{ Data json.RawMessage }
		p.send(t, http.MethodGet, "/openbanking/v1/transactions?limit=20", nil).decode(t, &out)
		return string(out.Data)
	}
	was, synced := list(), p.connection(t, l.ConnectionID).LastSuccessAt
	tellBank(t, l.ConnectionID, "reissue-ids")
	p.refresh(t, l.ConnectionID)
	p.until(t, l.ConnectionID, func(c connection) bool { return c.LastSuccessAt.After(synced) })
	count, _ := changes(since)
	assert.Zero(t, count)
	assert.Equal(t, was, list(), "updatedAt included")
}

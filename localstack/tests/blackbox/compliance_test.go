package blackbox_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Rate limits roll (Actual Budget 4854, Revolut's limits): what was read before midnight counts after it.
func TestFourReadsIn24HoursAroundMidnight(t *testing.T) {
	p := newPartner(t, "sandbox")
	l := p.connected(t, "lindenmark")
	now := p.clock(t).Now.UTC()
	evening := now.Truncate(24 * time.Hour).Add(46*time.Hour + 50*time.Minute) // 22:50 tomorrow
	p.advance(t, "PT"+strconv.Itoa(int(evening.Sub(now).Minutes()))+"M")
	reads := []time.Time{p.connection(t, l.ConnectionID).LastSuccessAt}
	refusals := 0
	for range 8 { // to half past midnight
		a := p.send(t, http.MethodPost, "/openbanking/v1/connections/"+l.ConnectionID+"/refresh", nil)
		if a.status == http.StatusAccepted {
			c := p.until(t, l.ConnectionID, func(c connection) bool { return c.LastSuccessAt.After(reads[len(reads)-1]) })
			reads = append(reads, c.LastSuccessAt)
		} else {
			assert.Equal(t, "refresh_too_early", a.problem(t).Code)
			refusals++
		}
		p.advance(t, "PT13M")
	}
	assert.Positive(t, refusals)
	for i := 4; i < len(reads); i++ {
		assert.GreaterOrEqual(t, reads[i].Sub(reads[i-4]), 24*time.Hour)
	}
	assert.Len(t, reads, 4)

	attended := p.send(t, http.MethodPost, "/openbanking/v1/connections/"+l.ConnectionID+"/refresh", nil,
		"X-Psu-Ip-Address", "203.0.113.7")
	assert.Equal(t, http.StatusAccepted, attended.status, "with the user present")
}

// Rules for open banking elsewhere (Australia's CDR) want data to go when its consent has ended. Here it goes after 90
// days, and partners hear of it two weeks before.
func TestDataOfAnEndedConnectionGoes(t *testing.T) {
	p, r := newPartner(t, "sandbox"), newReceiver(t, nil)
	p.subscribe(t, r, "connection.data_expiring", "connection.deleted")
	l := p.connected(t, "lindenmark")
	tellBank(t, l.ConnectionID, "revoke") // an expiry would take 180 days of syncs
	p.advance(t, "P1D")
	require.Equal(t, "Revoked", p.connection(t, l.ConnectionID).ConnectionStatus)
	p.advance(t, "P80D")
	var told struct{ DataExpiresAt time.Time }
	r.await(t, "connection.data_expiring", about(p, "connection.data_expiring")).decode(t, &told)
	assert.WithinDuration(t, p.clock(t).Now.AddDate(0, 0, 10), told.DataExpiresAt, 48*time.Hour)
	assert.NotEmpty(t, p.transactions(t, "200"))
	p.advance(t, "P15D")
	r.await(t, "connection.deleted", about(p, "connection.deleted"))
	p.refused(t, http.MethodGet, "/openbanking/v1/connections/"+l.ConnectionID, nil, 404, "not_found")
	eventually(t, func() bool { return len(p.transactions(t, "200")) == 0 }, patience, time.Second, "its data is still there")
}

// Who finds an identifier wrong may have it corrected (GDPR, article 16).
func TestExternalIDIsCorrected(t *testing.T) {
	p, other := newPartner(t, "sandbox"), anotherPartner(t, "sandbox")
	right := uuid.NewString()
	path := "/identity/v1/users/" + p.user
	a := p.send(t, http.MethodPatch, path, map[string]any{"externalId": right})
	require.Equal(t, http.StatusOK, a.status, string(a.body))
	found := p.send(t, http.MethodGet, "/identity/v1/users?externalId="+right, nil)
	assert.Contains(t, string(found.body), p.user)
	other.refused(t, http.MethodPatch, "/identity/v1/users/"+other.user, map[string]any{"externalId": right}, 409, "conflict")
}

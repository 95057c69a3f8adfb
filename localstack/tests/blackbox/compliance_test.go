package blackbox_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
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

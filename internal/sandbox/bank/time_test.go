package bank_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
)

// in returns headers that tell the time of a customer who is this far ahead.
func (p *TPP) in(ahead time.Duration) Headers {
	return Headers{clock.Header: p.Now.UTC().Add(ahead).Format("2006-01-02T15:04:05.000Z")}
}

const day = 24 * time.Hour

func TestTheBankFollowsTheTimeOfItsCustomer(t *testing.T) {
	p, id, a := open(t, "lindenmark")
	now := everything(t, p, id, a, "both", recent)
	require.NotEmpty(t, now.pending)
	other, page := p.Request(t, ConsentBody)
	p.Post(t, page, url.Values{"persona": {"anna"}, "customer": {"2"}, "account[]": {"current"}, "decision": {"approve"}})
	theirs := accounts(t, p, other, "")[0]

	p.Told = p.in(40 * day)
	later := everything(t, p, id, a, "both", recent)
	today := p.Now.Add(40 * day).Format(time.DateOnly)
	var salaries int
	booked := map[string]bool{}
	for _, r := range later.booked {
		booked[r.TransactionID] = true
		assert.LessOrEqual(t, r.BookingDate, today)
		if r.BookingDate > p.Now.Format(time.DateOnly) && r.TransactionAmount.Amount[0] != '-' {
			salaries++
		}
	}
	assert.Positive(t, salaries, "the persona goes on living")
	assert.Greater(t, len(later.booked), len(now.booked)+len(now.pending))
	for _, r := range now.booked {
		assert.True(t, booked[r.TransactionID], "what was booked stays")
	}
	known := map[string]bool{}
	for _, r := range later.booked {
		known[content(r)] = true
	}
	var became int
	for _, r := range now.pending {
		if known[content(r)] {
			became++
		}
	}
	assert.Positive(t, became, "what was pending is booked")

	p.Told = nil
	assert.Len(t, everything(t, p, other, theirs, "both", recent).booked, len(now.booked), "another customer's time is real")
}

// The pages of the customer's browser and of the developer do not tell the time.
func TestPagesFollowTheTimeThatTheServiceHasTold(t *testing.T) {
	p, id, a := open(t, "lindenmark")
	p.Told = p.in(40 * day)
	require.Equal(t, http.StatusOK, readAccounts(t, p, id).StatusCode)
	p.Told = nil
	p.Tell(t, "add-booked", "account", "current")
	p.Told = p.in(40 * day)
	added := everything(t, p, id, a, "booked", p.Now.Add(40*day).Format(time.DateOnly))
	assert.NotEmpty(t, added.booked, "on the customer's day")

	p.Told = p.in(181 * day)
	assert.Equal(t, "CONSENT_EXPIRED", Code(t, readAccounts(t, p, id)))
	assert.Equal(t, "expired", status(t, p, id))
	p.Told = nil
	assert.Equal(t, "expired", p.Newest(t).Status)

	p.Told = p.in(181 * day)
	anew, page := p.Request(t, ConsentBody)
	p.Told = nil
	p.Now = p.Now.Add(29 * time.Minute)
	res := p.Post(t, page, url.Values{
		"persona": {"anna"}, "customer": {Customer}, "account[]": {"current"}, "decision": {"approve"},
	})
	require.Equal(t, http.StatusSeeOther, res.StatusCode)
	assert.Equal(t, "valid", p.Newest(t).Status)
	p.Told = p.in(181 * day)
	assert.Equal(t, http.StatusOK, readAccounts(t, p, anew).StatusCode)
	assert.Equal(t, p.Now.Add(181*day).Format(time.DateOnly), consent(t, p, anew).LastActionDate)

	_, late := p.Request(t, ConsentBody)
	p.Told = nil
	p.Now = p.Now.Add(31 * time.Minute)
	assert.Equal(t, http.StatusGone, p.Get(t, late).StatusCode, "a link ends after 30 minutes of the customer's time")
}

// A day's unattended reads are those of the customer's day.
func TestUnattendedReadsOfTheCustomersDay(t *testing.T) {
	p, id, _ := open(t, "lindenmark")
	read := func() int { return p.Do(t, "GET", "/v1/accounts", With(id), "").StatusCode }
	for range 4 {
		require.Equal(t, http.StatusOK, read())
	}
	require.Equal(t, http.StatusTooManyRequests, read())
	p.Told = p.in(day)
	assert.Equal(t, http.StatusOK, read())
}

func TestOnlyATimeInTheFutureCounts(t *testing.T) {
	p, id, _ := open(t, "lindenmark")
	for _, told := range []string{"", "soon", "2999-01-01", "1990-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z"} {
		p.Told = Headers{clock.Header: told}
		assert.Equal(t, "valid", status(t, p, id), told)
	}
	p.Told = nil
	assert.Equal(t, "valid", p.Newest(t).Status)
}

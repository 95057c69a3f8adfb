//go:build nightly

package blackbox_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// times are when the events happened, in the order in which they arrived.
func times(callbacks []callback) (all []time.Time) {
	for _, c := range callbacks {
		all = append(all, c.OccurredAt)
	}
	return all
}

// Two years of a user in a minute: twelve months of rows, a consent that ends and is
// renewed, a registered letter that comes back and goes by fax, and callbacks that nobody
// takes. Another user of the partner has no part in it. It runs alone, because it takes all
// that the machine has.
func TestAYearOfAUser(t *testing.T) {
	began := time.Now()
	p, other := anotherPartner(t, "sandbox"), anotherPartner(t, "sandbox")
	r := newReceiver(t, nil)
	refusing := newReceiver(t, func(w http.ResponseWriter, c callback) bool {
		w.WriteHeader(http.StatusInternalServerError)
		return true
	})
	p.subscribe(t, r, "*")
	deaf, _ := p.subscribe(t, refusing, "connection.expired", "cancellation.delivered", "connection.expiring")
	l, elsewhere := p.connected(t, "lindenmark"), other.connected(t, "lindenmark")
	start, rows := p.clock(t).Now, len(p.allRows(t))

	body := letterTo(p.product(t, "Einschreiben oder Fax"))
	letter := p.cancel(t, body)
	p.untilCancellation(t, letter.CancellationID, stands("Sent"))
	letters := atCarriers(t, letter.CancellationID)
	require.Len(t, letters, 1)
	browse(t, http.MethodPost, service.baseURL+"/sandbox/letters/"+letters[0].ID, map[string][]string{"action": {"bounce"}})

	month := p.advance(t, "P1M")
	assert.WithinDuration(t, start.AddDate(0, 1, 0), month.Now, 2*time.Minute)
	done := p.cancellation(t, letter.CancellationID)
	assert.Equal(t, "Created Queued Sent Queued Sent Delivered", done.steps())
	assert.Equal(t, "Fax", done.Channel)

	for range 4 {
		p.advance(t, "P1M")
	}
	active := p.connection(t, l.ConnectionID)
	assert.Equal(t, "Active", active.ConnectionStatus)
	assert.WithinDuration(t, p.clock(t).Now, active.LastSuccessAt, 24*time.Hour, "it is read every day")
	halfYear := p.allRows(t)
	assert.Greater(t, len(halfYear), rows, "the bank goes on living")
	p.advance(t, "P2M")

	t.Run("the consent ends after 180 days, with its notices before", func(t *testing.T) {
		c := p.connection(t, l.ConnectionID)
		assert.Equal(t, "Expired", c.ConnectionStatus)
		assert.Equal(t, "ConsentExpired", c.StatusReason)
		expired := r.await(t, "connection.expired", about(p, "connection.expired"))
		notices := times(r.all(about(p, "connection.expiring")))
		require.Len(t, notices, 2)
		const day, banksMidnight = 24 * time.Hour, 3 * time.Hour // before ours
		assert.InDelta(t, 7*day, expired.OccurredAt.Sub(notices[0]), float64(banksMidnight))
		assert.InDelta(t, 1*day, expired.OccurredAt.Sub(notices[1]), float64(banksMidnight))
		end := start.UTC().Truncate(day).Add(180 * day) // the first day counts
		assert.WithinRange(t, expired.OccurredAt, end.Add(-banksMidnight), end)
	})
	t.Run("what happens while the clock is advanced arrives in its order", func(t *testing.T) {
		all := times(r.all(func(c callback) bool {
			return c.UserID != nil && *c.UserID == p.user && c.OccurredAt.After(start.Add(time.Hour))
		}))
		assert.Greater(t, len(all), 20)
		assert.True(t, slices.IsSortedFunc(all, time.Time.Compare), "%v", all)
	})
	t.Run("three callbacks each were made, and given up", func(t *testing.T) {
		exhausted := 0
		for _, a := range p.attempts(t, deaf) {
			if a.NextAttemptAt == nil && a.AttemptNumber == 3 && strings.Contains(string(a.Payload), p.user) {
				exhausted++
			}
		}
		assert.Equal(t, 4, exhausted, "two notices, the end of the consent, and the letter")
	})

	t.Run("the consent is renewed", func(t *testing.T) {
		status, _ := outcome(t, visit(t, p.reconnect(t, l.ConnectionID).RedirectURL, "anna", "approve"))
		require.Equal(t, "success", status)
		before := p.clock(t).Now
		p.advance(t, "P5M")
		c := p.connection(t, l.ConnectionID)
		assert.Equal(t, "Active", c.ConnectionStatus)
		assert.True(t, c.LastSuccessAt.After(before))
	})
	all := p.allRows(t)
	assert.Greater(t, len(all), len(halfYear))
	months, fortnight := map[string]bool{}, p.clock(t).Now.AddDate(0, 0, -14)
	for _, row := range all {
		if row.RecordDate.After(start) {
			months[row.RecordDate.Format("2006-01")] = true
		}
		assert.False(t, row.RecordState == "Uncleared" && row.RecordDate.Before(fortnight), "%+v is still pending", row)
	}
	assert.GreaterOrEqual(t, len(months), 12, "rows of every month")

	p.advance(t, "P12M")
	t.Run("after two years, nobody else's time has moved", func(t *testing.T) {
		assert.WithinDuration(t, time.Now(), other.clock(t).Now, time.Minute)
		c := other.connection(t, elsewhere.ConnectionID)
		assert.Equal(t, "Active", c.ConnectionStatus)
		assert.True(t, c.LastSuccessAt.Before(start.Add(time.Hour)))
		assert.Empty(t, r.all(func(c callback) bool {
			return c.UserID != nil && *c.UserID == other.user && c.OccurredAt.After(time.Now())
		}))
	})
	t.Run("a simulated event has the time of the user whom it is about", func(t *testing.T) {
		body := map[string]any{"eventType": "webhook.ping", "userId": p.user}
		a := other.send(t, http.MethodPost, "/webhooks/v1/events", body)
		require.Equal(t, http.StatusAccepted, a.status, string(a.body))
		simulated := r.await(t, "webhook.ping", about(p, "webhook.ping"))
		assert.WithinDuration(t, p.clock(t).Now, simulated.OccurredAt, time.Minute)
	})
	t.Run("what users share stays in real time", func(t *testing.T) {
		ours := regexp.MustCompile(`"(createdAt|updatedAt|failingSince|lastAcknowledgedAt|startedAt|nextAttemptAt|expiresAt)":` +
			`"(20\d\d[^"]+)"`)
		late, _ := p.subscribe(t, newReceiver(t, nil), "webhook.ping") // by a request for the user
		for _, path := range []string{deaf, late} {
			a := p.send(t, http.MethodPost, path+"/secrets", nil)
			require.Equal(t, http.StatusCreated, a.status, string(a.body))
			for _, kind := range []string{"", "/secrets", "/attempts?limit=200"} {
				shown := p.send(t, http.MethodGet, path+kind, nil)
				for _, at := range ours.FindAllStringSubmatch(string(shown.body), -1) {
					when, err := time.Parse(time.RFC3339, at[2])
					require.NoError(t, err)
					assert.WithinRange(t, when, began.Add(-time.Minute), time.Now().Add(26*time.Hour), "%s of %s%s", at[1], path, kind)
				}
			}
		}
		assert.Contains(t, string(p.send(t, http.MethodGet, deaf, nil).body), `"status":"Active"`, "five days have not passed")
	})
	t.Log("the year took", time.Since(began).Round(time.Second))
}

// allRows reads all of the user's transactions.
func (p partner) allRows(t *testing.T) (rows []testRow) {
	t.Helper()
	for next := ""; ; {
		var out struct {
			Data struct{ Transactions []testRow }
			Meta struct{ Pagination struct{ NextToken string } }
		}
		p.send(t, http.MethodGet, "/openbanking/v1/transactions?limit=200&nextToken="+next, nil).decode(t, &out)
		rows = append(rows, out.Data.Transactions...)
		if next = out.Meta.Pagination.NextToken; next == "" {
			return rows
		}
	}
}

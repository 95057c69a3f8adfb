package connection

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
)

func TestDue(t *testing.T) {
	link := &Authorisation{ExpiresAt: monday.Add(LinkLifetime)}
	refreshed := Connection{ID: "c", Status: Active, AutomaticFetch: true, SyncEndedAt: monday, RefreshTimeoutMinutes: 60}
	change := func(f func(*Connection)) Connection {
		c := refreshed
		f(&c)
		return c
	}
	for _, tt := range []struct {
		name string
		c    Connection
		kind DueKind
		at   time.Time
	}{
		{"nothing", Connection{Status: Active}, "", time.Time{}},
		{"the link's expiry", Connection{Authorisation: link}, DueLink, link.ExpiresAt},
		{"a lost sync", Connection{SyncRequestedAt: monday}, DueSync, monday.Add(2 * time.Hour)},
		{"the link's expiry first", Connection{Authorisation: link, SyncRequestedAt: monday}, DueLink, link.ExpiresAt},
		{"the sync first", Connection{Authorisation: link, SyncRequestedAt: monday.Add(-2 * time.Hour)}, DueSync, monday},
		{"the first notice before the consent's expiry", Connection{
			Status: Active, ConsentExpiresAt: monday,
		}, DueNotice, monday.AddDate(0, 0, -7)},
		{"the second notice", Connection{Status: Active, ConsentExpiresAt: monday, LastNotice: 7}, DueNotice, monday.AddDate(0, 0, -1)},
		{"the consent's expiry", Connection{Status: Active, ConsentExpiresAt: monday, LastNotice: 1}, DueConsent, monday},
		{"nothing for a consent that has ended", Connection{Status: Revoked, ConsentExpiresAt: monday}, "", time.Time{}},
		{"the next refresh", refreshed, DueRefresh, monday.Add(6 * time.Hour)},
		{"the next refresh, not before refreshTimeoutMinutes have passed", change(
			func(c *Connection) { c.RefreshTimeoutMinutes = 600 },
		), DueRefresh, monday.Add(10 * time.Hour)},
		{"no refresh while a sync is outstanding", change(
			func(c *Connection) { c.SyncRequestedAt = monday },
		), DueSync, monday.Add(2 * time.Hour)},
		{"no refresh of a connection that is not active", change(func(c *Connection) { c.Status = ActionRequired }), "", time.Time{}},
		{"no refresh if the bank does not support it", change(func(c *Connection) { c.AutomaticFetch = false }), "", time.Time{}},
		{"the consent's expiry before the refresh", change(
			func(c *Connection) { c.ConsentExpiresAt, c.LastNotice = monday.Add(time.Hour), 1 },
		), DueConsent, monday.Add(time.Hour)},
		{"the deletion before everything else", change(
			func(c *Connection) { c.Status, c.Authorisation, c.UpdatedAt = Deleting, link, monday },
		), DueDelete, monday.Add(2 * time.Hour)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			kind, at := tt.c.Due()
			require.Equal(t, tt.kind, kind)
			assert.Equal(t, tt.at, at)
		})
	}

	t.Run("the next refresh in the following night once the day's limit is used up, spread out", func(t *testing.T) {
		times := map[time.Time]bool{}
		midnight := pfm.DateOf(monday).AddDays(1).Time()
		for i := range 100 {
			c := change(func(c *Connection) {
				c.ID, c.Unattended = fmt.Sprint(i), Unattended{Day: pfm.DateOf(monday), Count: 4}
			})
			kind, at := c.Due()
			require.Equal(t, DueRefresh, kind)
			assert.False(t, at.Before(midnight))
			assert.True(t, at.Before(midnight.Add(6*time.Hour)))
			times[at] = true
		}
		assert.Greater(t, len(times), 50)
	})
}

func TestUnattended(t *testing.T) {
	c := Connection{}
	for range 4 {
		assert.True(t, c.countUnattended(monday))
	}
	assert.False(t, c.countUnattended(monday), "four a day")
	assert.Equal(t, Unattended{Day: "2026-03-02", Count: 4}, c.Unattended)
	assert.True(t, c.countUnattended(monday.Add(12*time.Hour)), "a new day starts at midnight UTC")
	assert.Equal(t, Unattended{Day: "2026-03-03", Count: 1}, c.Unattended)
}

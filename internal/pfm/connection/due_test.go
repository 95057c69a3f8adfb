package connection

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
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
		{"the retention of a consent that has ended", Connection{Status: Revoked, ConsentExpiresAt: monday, UpdatedAt: monday}, DueConsent, monday.AddDate(0, 0, 30)},
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

	t.Run("the next refresh when the first of four reads is a day old", func(t *testing.T) {
		c := change(func(c *Connection) {
			c.Unattended = []time.Time{monday.Add(-12 * time.Hour), monday, monday, monday}
		})
		kind, at := c.Due()
		require.Equal(t, DueRefresh, kind)
		assert.Equal(t, monday.Add(12*time.Hour), at)
	})
}

func TestUnattended(t *testing.T) {
	c := Connection{}
	for i := range 4 {
		assert.True(t, c.countUnattended(monday.Add(time.Duration(i)*time.Hour)))
	}
	before := slices.Clone(c.Unattended)
	assert.False(t, c.countUnattended(monday.Add(24*time.Hour-time.Millisecond)), "four in 24 hours")
	assert.Equal(t, before, c.Unattended)
	assert.True(t, c.countUnattended(monday.Add(24*time.Hour)))
	assert.Equal(t, append(before[1:], monday.Add(24*time.Hour)), c.Unattended)
}

// The law's rule holds in every window of 24 hours, whatever a partner asks for, and at whatever time.
func TestUnattendedInEveryWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, now := Connection{}, monday
		var reads []time.Time
		for range rapid.IntRange(1, 60).Draw(t, "asked") {
			now = now.Add(time.Duration(rapid.IntRange(0, 600).Draw(t, "minutes later")) * time.Minute)
			if c.countUnattended(now) {
				reads = append(reads, now)
			}
		}
		for i := 4; i < len(reads); i++ {
			assert.GreaterOrEqual(t, reads[i].Sub(reads[i-4]), 24*time.Hour)
		}
	})
}

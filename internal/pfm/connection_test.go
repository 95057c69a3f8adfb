package pfm

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestConnectionSteps(t *testing.T) {
	all := []ConnectionStatus{
		ConnectionPending,
		ConnectionActive,
		ConnectionActionRequired,
		ConnectionFailed,
		ConnectionExpired,
		ConnectionRevoked,
		ConnectionDeleting,
	}
	legal := map[[2]ConnectionStatus]bool{
		{ConnectionPending, ConnectionActive}:          true,
		{ConnectionPending, ConnectionFailed}:          true,
		{ConnectionActive, ConnectionActionRequired}:   true,
		{ConnectionActionRequired, ConnectionActive}:   true,
		{ConnectionActionRequired, ConnectionExpired}:  true, // replaced by a newer connection
		{ConnectionActive, ConnectionExpired}:          true,
		{ConnectionActive, ConnectionRevoked}:          true,
		{ConnectionFailed, ConnectionPending}:          true,
		{ConnectionActionRequired, ConnectionPending}:  true,
		{ConnectionExpired, ConnectionPending}:         true,
		{ConnectionRevoked, ConnectionPending}:         true,
		{ConnectionPending, ConnectionDeleting}:        true,
		{ConnectionActive, ConnectionDeleting}:         true,
		{ConnectionActionRequired, ConnectionDeleting}: true,
		{ConnectionFailed, ConnectionDeleting}:         true,
		{ConnectionExpired, ConnectionDeleting}:        true,
		{ConnectionRevoked, ConnectionDeleting}:        true,
	}
	end := monday.AddDate(0, 1, 0)
	for _, from := range all {
		for _, to := range all {
			t.Run(string(from)+" to "+string(to), func(t *testing.T) {
				step := legal[[2]ConnectionStatus{from, to}]
				assert.Equal(t, step, from.mayBecome(to))
				was := Connection{
					ID: "c", ProviderID: "p", Status: from, Reason: "before", ConsentExpiresAt: end, Secret: "sealed",
				}
				c := was
				assert.Equal(t, step, c.transition(to, "after", monday))
				data := ConnectionEventData{ConnectionID: "c", ProviderID: "p", Status: to, Reason: "after"}
				event := map[ConnectionStatus]string{
					ConnectionActive: "connection.activated", ConnectionFailed: "connection.failed",
					ConnectionActionRequired: "connection.action_required",
					ConnectionExpired:        "connection.expired", ConnectionRevoked: "connection.revoked",
					ConnectionDeleting: "connection.deleted",
				}[to]
				switch to {
				case ConnectionExpired:
					data.ConsentExpiresAt = &monday // the agreed end was later
				case ConnectionDeleting: // which partners never see
					data.Status, data.Reason = from, "before"
				default:
				}
				if step {
					was.Status, was.Reason, was.UpdatedAt = to, "after", monday
					if to == ConnectionExpired || to == ConnectionRevoked {
						was.ConsentExpiresAt, was.Secret = monday, "" // tokens that read nothing are not kept
					}
				}
				if step && event != "" {
					was.Events = []Event{{Type: event, At: monday, Data: data}}
				}
				assert.Equal(t, was, c, "a forbidden transition changes nothing")
			})
		}
	}
	t.Run("has no event when its user is erased", func(t *testing.T) {
		c := Connection{Status: ConnectionActive}
		require.True(t, c.transition(ConnectionDeleting, ReasonUserErased, monday))
		assert.Empty(t, c.Events)
	})
	assert.False(t, ConnectionStatus("").mayBecome(ConnectionActive))
	assert.False(t, ConnectionActive.mayBecome(""))
}

var monday = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func TestFailedAuthorisation(t *testing.T) {
	for status, want := range map[ConnectionStatus]ConnectionStatus{
		ConnectionPending: ConnectionFailed, ConnectionActive: ConnectionActive, ConnectionActionRequired: ConnectionActionRequired,
		ConnectionFailed: ConnectionFailed, ConnectionExpired: ConnectionExpired,
		ConnectionRevoked: ConnectionRevoked, ConnectionDeleting: ConnectionDeleting,
	} {
		t.Run(string(status)+" becomes "+string(want), func(t *testing.T) {
			c := Connection{Status: status, Reason: "before", Authorisation: &Authorisation{}}
			c.fail(ReasonLinkExpired, monday)
			assert.Equal(t, want, c.Status)
			assert.Nil(t, c.Authorisation)
			if status == ConnectionPending {
				assert.Equal(t, ReasonLinkExpired, c.Reason)
			} else {
				assert.Equal(t, StatusReason("before"), c.Reason)
			}
		})
	}
}

func TestConnectionAt(t *testing.T) {
	ends := monday.Add(LinkLifetime)
	pending := Connection{Status: ConnectionPending, UpdatedAt: monday, Authorisation: &Authorisation{ExpiresAt: ends}}

	t.Run("is unchanged before the link expires", func(t *testing.T) {
		assert.Equal(t, pending, pending.At(ends.Add(-1)))
	})
	t.Run("is Failed as soon as the link expires", func(t *testing.T) {
		c := pending.At(ends)
		assert.Equal(t, ConnectionFailed, c.Status)
		assert.Equal(t, ReasonLinkExpired, c.Reason)
		assert.Equal(t, ends, c.UpdatedAt)
		assert.NotNil(t, pending.Authorisation, "the stored connection is not changed")
	})
	t.Run("keeps its status if it has a consent", func(t *testing.T) {
		renewed := pending
		renewed.Status = ConnectionActive
		assert.Equal(t, renewed, renewed.At(ends))
	})
	t.Run("is Expired as soon as the consent expires", func(t *testing.T) {
		active := Connection{Status: ConnectionActive, ConsentExpiresAt: ends, SyncRequestedAt: monday}
		assert.Equal(t, active, active.At(ends.Add(-1)))
		c := active.At(ends)
		assert.Equal(t, ConnectionExpired, c.Status)
		assert.Equal(t, ReasonConsentExpired, c.Reason)
		assert.True(t, c.SyncRequestedAt.IsZero(), "there is nothing left to read")
	})
}

func TestActivate(t *testing.T) {
	lastDay := DateOf(monday).AddDays(90 - 1)
	for _, tt := range []struct {
		name  string
		until Date
		want  time.Time
	}{
		{"until the end of the bank's last day", "2026-05-15", time.Date(2026, 5, 16, 0, 0, 0, 0, time.UTC)},
		{"not longer than the provider's maximum", "9999-12-31", lastDay.AddDays(1).Time()},
		{"the provider's maximum if the bank sends no day", "", lastDay.AddDays(1).Time()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Connection{Status: ConnectionPending, Reason: "x", Authorisation: &Authorisation{ConsentID: "c1"}}
			c.activate(Consent{State: ConsentValid, ValidUntil: tt.until}, 90, monday)
			assert.Equal(t, Connection{
				Status:           ConnectionActive,
				ConsentID:        "c1",
				ConsentExpiresAt: tt.want,
				AuthorisedAt:     monday,
				SyncRequestedAt:  monday,
				UpdatedAt:        monday,
				Events:           c.Events,
			}, c)
		})
	}
}

func TestNextRefreshPossibleAt(t *testing.T) {
	c := Connection{RefreshTimeoutMinutes: 90}
	assert.True(t, c.NextRefreshPossibleAt().IsZero(), "unset before the first success")
	c.LastSuccessAt = monday
	assert.Equal(t, monday.Add(90*time.Minute), c.NextRefreshPossibleAt())
}

func TestActivateFromEveryStatus(t *testing.T) {
	for status, want := range map[ConnectionStatus]ConnectionStatus{
		ConnectionPending: ConnectionActive, ConnectionActive: ConnectionActive, ConnectionActionRequired: ConnectionActive,
		ConnectionExpired: ConnectionActive, ConnectionRevoked: ConnectionActive, ConnectionDeleting: ConnectionDeleting,
	} {
		t.Run(string(status)+" becomes "+string(want), func(t *testing.T) {
			c := Connection{Status: status, Authorisation: &Authorisation{ConsentID: "new"}}
			c.activate(Consent{State: ConsentValid}, 90, monday)
			assert.Equal(t, want, c.Status)
			var got []string
			for _, e := range c.Events {
				got = append(got, e.Type)
			}
			if status == ConnectionDeleting {
				assert.Empty(t, got)
			} else {
				assert.Equal(t, []string{"connection.activated"}, got, "also when it renews an active connection")
			}
		})
	}
}

package connection

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
)

func TestConnectionSteps(t *testing.T) {
	all := []Status{Pending, Active, ActionRequired, Failed, Expired, Revoked, Deleting}
	legal := map[[2]Status]bool{
		{Pending, Active}:          true,
		{Pending, Failed}:          true,
		{Active, ActionRequired}:   true,
		{ActionRequired, Active}:   true,
		{ActionRequired, Expired}:  true, // replaced by a newer connection
		{Active, Expired}:          true,
		{Active, Revoked}:          true,
		{Failed, Pending}:          true,
		{ActionRequired, Pending}:  true,
		{Expired, Pending}:         true,
		{Revoked, Pending}:         true,
		{Pending, Deleting}:        true,
		{Active, Deleting}:         true,
		{ActionRequired, Deleting}: true,
		{Failed, Deleting}:         true,
		{Expired, Deleting}:        true,
		{Revoked, Deleting}:        true,
	}
	end := monday.AddDate(0, 1, 0)
	for _, from := range all {
		for _, to := range all {
			t.Run(string(from)+" to "+string(to), func(t *testing.T) {
				step := legal[[2]Status{from, to}]
				assert.Equal(t, step, from.mayBecome(to))
				was := Connection{
					ID: "c", ProviderID: "p", Status: from, Reason: "before", ConsentExpiresAt: end, Secret: "sealed",
				}
				c := was
				assert.Equal(t, step, c.transition(to, "after", monday))
				data := EventData{ConnectionID: "c", ProviderID: "p", Status: to, Reason: "after"}
				event := map[Status]string{
					Active: "connection.activated", Failed: "connection.failed",
					ActionRequired: "connection.action_required", Expired: "connection.expired",
					Revoked: "connection.revoked", Deleting: "connection.deleted",
				}[to]
				switch to {
				case Expired:
					data.ConsentExpiresAt = &monday // the agreed end was later
				case Deleting: // which partners never see
					data.Status, data.Reason = from, "before"
				default:
				}
				if step {
					was.Status, was.Reason, was.UpdatedAt = to, "after", monday
					if to == Expired || to == Revoked {
						was.ConsentExpiresAt, was.Secret = monday, "" // tokens that read nothing are not kept
					}
				}
				if step && event != "" {
					was.Events = []pfm.Event{{Type: event, At: monday, Data: data}}
				}
				assert.Equal(t, was, c, "a forbidden transition changes nothing")
			})
		}
	}
	t.Run("has no event when its user is erased", func(t *testing.T) {
		c := Connection{Status: Active}
		require.True(t, c.transition(Deleting, ReasonUserErased, monday))
		assert.Empty(t, c.Events)
	})
	assert.False(t, Status("").mayBecome(Active))
	assert.False(t, Active.mayBecome(""))
}

var monday = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func TestFailedAuthorisation(t *testing.T) {
	for status, want := range map[Status]Status{
		Pending: Failed, Active: Active, ActionRequired: ActionRequired, Failed: Failed, Expired: Expired,
		Revoked: Revoked, Deleting: Deleting,
	} {
		t.Run(string(status)+" becomes "+string(want), func(t *testing.T) {
			c := Connection{Status: status, Reason: "before", Authorisation: &Authorisation{}}
			c.fail(ReasonLinkExpired, monday)
			assert.Equal(t, want, c.Status)
			assert.Nil(t, c.Authorisation)
			if status == Pending {
				assert.Equal(t, ReasonLinkExpired, c.Reason)
			} else {
				assert.Equal(t, StatusReason("before"), c.Reason)
			}
		})
	}
}

func TestConnectionAt(t *testing.T) {
	ends := monday.Add(LinkLifetime)
	pending := Connection{Status: Pending, UpdatedAt: monday, Authorisation: &Authorisation{ExpiresAt: ends}}

	t.Run("is unchanged before the link expires", func(t *testing.T) {
		assert.Equal(t, pending, pending.At(ends.Add(-1)))
	})
	t.Run("is Failed as soon as the link expires", func(t *testing.T) {
		c := pending.At(ends)
		assert.Equal(t, Failed, c.Status)
		assert.Equal(t, ReasonLinkExpired, c.Reason)
		assert.Equal(t, ends, c.UpdatedAt)
		assert.NotNil(t, pending.Authorisation, "the stored connection is not changed")
	})
	t.Run("keeps its status if it has a consent", func(t *testing.T) {
		renewed := pending
		renewed.Status = Active
		assert.Equal(t, renewed, renewed.At(ends))
	})
	t.Run("is Expired as soon as the consent expires", func(t *testing.T) {
		active := Connection{Status: Active, ConsentExpiresAt: ends, SyncRequestedAt: monday}
		assert.Equal(t, active, active.At(ends.Add(-1)))
		c := active.At(ends)
		assert.Equal(t, Expired, c.Status)
		assert.Equal(t, ReasonConsentExpired, c.Reason)
		assert.True(t, c.SyncRequestedAt.IsZero(), "there is nothing left to read")
	})
}

func TestActivate(t *testing.T) {
	lastDay := pfm.DateOf(monday).AddDays(90 - 1)
	for _, tt := range []struct {
		name  string
		until pfm.Date
		want  time.Time
	}{
		{"until the end of the bank's last day", "2026-05-15", time.Date(2026, 5, 16, 0, 0, 0, 0, time.UTC)},
		{"not longer than the provider's maximum", "9999-12-31", lastDay.AddDays(1).Time()},
		{"the provider's maximum if the bank sends no day", "", lastDay.AddDays(1).Time()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Connection{Status: Pending, Reason: "x", Authorisation: &Authorisation{ConsentID: "c1"}}
			c.activate(pfm.Consent{State: pfm.ConsentValid, ValidUntil: tt.until}, 90, monday)
			assert.Equal(t, Connection{
				Status: Active, ConsentID: "c1", ConsentExpiresAt: tt.want, AuthorisedAt: monday,
				SyncRequestedAt: monday, UpdatedAt: monday, Events: c.Events,
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
	for status, want := range map[Status]Status{
		Pending: Active, Active: Active, ActionRequired: Active, Expired: Active, Revoked: Active, Deleting: Deleting,
	} {
		t.Run(string(status)+" becomes "+string(want), func(t *testing.T) {
			c := Connection{Status: status, Authorisation: &Authorisation{ConsentID: "new"}}
			c.activate(pfm.Consent{State: pfm.ConsentValid}, 90, monday)
			assert.Equal(t, want, c.Status)
			var got []string
			for _, e := range c.Events {
				got = append(got, e.Type)
			}
			if status == Deleting {
				assert.Empty(t, got)
			} else {
				assert.Equal(t, []string{"connection.activated"}, got, "also when it renews an active connection")
			}
		})
	}
}

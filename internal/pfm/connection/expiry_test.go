package connection_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/api/apierror"
	"aviso/internal/messaging/overdue"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/pfmtest"
)

// noticed returns the times at which partners were notified that a consent will
// expire, if housekeeping runs at these times before the expiry.
func (w *world) noticed(end time.Time, before ...time.Duration) []time.Duration {
	w.Helper()
	var noticed []time.Duration
	for _, b := range before {
		w.clock.Advance(end.Add(-b).Sub(w.clock.Now()))
		other := connection.NewHousekeeping(w.store, 90, w.clock.Now)
		var group errgroup.Group
		for _, h := range []*overdue.Housekeeping{w.chores, other} { // two concurrently
			group.Go(func() error { _, err := h.Run(w.Context()); return err })
		}
		require.NoError(w, group.Wait())
		for _, e := range w.takeEvents() {
			if e.Type == connection.EventExpiring {
				data := dataOf[connection.EventData](w, e)
				require.NotNil(w, data.ConsentExpiresAt)
				assert.True(w, end.Equal(*data.ConsentExpiresAt))
				assert.Equal(w, connection.Active, data.Status)
				noticed = append(noticed, b)
			}
		}
	}
	return noticed
}

func TestExpiryNotices(t *testing.T) {
	const day, moment = 24 * time.Hour, time.Millisecond

	t.Run("are sent seven days and one day before, once each", func(t *testing.T) {
		w, c := synced(t)
		assert.Equal(t, []time.Duration{7 * day, day},
			w.noticed(c.ConsentExpiresAt, 30*day, 7*day+moment, 7*day, 7*day-moment, 2*day, day+moment, day, day-moment, time.Hour))
	})

	t.Run("skip an overdue notice if a later one is due as well", func(t *testing.T) {
		w, c := synced(t)
		assert.Equal(t, []time.Duration{12 * time.Hour}, w.noticed(c.ConsentExpiresAt, 12*time.Hour, 11*time.Hour))
	})

	t.Run("are sent late if housekeeping was late, and then on time", func(t *testing.T) {
		w, c := synced(t)
		assert.Equal(t, []time.Duration{3 * day, day}, w.noticed(c.ConsentExpiresAt, 3*day, day))
	})

	t.Run("are not sent after the expiry", func(t *testing.T) {
		w, c := synced(t)
		w.takeEvents()
		w.clock.Advance(c.ConsentExpiresAt.Sub(w.clock.Now()))
		w.housekeep()
		assert.Equal(t, []string{connection.EventExpired}, w.types())
		w.housekeep()
		assert.Empty(t, w.types())
	})

	t.Run("start again after a renewal", func(t *testing.T) {
		w, c := synced(t)
		require.Equal(t, []time.Duration{7 * day, day}, w.noticed(c.ConsentExpiresAt, 7*day, day))
		w.reconnect(c.ID)
		w.authorise(c.ID)
		w.run(w.jobs()...)
		renewed := w.read(c.ID)
		require.True(t, renewed.ConsentExpiresAt.After(c.ConsentExpiresAt))
		assert.Equal(t, []time.Duration{7 * day, day}, w.noticed(renewed.ConsentExpiresAt, 7*day, 2*day, day, time.Hour))
	})

	t.Run("are not sent for a consent that is shorter than the notice", func(t *testing.T) {
		w := newWorld(t)
		c, state := w.open()
		w.bank.SetConsent(c.Authorisation.ConsentID, pfm.Consent{State: pfm.ConsentValid, ValidUntil: pfm.DateOf(w.clock.Now()).AddDays(3)})
		w.finish(state)
		w.run(w.jobs()...)
		c = w.read(c.ID)
		assert.Equal(t, []time.Duration{day}, w.noticed(c.ConsentExpiresAt, 3*day, day, time.Hour))
	})

	t.Run("are not sent for connections that are not active", func(t *testing.T) {
		w, c := synced(t)
		require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), c.ID))
		w.run(w.jobs()...)
		assert.Empty(t, w.noticed(c.ConsentExpiresAt, 7*day, day))
	})
}

// The data of a connection that ended does not stay for ever (GDPR, article 5(1)(e)).
func TestEndedConnectionsAreDeleted(t *testing.T) {
	expired := func(t *testing.T) (*world, connection.Connection) {
		t.Helper()
		w, c := synced(t)
		w.clock.Advance(c.ConsentExpiresAt.Sub(w.clock.Now()))
		w.housekeep()
		w.takeEvents()
		c = w.read(c.ID)
		return w, c
	}
	day := 24 * time.Hour

	t.Run("after the days that are configured, and partners are told 14 days before", func(t *testing.T) {
		w, c := expired(t)
		require.Equal(t, connection.Expired, c.Status)
		end := c.UpdatedAt.AddDate(0, 0, 90)
		for _, until := range []time.Duration{-60 * day, -14*day - time.Millisecond} {
			w.clock.Advance(end.Add(until).Sub(w.clock.Now()))
			w.housekeep()
		}
		assert.Empty(t, w.takeEvents())
		w.clock.Advance(time.Millisecond)
		w.housekeep()
		events := w.takeEvents()
		require.Len(t, events, 1)
		assert.Equal(t, connection.EventDataExpiring, events[0].Type)
		assert.Contains(t, string(events[0].Data), `"dataExpiresAt":"`+end.Format(time.RFC3339))
		assert.NotEmpty(t, w.transactions())

		w.clock.Advance(end.Sub(w.clock.Now()) - time.Millisecond)
		w.housekeep()
		assert.Equal(t, connection.Expired, w.read(c.ID).Status)
		w.clock.Advance(time.Millisecond)
		w.housekeep()
		w.run(w.jobs()...)
		_, err := w.connections.Get(t.Context(), c.Owner, c.ID)
		assert.True(t, apierror.Is(err, apierror.NotFound))
		assert.Empty(t, w.transactions())
		assert.Equal(t, []string{connection.EventDeleted}, w.types())
	})

	t.Run("never without a notice, however late housekeeping is", func(t *testing.T) {
		w, c := expired(t)
		w.clock.Advance(300 * day)
		for range 3 {
			w.housekeep()
		}
		assert.Equal(t, []string{connection.EventDataExpiring}, w.types())
		assert.Equal(t, w.clock.Now().Add(14*day), w.read(c.ID).DataExpiresAt)
	})

	t.Run("unless the user reconnects", func(t *testing.T) {
		w, c := expired(t)
		w.clock.Advance(80 * day)
		w.housekeep()
		w.housekeep()
		_, err := w.connections.Reconnect(t.Context(), c.Owner, c.ID, returnURL, nil)
		require.NoError(t, err)
		assert.True(t, w.read(c.ID).DataExpiresAt.IsZero())
	})

	t.Run("without a notice if there was never any data", func(t *testing.T) {
		w := newWorld(t)
		c := w.create()
		w.clock.Advance(connection.LinkLifetime)
		w.housekeep()
		w.takeEvents()
		for range 4 {
			w.clock.Advance(30 * day)
			w.housekeep()
		}
		w.run(w.jobs()...)
		_, err := w.connections.Get(t.Context(), c.Owner, c.ID)
		assert.True(t, apierror.Is(err, apierror.NotFound))
		assert.NotContains(t, w.types(), connection.EventDataExpiring)
	})
}

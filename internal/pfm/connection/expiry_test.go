package connection_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

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
		other := connection.NewHousekeeping(w.store, w.clock.Now)
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

package pfm_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/pfm"
	"aviso/internal/pfm/pfmtest"
)

// noticed are the times at which partners were told that a consent will end,
// when housekeeping runs at these times, counted back from the end.
func (w *world) noticed(end time.Time, before ...time.Duration) []time.Duration {
	w.Helper()
	var noticed []time.Duration
	for _, b := range before {
		w.clock.Advance(end.Add(-b).Sub(w.clock.Now()))
		other := pfm.NewHousekeeping(w.store, w.clock.Now)
		var group errgroup.Group
		for _, h := range []*pfm.Housekeeping{w.chores, other} { // two at once
			group.Go(func() error { _, err := h.Run(w.Context()); return err })
		}
		require.NoError(w, group.Wait())
		for _, e := range w.told() {
			if e.Type == pfm.EventExpiring {
				data := dataOf[pfm.ConnectionEventData](w, e)
				require.NotNil(w, data.ConsentExpiresAt)
				assert.True(w, end.Equal(*data.ConsentExpiresAt))
				assert.Equal(w, pfm.ConnectionActive, data.Status)
				noticed = append(noticed, b)
			}
		}
	}
	return noticed
}

func TestConsentThatIsAboutToEnd(t *testing.T) {
	const day, moment = 24 * time.Hour, time.Millisecond

	t.Run("is told seven days and one day before, once each", func(t *testing.T) {
		w := newWorld(t)
		c := w.synced()
		assert.Equal(t, []time.Duration{7 * day, day},
			w.noticed(c.ConsentExpiresAt, 30*day, 7*day+moment, 7*day, 7*day-moment, 2*day, day+moment, day, day-moment, time.Hour))
	})

	t.Run("is told by the nearer notice only where nobody looked for a while", func(t *testing.T) {
		w := newWorld(t)
		c := w.synced()
		assert.Equal(t, []time.Duration{12 * time.Hour}, w.noticed(c.ConsentExpiresAt, 12*time.Hour, 11*time.Hour))
	})

	t.Run("is told late where nobody looked for a while, and then in time", func(t *testing.T) {
		w := newWorld(t)
		c := w.synced()
		assert.Equal(t, []time.Duration{3 * day, day}, w.noticed(c.ConsentExpiresAt, 3*day, day))
	})

	t.Run("has ended where nobody looked until then", func(t *testing.T) {
		w := newWorld(t)
		c := w.synced()
		w.told()
		w.clock.Advance(c.ConsentExpiresAt.Sub(w.clock.Now()))
		_, err := w.chores.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, []string{pfm.EventExpired}, w.types())
		_, err = w.chores.Run(t.Context())
		require.NoError(t, err)
		assert.Empty(t, w.types())
	})

	t.Run("is told anew after a renewal", func(t *testing.T) {
		w := newWorld(t)
		c := w.synced()
		require.Equal(t, []time.Duration{7 * day, day}, w.noticed(c.ConsentExpiresAt, 7*day, day))
		w.reconnect(c.ID)
		w.authorise(c.ID)
		w.do(w.jobs()...)
		renewed := w.read(c.ID)
		require.True(t, renewed.ConsentExpiresAt.After(c.ConsentExpiresAt))
		assert.Equal(t, []time.Duration{7 * day, day}, w.noticed(renewed.ConsentExpiresAt, 7*day, 2*day, day, time.Hour))
	})

	t.Run("is not told of a consent that was given for less", func(t *testing.T) {
		w := newWorld(t)
		c, state := w.open()
		w.bank.SetConsent(c.Authorisation.ConsentID, pfm.Consent{State: pfm.ConsentValid, ValidUntil: pfm.DateOf(w.clock.Now()).AddDays(3)})
		_, err := w.connections.Finish(t.Context(), state, false, visitor)
		require.NoError(t, err)
		w.do(w.jobs()...)
		c = w.read(c.ID)
		assert.Equal(t, []time.Duration{day}, w.noticed(c.ConsentExpiresAt, 3*day, day, time.Hour))
	})

	t.Run("is not told of what is not active", func(t *testing.T) {
		w := newWorld(t)
		c := w.synced()
		require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), c.ID))
		w.do(w.jobs()...)
		assert.Empty(t, w.noticed(c.ConsentExpiresAt, 7*day, day))
	})
}

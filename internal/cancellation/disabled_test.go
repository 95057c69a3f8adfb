package cancellation_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationtest"
	"aviso/internal/owner"
)

// shut disables the partner until the test calls what it returns.
func (w *world) shut() (enable func()) {
	shut := true
	w.work.Disabled = func(_ context.Context, partner owner.PartnerID) (bool, error) {
		assert.Equal(w, cancellationtest.User().Partner, partner)
		return shut, nil
	}
	return func() { shut = false }
}

// pass lets time pass. Housekeeping runs now and then, and letter-dispatch gets every job twice. No message of
// a letter that is held may be hidden: that would use up its receives.
func (w *world) pass(d time.Duration) {
	w.Helper()
	for end := w.clock.Now().Add(d); w.clock.Now().Before(end); {
		w.clock.Advance(max(5*time.Minute, d/20))
		did, err := w.chores.RunPart(w.Context(), 0, 1, true)
		require.NoError(w, err)
		assert.Zero(w, did.Lost, "nothing was lost")
		jobs, _ := w.left()
		for _, job := range jobs {
			for range 2 {
				require.NoError(w, w.work.Do(w.Context(), job, 1))
			}
		}
	}
}

func TestLettersOfADisabledPartner(t *testing.T) {
	t.Run("wait for as long as it is, in their order, and are sent once", func(t *testing.T) {
		w := newWorld(t)
		first, second := w.create("streaming"), w.create("streaming")
		enable := w.shut()
		require.NoError(t, w.send(first))
		w.clock.Advance(time.Second)
		require.NoError(t, w.send(second))
		w.left()
		w.pass(72 * time.Hour)
		assert.Empty(t, w.email.Sent)
		for _, c := range []cancellation.Cancellation{first, second} {
			got := w.read(c.ID)
			assert.Equal(t, cancellation.StatusCreated, got.Status)
			assert.Equal(t, c.History, got.History)
			assert.Equal(t, c.LetterSHA256, got.LetterSHA256)
		}
		assert.False(t, w.read(second.ID).NextTryAt.Before(w.read(first.ID).NextTryAt))

		enable()
		w.pass(10 * time.Minute)
		assert.Len(t, w.email.Sent, 2)
		for _, c := range []cancellation.Cancellation{first, second} {
			assert.Equal(t, []cancellation.Status{"Created", "Queued", "Sent"}, statuses(w.read(c.ID)))
		}
		w.pass(24 * time.Hour)
		assert.Len(t, w.email.Sent, 2)
	})

	t.Run("keep their channel: the carrier's time does not run", func(t *testing.T) {
		w := newWorld(t)
		w.email.Answers = []error{busy(0), busy(0), nil}
		c := w.create("streaming")
		require.Error(t, w.send(c))
		enable := w.shut()
		require.NoError(t, w.send(c))
		w.left()
		w.pass(72 * time.Hour)
		enable()
		w.clock.Advance(5 * time.Minute)
		require.Error(t, w.send(c), "the carrier is still busy")
		require.NoError(t, w.send(c))
		c = w.read(c.ID)
		assert.Equal(t, cancellation.StatusSent, c.Status)
		assert.Equal(t, cancellation.ChannelEmail, c.Channel().Kind)
		assert.Equal(t, w.email.Sent[0].ID, w.email.Sent[2].ID)
	})

	for name, has := range map[string]bool{"has": true, "has not": false} {
		t.Run("that may have left are looked for at the carrier, which "+name+" the letter", func(t *testing.T) {
			w := newWorld(t)
			w.email.Answers, w.email.Unheard = []error{unclear()}, has
			c := w.create("streaming")
			wait := after(t, w.send(c))
			enable := w.shut()
			w.clock.Advance(wait)
			if has {
				require.NoError(t, w.send(c))
				assert.Equal(t, cancellation.StatusSent, w.read(c.ID).Status)
				assert.Len(t, w.email.Sent, 1)
				require.NoError(t, w.feedback.Report(t.Context(), by(w.read(c.ID), cancellation.ReportDelivered)))
				assert.Equal(t, cancellation.StatusDelivered, w.read(c.ID).Status, "what carriers report counts")
				return
			}
			assert.Positive(t, after(t, w.send(c)))
			w.left()
			w.pass(time.Hour)
			assert.Equal(t, cancellation.StatusQueued, w.read(c.ID).Status)
			assert.Len(t, w.email.Sent, 1)
			enable()
			w.pass(10 * time.Minute)
			assert.Equal(t, cancellation.StatusSent, w.read(c.ID).Status)
			assert.Len(t, w.email.Sent, 2)
		})
	}
}

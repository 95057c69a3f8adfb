package dispatch_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/owner"
	"aviso/localstack/tests/cancellationtest"
	"aviso/localstack/tests/lettertest"
)

// shut disables the partner until the test calls what it returns.
func (w *world) shut() (enable func()) {
	shut := true
	w.Work.Disabled = func(_ context.Context, partner owner.PartnerID) (bool, error) {
		assert.Equal(w, cancellationtest.User().Partner, partner)
		return shut, nil
	}
	return func() { shut = false }
}

// pass lets time pass. Housekeeping runs now and then, and letter-dispatch gets every job twice. No message of
// a letter that is held may be hidden: that would use up its receives.
func (w *world) pass(d time.Duration) {
	w.Helper()
	for end := w.Clock.Now().Add(d); w.Clock.Now().Before(end); {
		w.Clock.Advance(max(5*time.Minute, d/20))
		did, err := w.Chores.RunPart(w.Context(), 0, 1, true)
		require.NoError(w, err)
		assert.Zero(w, did.Lost, "nothing was lost")
		jobs, _ := w.Left()
		for _, job := range jobs {
			for range 2 {
				require.NoError(w, w.Work.Do(w.Context(), job, 1))
			}
		}
	}
}

func TestLettersOfADisabledPartner(t *testing.T) {
	t.Run("wait for as long as it is, in their order, and are sent once", func(t *testing.T) {
		w := newWorld(t)
		first, second := w.Create("streaming"), w.Create("streaming")
		enable := w.shut()
		require.NoError(t, w.Send(first))
		w.Clock.Advance(time.Second)
		require.NoError(t, w.Send(second))
		w.Left()
		w.pass(72 * time.Hour)
		assert.Empty(t, w.Email.Sent)
		for _, c := range []cancellation.Cancellation{first, second} {
			got := w.Read(c.ID)
			assert.Equal(t, cancellation.StatusCreated, got.Status)
			assert.Equal(t, c.History, got.History)
			assert.Equal(t, c.LetterSHA256, got.LetterSHA256)
		}
		assert.False(t, w.Read(second.ID).NextTryAt.Before(w.Read(first.ID).NextTryAt))

		enable()
		w.pass(10 * time.Minute)
		assert.Len(t, w.Email.Sent, 2)
		for _, c := range []cancellation.Cancellation{first, second} {
			assert.Equal(t, []cancellation.Status{"Created", "Queued", "Sent"}, lettertest.Statuses(w.Read(c.ID)))
		}
		w.pass(24 * time.Hour)
		assert.Len(t, w.Email.Sent, 2)
	})

	t.Run("keep their channel: the carrier's time does not run", func(t *testing.T) {
		w := newWorld(t)
		w.Email.Answers = []error{lettertest.Busy(0), lettertest.Busy(0), nil}
		c := w.Create("streaming")
		require.Error(t, w.Send(c))
		enable := w.shut()
		require.NoError(t, w.Send(c))
		w.Left()
		w.pass(72 * time.Hour)
		enable()
		w.Clock.Advance(5 * time.Minute)
		require.Error(t, w.Send(c), "the carrier is still busy")
		require.NoError(t, w.Send(c))
		c = w.Read(c.ID)
		assert.Equal(t, cancellation.StatusSent, c.Status)
		assert.Equal(t, cancellation.ChannelEmail, c.Channel().Kind)
		assert.Equal(t, w.Email.Sent[0].ID, w.Email.Sent[2].ID)
	})

	for name, has := range map[string]bool{"has": true, "has not": false} {
		t.Run("that may have left are looked for at the carrier, which "+name+" the letter", func(t *testing.T) {
			w := newWorld(t)
			w.Email.Answers, w.Email.Unheard = []error{lettertest.Unclear()}, has
			c := w.Create("streaming")
			wait := after(t, w.Send(c))
			enable := w.shut()
			w.Clock.Advance(wait)
			if has {
				require.NoError(t, w.Send(c))
				assert.Equal(t, cancellation.StatusSent, w.Read(c.ID).Status)
				assert.Len(t, w.Email.Sent, 1)
				require.NoError(t, w.Feedback.Report(t.Context(), lettertest.By(w.Read(c.ID), dispatch.ReportDelivered)))
				assert.Equal(t, cancellation.StatusDelivered, w.Read(c.ID).Status, "what carriers report counts")
				return
			}
			assert.Positive(t, after(t, w.Send(c)))
			w.Left()
			w.pass(time.Hour)
			assert.Equal(t, cancellation.StatusQueued, w.Read(c.ID).Status)
			assert.Len(t, w.Email.Sent, 1)
			enable()
			w.pass(10 * time.Minute)
			assert.Equal(t, cancellation.StatusSent, w.Read(c.ID).Status)
			assert.Len(t, w.Email.Sent, 2)
		})
	}
}

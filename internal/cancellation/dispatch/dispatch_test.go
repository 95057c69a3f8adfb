package dispatch_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/outcome"
	"aviso/localstack/tests/cancellationtest"
	"aviso/localstack/tests/lettertest"
	"aviso/localstack/tests/metrictest"
)

type world struct{ *lettertest.World }

func newWorld(t *testing.T) *world { return &world{lettertest.NewWorld(t)} }

// after returns the wait that the error asks for.
func after(t *testing.T, err error) time.Duration {
	t.Helper()
	var later *outcome.Later
	require.ErrorAs(t, err, &later)
	return later.After
}

func TestSend(t *testing.T) {
	t.Run("hands the letter over and emits an event", func(t *testing.T) {
		w := newWorld(t)
		c := w.Sent("streaming")
		assert.Equal(t, cancellation.StatusSent, c.Status)
		assert.Equal(t, []cancellation.Status{"Created", "Queued", "Sent"}, lettertest.Statuses(c))
		assert.True(t, c.NextTryAt.IsZero())
		sent := w.Email.Sent
		require.Len(t, sent, 1)
		assert.Equal(t, c.ID, sent[0].CancellationID)
		assert.Equal(t, "kuendigung@organization.example", sent[0].Channel.Email)
		assert.Equal(t, "anna@example.org", sent[0].ReplyTo)
		assert.Contains(t, string(sent[0].Document.PDF), "Anna Sommer")
		var kinds []string
		_, events := w.Left()
		for _, e := range events {
			kinds = append(kinds, e.Type)
		}
		assert.ElementsMatch(t, []string{"cancellation.created", "cancellation.queued", "cancellation.sent"}, kinds)
	})

	t.Run("waits while the carrier checks the letter, and calls that no failure", func(t *testing.T) {
		w := newWorld(t)
		w.Email.Answers = []error{&dispatch.CarrierError{
			Failure: dispatch.CarrierBusy, Reason: "validating", RetryAfter: 5 * time.Second, Normal: true,
		}}
		c := w.Create("streaming")
		err := w.Send(c)
		assert.Equal(t, 5*time.Second, after(t, err))
		var later *outcome.Later
		require.ErrorAs(t, err, &later)
		require.NoError(t, later.Err)
		assert.Equal(t, cancellation.StatusQueued, w.Read(c.ID).Status)
	})

	t.Run("ignores a repeated message", func(t *testing.T) {
		w := newWorld(t)
		c := w.Sent("streaming")
		require.NoError(t, w.Send(c))
		assert.Len(t, w.Email.Sent, 1)
	})

	t.Run("ignores a deleted cancellation", func(t *testing.T) {
		w := newWorld(t)
		c := w.Create("streaming")
		require.NoError(t, w.Store.DeleteCancellations(t.Context(), c.Owner, []cancellation.Cancellation{c}))
		require.NoError(t, w.Send(c))
	})

	t.Run("tries the next channel after a refusal, and fails after the last", func(t *testing.T) {
		w := newWorld(t)
		for _, carrier := range []*cancellationtest.Carrier{w.Email, w.Fax, w.Post} {
			carrier.Answers = []error{lettertest.Refused()}
		}
		c := w.Create("streaming")
		w.Left()
		for _, next := range []cancellation.ChannelKind{cancellation.ChannelFax, cancellation.ChannelMail} {
			require.NoError(t, w.Send(c))
			c = w.Read(c.ID)
			assert.Equal(t, cancellation.StatusQueued, c.Status)
			assert.Equal(t, next, c.Channel().Kind)
			jobs, _ := w.Left()
			assert.Len(t, jobs, 1, "somebody is asked to go on")
		}
		require.NoError(t, w.Send(c))
		c = w.Read(c.ID)
		assert.Equal(t, cancellation.StatusDeliveryFailed, c.Status)
		assert.Equal(t, cancellation.ReasonCarrierRefused, c.Reason)
		assert.Equal(t, []cancellation.Status{"Created", "Queued", "DeliveryFailed"}, lettertest.Statuses(c))
		assert.NotEqual(t, w.Email.Sent[0].ID, w.Fax.Sent[0].ID, "each channel has a shipment of its own")
	})

	t.Run("waits as long as a busy carrier asks", func(t *testing.T) {
		w := newWorld(t)
		w.Post.Answers = []error{lettertest.Busy(90 * time.Second), lettertest.Busy(0), lettertest.Busy(0)}
		c := w.Create("post")
		assert.Equal(t, 90*time.Second, after(t, w.Send(c)))
		c = w.Read(c.ID)
		assert.Equal(t, cancellation.StatusQueued, c.Status)
		assert.Equal(t, w.Clock.Now().Add(90*time.Second), c.NextTryAt)
		assert.Equal(t, 2*time.Minute, after(t, w.Send(c)))
		assert.Equal(t, 4*time.Minute, after(t, w.Send(c)))
		require.NoError(t, w.Send(c))
		c = w.Read(c.ID)
		assert.Equal(t, cancellation.StatusSent, c.Status)
		assert.Equal(t, "T-1", c.TrackingNumber)
		for _, s := range w.Post.Sent {
			assert.Equal(t, w.Post.Sent[0].ID, s.ID)
			assert.True(t, s.TriedAt.IsZero(), "no try may have gone through")
		}
	})

	t.Run("abandons a channel that has been busy for a day", func(t *testing.T) {
		w := newWorld(t)
		w.Email.Answers = []error{lettertest.Busy(0), lettertest.Busy(0)}
		c := w.Create("streaming")
		require.Error(t, w.Send(c))
		w.Clock.Advance(25 * time.Hour)
		require.NoError(t, w.Send(c))
		assert.Equal(t, cancellation.ChannelFax, w.Read(c.ID).Channel().Kind)
	})

	t.Run("asks the carrier after a try with an unknown result", func(t *testing.T) {
		w := newWorld(t)
		for _, lost := range []error{lettertest.Unclear(), errors.New("worker died")} {
			w.Email.Answers = []error{lost, lettertest.Busy(10 * time.Minute), nil}
			before := len(w.Email.Sent)
			c := w.Create("streaming")
			began := w.Clock.Now()
			wait := after(t, w.Send(c))
			assert.Equal(t, 3*time.Minute, wait, "until nobody can still be sending")
			assert.Equal(t, wait, after(t, w.Send(c)), "the lease keeps others out")
			w.Clock.Advance(wait)
			assert.Equal(t, 10*time.Minute, after(t, w.Send(c)))
			assert.Equal(t, cancellation.StatusSending, w.Read(c.ID).Status, "it may be gone: nobody can withdraw it")
			w.Clock.Advance(10 * time.Minute)
			require.NoError(t, w.Send(c))
			assert.Equal(t, cancellation.StatusSent, w.Read(c.ID).Status)
			tries := w.Email.Sent[before:]
			require.Len(t, tries, 3)
			assert.True(t, tries[0].TriedAt.IsZero())
			assert.Equal(t, began, tries[1].TriedAt)
			assert.Equal(t, began, tries[2].TriedAt, "a busy carrier has settled nothing")
		}
	})

	t.Run("lets only one of many workers hand it over", func(t *testing.T) {
		w := newWorld(t)
		c := w.Create("streaming")
		var all errgroup.Group
		for range 8 {
			all.Go(func() error {
				err := w.Send(c)
				if _, ok := errors.AsType[*outcome.Later](err); ok {
					return nil
				}
				return err
			})
		}
		require.NoError(t, all.Wait())
		assert.Len(t, w.Email.Sent, 1)
		assert.Equal(t, cancellation.StatusSent, w.Read(c.ID).Status)
	})

	t.Run("skips a channel without a carrier", func(t *testing.T) {
		w := newWorld(t)
		d := &dispatch.Dispatcher{Store: w.Store, Carriers: nil, Now: w.Clock.Now, NewID: func() string { return "s" }}
		c := w.Create("streaming")
		for range 3 {
			require.NoError(t, d.Send(t.Context(), c.Owner, c.ID))
		}
		c = w.Read(c.ID)
		assert.Equal(t, cancellation.StatusDeliveryFailed, c.Status)
		assert.Equal(t, cancellation.ReasonCarrierUnavailable, c.Reason)
	})

	t.Run("rejects an unknown kind of job", func(t *testing.T) {
		w := newWorld(t)
		assert.ErrorContains(t, w.Do("dance", w.Create("streaming"), 1), "unknown kind")
	})
}

func TestHousekeeping(t *testing.T) {
	w := newWorld(t)
	repeated := 0
	run := func() int {
		t.Helper()
		did, err := w.Chores.RunPart(t.Context(), 0, 1, true)
		require.NoError(t, err)
		repeated += did.Lost
		return did.Done
	}
	lost := w.Create("streaming")
	sent := w.Sent("streaming")
	w.Left()

	t.Run("leaves sent letters alone", func(t *testing.T) {
		w.Clock.Advance(4 * time.Minute)
		assert.Zero(t, run())
	})

	t.Run("wakes a letter whose message was lost, until it is sent", func(t *testing.T) {
		w.Clock.Advance(2 * time.Minute)
		assert.Equal(t, 1, run())
		jobs, _ := w.Left()
		require.Len(t, jobs, 1)
		assert.Equal(t, lost.ID, jobs[0].CancellationID)
		assert.Zero(t, run(), "not twice at once")
		w.Clock.Advance(6 * time.Minute)
		assert.Equal(t, 1, run())
		assert.Equal(t, 2, repeated)
		require.NoError(t, w.Send(lost))
		w.Clock.Advance(time.Hour)
		assert.Zero(t, run())
	})

	t.Run("wakes a letter after its worker died", func(t *testing.T) {
		w.Email.Answers = []error{errors.New("died")}
		c := w.Create("streaming")
		require.Error(t, w.Send(c))
		w.Left()
		w.Clock.Advance(3 * time.Minute)
		assert.Equal(t, 1, run())
		assert.Equal(t, 2, repeated, "it was tried")
		require.NoError(t, w.Send(c))
	})
	assert.Equal(t, cancellation.StatusSent, w.Read(sent.ID).Status)
}

func TestWaitingLettersAreLogged(t *testing.T) {
	w := newWorld(t)
	log, last := metrictest.Logger(t)
	w.Store.OnSave(dispatch.LogWait(log, w.Clock.Now))
	save := func(c cancellation.Cancellation) cancellation.Cancellation {
		t.Helper()
		saved, err := w.Store.SaveCancellation(t.Context(), c)
		require.NoError(t, err)
		return saved
	}
	c := w.Read(w.Create("streaming").ID)
	w.Clock.Advance(2 * time.Hour)
	saved := save(c)
	metrictest.Assert(t, last(), "LetterWait", "Seconds", 2*60*60)
	saved.HeldAt = c.CreatedAt.Add(time.Hour)
	saved = save(saved)
	metrictest.Assert(t, last(), "LetterWait", "Seconds", 60*60)

	_, err := w.Store.SaveCancellation(t.Context(), c)
	require.ErrorIs(t, err, outcome.ErrChanged)
	assert.Nil(t, last(), "what was not written")

	saved.Status, saved.NextTryAt, saved.UpdatedAt = cancellation.StatusSent, time.Time{}, c.CreatedAt.Add(90*time.Minute)
	saved.History = append(saved.History, cancellation.Step{Status: cancellation.StatusSent, At: saved.UpdatedAt})
	saved = save(saved)
	metrictest.Assert(t, last(), "HandOver", "Seconds", 30*60)

	saved.UpdatedAt = w.Clock.Now()
	save(saved)
	assert.Nil(t, last(), "a letter that has gone")
}

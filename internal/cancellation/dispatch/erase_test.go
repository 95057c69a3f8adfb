package dispatch_test

import (
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
	"aviso/localstack/tests/cancellationtest"
	"aviso/localstack/tests/lettertest"
)

func TestErasure(t *testing.T) {
	w := newWorld(t)
	user := cancellationtest.User()
	waiting := w.Create("streaming")
	byMail := w.Sent("post")
	require.NoError(t, w.Feedback.Report(t.Context(), lettertest.By(byMail, dispatch.ReportFailed)))
	require.NoError(t, w.Send(byMail)) // a second letter by the next channel
	w.Sent("streaming")                // no carrier keeps e-mail
	w.Email.Answers = []error{lettertest.Unclear()}
	unsettled := w.Create("streaming")
	require.Error(t, w.Send(unsettled))
	w.Left()

	w.EraseUser()
	closed := func() bool {
		t.Helper()
		closed, err := w.Eraser.Close(t.Context(), user)
		require.NoError(t, err)
		return closed
	}
	assert.False(t, closed(), "a letter is being sent, or was")
	assert.Equal(t, cancellation.StatusWithdrawn, w.Read(waiting.ID).Status)
	counts, err := w.Eraser.Count(t.Context(), user)
	require.NoError(t, err)
	assert.Equal(t, map[string]int{
		dispatch.CountCancellations: 4, dispatch.CountEvidence: 4, dispatch.CountLetters: 4,
		dispatch.CountWithdrawals: 1,
	}, counts)
	_, events := w.Left()
	assert.Empty(t, events, "user.erased covers the withdrawal")

	erase := func() bool {
		t.Helper()
		done, err := w.Eraser.Erase(t.Context(), user)
		require.NoError(t, err)
		return done
	}
	assert.False(t, erase(), "carriers keep letters")
	jobs, _ := w.Left()
	require.Len(t, jobs, 1)
	assert.Equal(t, cancellation.Job{Kind: cancellation.JobErase, Partner: user.Partner, User: user.ID, CancellationID: byMail.ID}, jobs[0])
	assert.False(t, erase())
	again, _ := w.Left()
	assert.Empty(t, again, "nobody is asked twice at once")

	t.Run("retries a carrier that does not respond, then gives up", func(t *testing.T) {
		w.Post.RefuseDelete = errors.New("down")
		for attempt := 1; attempt < 5; attempt++ {
			require.Positive(t, after(t, w.Do(cancellation.JobErase, byMail, attempt)))
		}
		w.Post.RefuseDelete = nil
		require.NoError(t, w.Do(cancellation.JobErase, byMail, 5))
		assert.Len(t, w.Post.Deleted, 2, "the letters of both channels")
		require.NoError(t, w.Do(cancellation.JobErase, byMail, 6))
		assert.Len(t, w.Post.Deleted, 2)
	})

	assert.False(t, closed())
	w.Clock.Advance(time.Hour)
	require.Positive(t, after(t, w.Send(unsettled)), "it was not handed over")
	assert.True(t, closed())
	assert.Equal(t, cancellation.StatusWithdrawn, w.Read(unsettled.ID).Status)
	assert.True(t, erase())
	assert.True(t, erase(), "repeating it succeeds")
	out, err := w.DB.Scan(t.Context(), &dynamodb.ScanInput{TableName: &w.Main})
	require.NoError(t, err)
	assert.Empty(t, out.Items, "nothing of the user is left, pointers included")
	require.NoError(t, w.Send(waiting))
	require.NoError(t, w.Do(cancellation.JobErase, byMail, 1))
	require.NoError(t, w.Feedback.Report(t.Context(), lettertest.By(byMail, dispatch.ReportDelivered)))
}

// A copy of a mail that the sandbox keeps goes, too.
func TestErasureOfACopiedMail(t *testing.T) {
	w := newWorld(t)
	w.Email.KeepsMail = true
	c := w.Sent("streaming")
	w.Left()
	w.EraseUser()
	done, err := w.Eraser.Erase(t.Context(), cancellationtest.User())
	require.NoError(t, err)
	assert.False(t, done)
	jobs, _ := w.Left()
	require.Len(t, jobs, 1)
	assert.Equal(t, cancellation.JobErase, jobs[0].Kind)
	require.NoError(t, w.Do(cancellation.JobErase, c, 1))
	assert.Len(t, w.Email.Deleted, 1)
	done, err = w.Eraser.Erase(t.Context(), cancellationtest.User())
	require.NoError(t, err)
	assert.True(t, done)
}

// From the erasure on no letter leaves, whatever has been tried before.
func TestNoLetterLeavesAfterTheErasure(t *testing.T) {
	t.Run("that waits for the first try", func(t *testing.T) {
		w := newWorld(t)
		c := w.Create("streaming")
		w.EraseUser()
		require.NoError(t, w.Send(c))
		assert.Empty(t, w.Email.Sent)
		assert.Equal(t, cancellation.StatusCreated, w.Read(c.ID).Status, "housekeeping withdraws it")
	})

	t.Run("that waits for another try, or for the next channel", func(t *testing.T) {
		for name, answer := range map[string]error{"busy": lettertest.Busy(time.Minute), "refused": lettertest.Refused()} {
			w := newWorld(t)
			c := w.Create("streaming")
			w.Email.Answers = []error{answer}
			_ = w.Send(c)
			w.EraseUser()
			w.Clock.Advance(time.Hour)
			require.NoError(t, w.Send(c), name)
			assert.Len(t, w.Email.Sent, 1, name)
			assert.Empty(t, w.Fax.Sent, name)
		}
	})

	t.Run("that a carrier returns", func(t *testing.T) {
		w := newWorld(t)
		c := w.Sent("streaming")
		w.EraseUser()
		require.NoError(t, w.Feedback.Report(t.Context(), lettertest.By(c, dispatch.ReportFailed)))
		require.NoError(t, w.Send(c))
		assert.Empty(t, w.Fax.Sent)
	})

	t.Run("whose hand-over is unclear: the carrier is asked, and nothing else", func(t *testing.T) {
		for name, unheard := range map[string]bool{"it has the letter": true, "it has not": false} {
			w := newWorld(t)
			c := w.Create("post")
			w.Post.Answers, w.Post.Unheard = []error{lettertest.Unclear(), lettertest.Busy(time.Minute)}, unheard
			require.Error(t, w.Send(c))
			w.EraseUser()
			w.Clock.Advance(time.Hour)
			require.Positive(t, after(t, w.Send(c)), "it does not answer yet")
			assert.Equal(t, cancellation.StatusSending, w.Read(c.ID).Status)
			w.Clock.Advance(time.Hour)
			_ = w.Send(c)
			want := cancellation.StatusQueued
			if unheard {
				want = cancellation.StatusSent
			}
			assert.Equal(t, want, w.Read(c.ID).Status, name)
			assert.Len(t, w.Post.Sent, 1, name)
		}
	})

	t.Run("whose carrier never answers: after a day the erasure goes ahead", func(t *testing.T) {
		w := newWorld(t)
		c := w.Create("post")
		w.Post.Answers = []error{lettertest.Unclear(), lettertest.Unclear()}
		require.Error(t, w.Send(c))
		w.EraseUser()
		w.Clock.Advance(25 * time.Hour)
		require.NoError(t, w.Send(c))
		assert.Equal(t, cancellation.StatusSent, w.Read(c.ID).Status, "it may have left")
		closed, err := w.Eraser.Close(t.Context(), c.Owner)
		require.NoError(t, err)
		assert.True(t, closed)
	})
}

func TestErasureGoesAheadWithoutACarrier(t *testing.T) {
	w := newWorld(t)
	c := w.Sent("post")
	w.Post.RefuseDelete = errors.New("down for good")
	require.Error(t, w.Do(cancellation.JobErase, c, 5), "it is noted")
	done, err := w.Eraser.Erase(t.Context(), c.Owner)
	require.NoError(t, err)
	assert.True(t, done)
}

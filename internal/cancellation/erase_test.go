package cancellation_test

import (
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationtest"
)

func TestErasure(t *testing.T) {
	w := newWorld(t)
	user := cancellationtest.User()
	waiting := w.create("streaming")
	byMail := w.sent("post")
	require.NoError(t, w.feedback.Report(t.Context(), by(byMail, cancellation.ReportFailed)))
	require.NoError(t, w.send(byMail)) // a second letter by the next channel
	w.sent("streaming")                // no carrier keeps e-mail
	w.email.Answers = []error{unclear()}
	unsettled := w.create("streaming")
	require.Error(t, w.send(unsettled))
	w.left()

	w.eraseUser()
	closed := func() bool {
		t.Helper()
		closed, err := w.eraser.Close(t.Context(), user)
		require.NoError(t, err)
		return closed
	}
	assert.False(t, closed(), "a letter is being sent, or was")
	assert.Equal(t, cancellation.StatusWithdrawn, w.read(waiting.ID).Status)
	counts, err := w.eraser.Count(t.Context(), user)
	require.NoError(t, err)
	assert.Equal(t, map[string]int{
		cancellation.CountCancellations: 4, cancellation.CountEvidence: 4, cancellation.CountLetters: 4,
		cancellation.CountWithdrawals: 1,
	}, counts)
	_, events := w.left()
	assert.Empty(t, events, "user.erased covers the withdrawal")

	erase := func() bool {
		t.Helper()
		done, err := w.eraser.Erase(t.Context(), user)
		require.NoError(t, err)
		return done
	}
	assert.False(t, erase(), "carriers keep letters")
	jobs, _ := w.left()
	require.Len(t, jobs, 1)
	assert.Equal(t, cancellation.Job{Kind: cancellation.JobErase, Partner: user.Partner, User: user.ID, CancellationID: byMail.ID}, jobs[0])
	assert.False(t, erase())
	again, _ := w.left()
	assert.Empty(t, again, "nobody is asked twice at once")

	t.Run("retries a carrier that does not respond, then gives up", func(t *testing.T) {
		w.post.RefuseDelete = errors.New("down")
		for attempt := 1; attempt < 5; attempt++ {
			require.Positive(t, after(t, w.do(cancellation.JobErase, byMail, attempt)))
		}
		w.post.RefuseDelete = nil
		require.NoError(t, w.do(cancellation.JobErase, byMail, 5))
		assert.Len(t, w.post.Deleted, 2, "the letters of both channels")
		require.NoError(t, w.do(cancellation.JobErase, byMail, 6))
		assert.Len(t, w.post.Deleted, 2)
	})

	assert.False(t, closed())
	w.clock.Advance(time.Hour)
	require.Positive(t, after(t, w.send(unsettled)), "it was not handed over")
	assert.True(t, closed())
	assert.Equal(t, cancellation.StatusWithdrawn, w.read(unsettled.ID).Status)
	assert.True(t, erase())
	assert.True(t, erase(), "repeating it succeeds")
	out, err := w.db.Scan(t.Context(), &dynamodb.ScanInput{TableName: &w.main})
	require.NoError(t, err)
	assert.Empty(t, out.Items, "nothing of the user is left, pointers included")
	require.NoError(t, w.send(waiting))
	require.NoError(t, w.do(cancellation.JobErase, byMail, 1))
	require.NoError(t, w.feedback.Report(t.Context(), by(byMail, cancellation.ReportDelivered)))
}

// A copy of a mail that the sandbox keeps goes, too.
func TestErasureOfACopiedMail(t *testing.T) {
	w := newWorld(t)
	w.email.KeepsMail = true
	c := w.sent("streaming")
	w.left()
	w.eraseUser()
	done, err := w.eraser.Erase(t.Context(), cancellationtest.User())
	require.NoError(t, err)
	assert.False(t, done)
	jobs, _ := w.left()
	require.Len(t, jobs, 1)
	assert.Equal(t, cancellation.JobErase, jobs[0].Kind)
	require.NoError(t, w.do(cancellation.JobErase, c, 1))
	assert.Len(t, w.email.Deleted, 1)
	done, err = w.eraser.Erase(t.Context(), cancellationtest.User())
	require.NoError(t, err)
	assert.True(t, done)
}

// From the erasure on no letter leaves, whatever has been tried before.
func TestNoLetterLeavesAfterTheErasure(t *testing.T) {
	t.Run("that waits for the first try", func(t *testing.T) {
		w := newWorld(t)
		c := w.create("streaming")
		w.eraseUser()
		require.NoError(t, w.send(c))
		assert.Empty(t, w.email.Sent)
		assert.Equal(t, cancellation.StatusCreated, w.read(c.ID).Status, "housekeeping withdraws it")
	})

	t.Run("that waits for another try, or for the next channel", func(t *testing.T) {
		for name, answer := range map[string]error{"busy": busy(time.Minute), "refused": refused()} {
			w := newWorld(t)
			c := w.create("streaming")
			w.email.Answers = []error{answer}
			_ = w.send(c)
			w.eraseUser()
			w.clock.Advance(time.Hour)
			require.NoError(t, w.send(c), name)
			assert.Len(t, w.email.Sent, 1, name)
			assert.Empty(t, w.fax.Sent, name)
		}
	})

	t.Run("that a carrier returns", func(t *testing.T) {
		w := newWorld(t)
		c := w.sent("streaming")
		w.eraseUser()
		require.NoError(t, w.feedback.Report(t.Context(), by(c, cancellation.ReportFailed)))
		require.NoError(t, w.send(c))
		assert.Empty(t, w.fax.Sent)
	})

	t.Run("whose hand-over is unclear: the carrier is asked, and nothing else", func(t *testing.T) {
		for name, unheard := range map[string]bool{"it has the letter": true, "it has not": false} {
			w := newWorld(t)
			c := w.create("post")
			w.post.Answers, w.post.Unheard = []error{unclear(), busy(time.Minute)}, unheard
			require.Error(t, w.send(c))
			w.eraseUser()
			w.clock.Advance(time.Hour)
			require.Positive(t, after(t, w.send(c)), "it does not answer yet")
			assert.Equal(t, cancellation.StatusSending, w.read(c.ID).Status)
			w.clock.Advance(time.Hour)
			_ = w.send(c)
			want := cancellation.StatusQueued
			if unheard {
				want = cancellation.StatusSent
			}
			assert.Equal(t, want, w.read(c.ID).Status, name)
			assert.Len(t, w.post.Sent, 1, name)
		}
	})

	t.Run("whose carrier never answers: after a day the erasure goes ahead", func(t *testing.T) {
		w := newWorld(t)
		c := w.create("post")
		w.post.Answers = []error{unclear(), unclear()}
		require.Error(t, w.send(c))
		w.eraseUser()
		w.clock.Advance(25 * time.Hour)
		require.NoError(t, w.send(c))
		assert.Equal(t, cancellation.StatusSent, w.read(c.ID).Status, "it may have left")
		closed, err := w.eraser.Close(t.Context(), c.Owner)
		require.NoError(t, err)
		assert.True(t, closed)
	})
}

func TestErasureGoesAheadWithoutACarrier(t *testing.T) {
	w := newWorld(t)
	c := w.sent("post")
	w.post.RefuseDelete = errors.New("down for good")
	require.Error(t, w.do(cancellation.JobErase, c, 5), "it is noted")
	done, err := w.eraser.Erase(t.Context(), c.Owner)
	require.NoError(t, err)
	assert.True(t, done)
}

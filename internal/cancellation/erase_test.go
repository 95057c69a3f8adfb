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

	require.NoError(t, w.eraser.Close(t.Context(), user))
	assert.Equal(t, cancellation.StatusWithdrawn, w.read(waiting.ID).Status)
	counts, err := w.eraser.Count(t.Context(), user)
	require.NoError(t, err)
	assert.Equal(t, map[string]int{cancellation.CountCancellations: 4, cancellation.CountLetters: 4}, counts)

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
		assert.Len(t, w.post.Deleted(), 2, "the letters of both channels")
		require.NoError(t, w.do(cancellation.JobErase, byMail, 6))
		assert.Len(t, w.post.Deleted(), 2)
	})

	assert.False(t, erase(), "a letter is being sent, or was")
	w.clock.Advance(time.Hour)
	require.NoError(t, w.send(unsettled))
	assert.True(t, erase())
	assert.True(t, erase(), "repeating it succeeds")
	out, err := w.db.Scan(t.Context(), &dynamodb.ScanInput{TableName: &w.main})
	require.NoError(t, err)
	assert.Empty(t, out.Items, "nothing of the user is left, pointers included")
	require.NoError(t, w.send(waiting))
	require.NoError(t, w.do(cancellation.JobErase, byMail, 1))
	require.NoError(t, w.feedback.Report(t.Context(), by(byMail, cancellation.ReportDelivered)))
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

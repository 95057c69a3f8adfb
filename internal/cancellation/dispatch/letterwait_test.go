package dispatch_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/request"
	"aviso/internal/observe/metrictest"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/testenv"
)

func TestWaitingLettersAreLogged(t *testing.T) {
	t.Parallel()
	created := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	log, last := metrictest.Logger(t)
	o := cancellationdb.New(
		testenv.DynamoDB(t), testenv.Table(t, "CancellationTable"), testenv.Table(t, "OutboxTable"), time.Now,
		uuid.NewString,
	)
	o.OnSave(dispatch.LogWait(log, func() time.Time { return created.Add(3 * time.Hour) }))
	user := owner.User{Partner: "acme", ID: owner.UserID(uuid.NewString())}
	c := cancellation.Cancellation{
		ID:        uuid.NewString(),
		Owner:     user,
		Status:    cancellation.StatusQueued,
		CreatedAt: created,
		UpdatedAt: created,
		NextTryAt: created,
		History: []cancellation.Step{
			{Status: cancellation.StatusCreated, At: created},
			{Status: cancellation.StatusQueued, At: created.Add(time.Hour)},
		},
	}
	require.NoError(t, o.CreateCancellation(t.Context(), c, cancellation.StoredLetter{}, "digest", request.Earlier{}, nil))
	c, err := o.Cancellation(t.Context(), user, c.ID)
	require.NoError(t, err)

	saved, err := o.SaveCancellation(t.Context(), c)
	require.NoError(t, err)
	metrictest.Assert(t, last(), "LetterWait", "Seconds", 2*60*60)
	saved.HeldAt = created.Add(2 * time.Hour)
	saved, err = o.SaveCancellation(t.Context(), saved)
	require.NoError(t, err)
	metrictest.Assert(t, last(), "LetterWait", "Seconds", 60*60)

	_, err = o.SaveCancellation(t.Context(), c)
	require.ErrorIs(t, err, outcome.ErrChanged)
	assert.Nil(t, last(), "what was not written")

	saved.Status, saved.NextTryAt, saved.UpdatedAt = cancellation.StatusSent, time.Time{}, created.Add(150*time.Minute)
	saved.History = append(saved.History, cancellation.Step{Status: cancellation.StatusSent, At: saved.UpdatedAt})
	saved, err = o.SaveCancellation(t.Context(), saved)
	require.NoError(t, err)
	metrictest.Assert(t, last(), "HandOver", "Seconds", 30*60)

	saved.UpdatedAt = created.Add(3 * time.Hour)
	_, err = o.SaveCancellation(t.Context(), saved)
	require.NoError(t, err)
	assert.Nil(t, last(), "a letter that has gone")
}

package notification_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/notification"
	"aviso/internal/owner"
	"aviso/localstack/tests/notificationtest"
)

// A deliverer may record an attempt after the eraser has looked for it, and before the eraser
// deletes its delivery.
func TestEraserLooksAgainForWhatWasJustWritten(t *testing.T) {
	user := owner.User{Partner: "p", ID: "u"}
	sub := notificationtest.SampleSubscription()
	store := &lateStore{store: newStore(t, notificationtest.Noon)}
	d, err := notificationtest.Create(t.Context(), store, notificationtest.SampleDelivery(sub))
	require.NoError(t, err)
	store.between = func() {
		a := notification.Attempt{ID: "a", StartedAt: clock.Real(notificationtest.Noon()), Payload: []byte(`{}`), User: user.ID}
		require.NoError(t, store.SaveAttempt(t.Context(), sub, d, a))
	}
	eraser := notification.NewEraser(store)
	for _, want := range []bool{false, false, true} {
		done, err := eraser.Erase(t.Context(), user)
		require.NoError(t, err)
		assert.Equal(t, want, done)
	}
	left, _, err := store.Attempts(t.Context(), sub, 10, "")
	require.NoError(t, err)
	require.Len(t, left, 1)
	assert.Empty(t, left[0].Payload)
}

// lateStore finds only what was there before something happened.
type lateStore struct {
	*store
	between func()
}

func (s *lateStore) EraseUser(ctx context.Context, user owner.User) (int, error) {
	if s.between == nil {
		return s.store.EraseUser(ctx, user)
	}
	pending, err := s.PendingDeliveries(ctx, user)
	s.between()
	s.between = nil
	for _, k := range pending {
		err = errors.Join(err, s.DeleteDelivery(ctx, k))
	}
	return len(pending), err
}

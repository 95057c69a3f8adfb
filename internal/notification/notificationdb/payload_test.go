package notificationdb_test

import (
	"bytes"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/notification"
	"aviso/localstack/tests/notificationtest"
)

// DynamoDB ends a query after 1 MB, which is less than a page of attempts with payloads.
func TestAPageOfAttemptsIsMoreThanAMegabyte(t *testing.T) {
	s, _, _, _ := newStore(t)
	sub := notificationtest.SampleSubscription()
	d, err := notificationtest.Create(t.Context(), s, notificationtest.SampleDelivery(sub))
	require.NoError(t, err)
	for range 80 {
		require.NoError(t, s.SaveAttempt(t.Context(), sub, d, notification.Attempt{
			ID: uuid.NewString(), StartedAt: realNoon(), Payload: bytes.Repeat([]byte("x"), 16<<10),
		}))
		d.Version++
	}
	all, next, err := s.Attempts(t.Context(), sub, 200, "")
	require.NoError(t, err)
	assert.Len(t, all, 80)
	assert.Empty(t, next)
}

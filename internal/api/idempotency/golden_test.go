package idempotency_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/idempotency"
	"aviso/localstack/testenv"
)

// goldenClaims are, by their keys, one with an answer and one that waits for it;
// see testenv.Golden.
func goldenClaims() map[string]idempotency.Claim {
	return map[string]idempotency.Claim{
		"answered": {Holder: "a", Request: "digest of a", Answer: []byte("sealed answer")},
		"waiting":  {Holder: "b", Request: "digest of b"},
	}
}

func TestGoldenItemsAreWritten(t *testing.T) {
	b := newBench(t)
	for key, c := range goldenClaims() {
		_, taken, err := b.Claim(t.Context(), erika(), key, c, now(), now().Add(time.Minute))
		require.NoError(t, err)
		require.False(t, taken)
		if c.Answer != nil {
			require.NoError(t, b.Keep(t.Context(), erika(), key, c, now().Add(24*time.Hour)))
		}
	}
	testenv.Golden(t, map[string]string{"IdempotencyTable": b.table})
}

func TestGoldenItemsAreRead(t *testing.T) {
	db, table := testenv.DynamoDB(t), testenv.GoldenTable(t, "IdempotencyTable")
	for key, want := range goldenClaims() {
		got, taken, err := idempotency.New(db, table).Claim(t.Context(), erika(), key, claim("other"), now(), now().Add(time.Minute))
		require.NoError(t, err)
		assert.True(t, taken)
		got.ExpiresAt = 0
		assert.Equal(t, want, got)
	}
	counts, err := idempotency.New(db, table).Count(t.Context(), erika())
	require.NoError(t, err)
	assert.Equal(t, map[string]int{"storedAnswers": 2}, counts)
}

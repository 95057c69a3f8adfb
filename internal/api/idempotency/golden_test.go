package idempotency_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/idempotency"
	"aviso/localstack/tests/testenv"
)

// goldenAnswers are answers by their keys; see testenv.Golden.
func goldenAnswers() map[string]idempotency.Answer {
	return map[string]idempotency.Answer{"answered": {Request: "digest of a", Sealed: []byte("sealed answer")}}
}

func TestGoldenItemsAreWritten(t *testing.T) {
	b := newBench(t)
	for key, a := range goldenAnswers() {
		require.NoError(t, b.Keep(t.Context(), erika(), key, a, now()))
	}
	testenv.Golden(t, map[string]string{"IdempotencyTable": b.table})
}

func TestGoldenItemsAreRead(t *testing.T) {
	s := idempotency.New(testenv.DynamoDB(t), testenv.GoldenTable(t, "IdempotencyTable"))
	for key, want := range goldenAnswers() {
		got, err := s.Find(t.Context(), erika(), key, now())
		require.NoError(t, err)
		got.ExpiresAt = 0
		assert.Equal(t, want, got)
	}
	counts, err := s.Count(t.Context(), erika())
	require.NoError(t, err)
	assert.Equal(t, map[string]int{"storedAnswers": 1}, counts)
}

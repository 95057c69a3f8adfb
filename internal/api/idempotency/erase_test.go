package idempotency_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/idempotency"
	"aviso/internal/owner"
	"aviso/localstack/tests/testenv"
)

func TestErasureOfAnswers(t *testing.T) {
	b := newBench(t)
	other := owner.User{Partner: "acme", ID: "11"}
	for _, k := range []string{"a", "b", "c"} {
		for _, user := range []owner.User{erika(), other} {
			require.NoError(t, b.Keep(t.Context(), user, k, answer("a"), now()))
		}
	}
	eraser := idempotency.New(testenv.DynamoDB(t), b.table)
	kept := func(user owner.User) int {
		n, err := eraser.Count(t.Context(), user)
		require.NoError(t, err)
		return n["storedAnswers"]
	}
	assert.Equal(t, 3, kept(erika()))
	for range 2 { // an empty partition is not an error
		done, err := eraser.Erase(t.Context(), erika())
		require.NoError(t, err)
		assert.True(t, done)
	}
	assert.Zero(t, kept(erika()))
	assert.Equal(t, 3, kept(other), "of another user whose ID starts the same")
}

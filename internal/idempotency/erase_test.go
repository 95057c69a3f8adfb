package idempotency_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/owner"
)

func TestErasureOfAnswers(t *testing.T) {
	b := newBench(t)
	other := owner.User{Partner: "acme", ID: "11"}
	for _, k := range []string{"a", "b", "c"} {
		for _, user := range []owner.User{erika(), other} {
			_, taken, err := b.Claim(t.Context(), user, k, claim("h"), now(), now().Add(time.Hour))
			require.NoError(t, err)
			require.False(t, taken)
		}
	}
	n, err := b.CountAnswers(t.Context(), erika())
	require.NoError(t, err)
	assert.Equal(t, 3, n)
	for range 2 { // nothing left to delete is no error
		require.NoError(t, b.DeleteAnswers(t.Context(), erika()))
	}
	n, err = b.CountAnswers(t.Context(), erika())
	require.NoError(t, err)
	assert.Zero(t, n)
	n, err = b.CountAnswers(t.Context(), other)
	require.NoError(t, err)
	assert.Equal(t, 3, n, "of another user, whose id begins alike")
}

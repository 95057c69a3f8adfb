package idempotency_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/idempotency"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/localstack/testenv"
)

func erika() owner.User { return owner.User{Partner: "acme", ID: "1"} }

func now() time.Time { return time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC) }

// bench is a store, and its answers for one key.
type bench struct {
	*idempotency.Store
	t     *testing.T
	table string
}

func newBench(t *testing.T) bench {
	t.Helper()
	table := testenv.Table(t, "IdempotencyTable")
	return bench{idempotency.New(testenv.DynamoDB(t), table), t, table}
}

func claim(holder string) idempotency.Claim {
	return idempotency.Claim{Holder: holder, Request: "request of " + holder}
}

// claims claims the key "k" and returns the other holder, if there is one.
func (b bench) claims(holder string, at time.Time) idempotency.Claim {
	b.t.Helper()
	held, taken, err := b.Claim(b.t.Context(), erika(), "k", claim(holder), at, at.Add(time.Minute))
	require.NoError(b.t, err)
	assert.Equal(b.t, taken, held.Holder != "")
	held.ExpiresAt = 0
	return held
}

func (b bench) keeps(holder, answer string, until time.Time) error {
	c := claim(holder)
	c.Answer = []byte(answer)
	return b.Keep(b.t.Context(), erika(), "k", c, until)
}

func TestClaim(t *testing.T) {
	t.Parallel()

	t.Run("succeeds for a free key, and returns the holder of a taken one", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		assert.Empty(t, b.claims("a", now()))
		assert.Equal(t, claim("a"), b.claims("b", now()))
	})

	t.Run("succeeds twice if the client retries", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		assert.Empty(t, b.claims("a", now()))
		assert.Empty(t, b.claims("a", now()))
	})

	t.Run("counts until it expires, even if its row remains", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		b.claims("a", now())
		assert.Equal(t, "a", b.claims("b", now().Add(time.Minute)).Holder)
		assert.Empty(t, b.claims("b", now().Add(time.Minute+time.Second)))
		assert.Equal(t, "b", b.claims("a", now().Add(time.Minute+time.Second)).Holder)
	})

	t.Run("is for one user and one key", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		b.claims("a", now())
		for _, other := range []owner.User{{Partner: "acme", ID: "2"}, {Partner: "acme"}, {Partner: "globex", ID: "1"}} {
			_, taken, err := b.Claim(t.Context(), other, "k", claim("b"), now(), now().Add(time.Minute))
			require.NoError(t, err)
			assert.False(t, taken)
		}
		_, taken, err := b.Claim(t.Context(), erika(), "K", claim("b"), now(), now().Add(time.Minute))
		require.NoError(t, err)
		assert.False(t, taken)
	})

	t.Run("is won by one of many", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		won := make([]bool, 20)
		var all sync.WaitGroup
		for i := range won {
			all.Go(func() {
				_, taken, err := b.Claim(t.Context(), erika(), "k", claim(fmt.Sprint(i)), now(), now().Add(time.Minute))
				assert.NoError(t, err)
				won[i] = !taken
			})
		}
		all.Wait()
		winners := 0
		for _, w := range won {
			if w {
				winners++
			}
		}
		assert.Equal(t, 1, winners)
	})

	t.Run("fails without a table", func(t *testing.T) {
		t.Parallel()
		s := idempotency.New(testenv.DynamoDB(t), "nowhere")
		_, _, err := s.Claim(t.Context(), erika(), "k", claim("a"), now(), now())
		require.Error(t, err)
		require.Error(t, s.Keep(t.Context(), erika(), "k", claim("a"), now()))
		require.Error(t, s.Release(t.Context(), erika(), "k", claim("a")))
	})
}

func TestKeep(t *testing.T) {
	t.Parallel()

	t.Run("returns the answer to later claims until it expires", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		b.claims("a", now())
		require.NoError(t, b.keeps("a", "done", now().Add(24*time.Hour)))
		want := claim("a")
		want.Answer = []byte("done")
		assert.Equal(t, want, b.claims("b", now().Add(24*time.Hour)))
		assert.Empty(t, b.claims("b", now().Add(24*time.Hour+time.Second)))
		assert.Empty(t, b.claims("a", now()).Answer, "the new claim has no answer yet")
	})

	t.Run("does not overwrite a new holder, or restore a released claim", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		b.claims("a", now())
		b.claims("b", now().Add(2*time.Minute))
		require.ErrorIs(t, b.keeps("a", "late", now().Add(time.Hour)), outcome.ErrChanged)
		require.NoError(t, b.Release(t.Context(), erika(), "k", claim("b")))
		require.ErrorIs(t, b.keeps("b", "late", now().Add(time.Hour)), outcome.ErrChanged)
	})
}

func TestRelease(t *testing.T) {
	t.Parallel()

	t.Run("frees the holder's key, once or twice", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		b.claims("a", now())
		for range 2 {
			require.NoError(t, b.Release(t.Context(), erika(), "k", claim("a")))
		}
		assert.Empty(t, b.claims("b", now()))
	})

	t.Run("leaves another holder's key alone", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		b.claims("a", now())
		require.NoError(t, b.Release(t.Context(), erika(), "k", claim("b")))
		assert.Equal(t, "a", b.claims("b", now()).Holder)
	})
}

func TestRowsExpireAndAreInTheUsersPartition(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.claims("a", now())
	out, err := testenv.DynamoDB(t).Scan(t.Context(), &dynamodb.ScanInput{TableName: &b.table})
	require.NoError(t, err)
	require.Len(t, out.Items, 1)
	assert.Equal(t, dynamo.S(erika().Key()), out.Items[0]["pk"], "an erasure finds all of a user's answers in one place")
	assert.Equal(t, dynamo.N(now().Add(time.Minute).Unix()), out.Items[0]["expiresAt"])
}

package token

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var errAway = errors.New("the table is away")

func TestSigningKey(t *testing.T) {
	t.Parallel()
	a, again, b := signingKey(t, rootA), signingKey(t, rootA), signingKey(t, rootB)
	assert.Equal(t, a.ID, again.ID)
	assert.True(t, a.key.Equal(again.key), "all instances derive the same key from one root")
	assert.NotEqual(t, a.ID, b.ID)
	assert.False(t, a.key.Equal(b.key))
	public := a.Public()
	assert.True(t, public.IsPublic())
	text, err := public.MarshalJSON()
	require.NoError(t, err)
	assert.NotContains(t, string(text), `"d"`)
	assert.Contains(t, string(text), `"use":"sig"`)
}

func TestRotation(t *testing.T) {
	t.Parallel()
	old, young := signingKey(t, rootA), signingKey(t, rootB)

	t.Run("accepts two keys at the same time", func(t *testing.T) {
		b := newBench(t)
		b.source.set(nil, old, young)
		b.accepts(b.issue(old))
		b.accepts(b.issue(young))
		assert.Equal(t, 1, b.source.count())
	})

	t.Run("finds a new key with its first token", func(t *testing.T) {
		b := newBench(t)
		require.NoError(t, b.Warm(t.Context()))
		b.accepts(b.issue(old))
		b.source.set(nil, old, young)
		b.accepts(b.issue(young))
		assert.Equal(t, 2, b.source.count())
	})

	t.Run("stops accepting a withdrawn key when the key set expires, even for verified tokens", func(t *testing.T) {
		b := newBench(t)
		token := b.issue(old)
		b.accepts(token)
		b.source.set(nil, young)
		b.clock.Advance(keysMaxAge - time.Nanosecond)
		b.accepts(token)
		b.clock.Advance(time.Nanosecond)
		b.refuses(token)
		b.accepts(b.issue(young))
	})
}

func TestKeySource(t *testing.T) {
	t.Parallel()
	stranger := signingKey(t, rootB)

	t.Run("is read once for many tokens", func(t *testing.T) {
		b := newBench(t)
		for range 20 {
			b.accepts(b.issue(b.key))
			b.clock.Advance(time.Minute / 4)
		}
		assert.Equal(t, 1, b.source.count())
		b.clock.Advance(keysMaxAge)
		b.accepts(b.issue(b.key))
		assert.Equal(t, 2, b.source.count())
	})

	t.Run("is read at most once a second for unknown keys", func(t *testing.T) {
		b := newBench(t)
		forged := sign(t, stranger, tokenType, good())
		for range 50 {
			b.refuses(forged)
		}
		assert.Equal(t, 1, b.source.count())
		b.clock.Advance(keysMinInterval)
		b.refuses(forged)
		b.refuses(sign(t, SigningKey{key: stranger.key}, tokenType, good()))
		assert.Equal(t, 2, b.source.count())
		b.accepts(b.issue(b.key))
		assert.Equal(t, 2, b.source.count())
	})

	t.Run("is read once by concurrent callers while it is slow", func(t *testing.T) {
		b := newBench(t)
		hold := make(chan struct{})
		b.source.hold = hold
		token := b.issue(b.key)
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				_, err := b.Verify(t.Context(), token, issuer)
				assert.NoError(t, err)
			})
		}
		close(hold)
		all.Wait()
		assert.Equal(t, 1, b.source.count())
	})

	t.Run("that is unavailable makes no token invalid", func(t *testing.T) {
		b := newBench(t)
		b.source.set(errAway)
		token := b.issue(b.key)
		for range 20 { // including those within a second, when it is not read again
			_, err := b.Verify(t.Context(), token, issuer)
			require.ErrorIs(t, err, errAway)
			require.NotErrorIs(t, err, ErrInvalid)
		}
		assert.Equal(t, 1, b.source.count())
		b.source.set(nil, b.key)
		b.clock.Advance(keysMinInterval)
		b.accepts(token)
	})

	t.Run("that becomes unavailable leaves the known keys valid", func(t *testing.T) {
		b := newBench(t)
		b.accepts(b.issue(b.key))
		b.source.set(errAway)
		b.clock.Advance(keysMaxAge)
		for range 20 {
			b.accepts(b.issue(b.key))
		}
		assert.Equal(t, 2, b.source.count(), "and not every request waits for it")
		_, err := b.Verify(t.Context(), sign(t, stranger, tokenType, good()), issuer)
		require.ErrorIs(t, err, errAway)
	})

	t.Run("that cannot be warmed is read with the first token", func(t *testing.T) {
		b := newBench(t)
		b.source.set(errAway)
		require.ErrorIs(t, b.Warm(t.Context()), errAway)
		b.source.set(nil, b.key)
		b.accepts(b.issue(b.key))
	})
}

func TestCacheOfVerifiedTokensIsBounded(t *testing.T) {
	t.Parallel()
	g := &verifiedTokens{tokens: map[[32]byte]verifiedToken{}}
	for i := range 3 * maxVerifiedTokens {
		g.remember([32]byte{byte(i), byte(i >> 8)}, verifiedToken{keyID: "k"})
		assert.LessOrEqual(t, len(g.tokens), maxVerifiedTokens)
	}
	_, ok := g.lookup([32]byte{255, 11})
	assert.True(t, ok)
}

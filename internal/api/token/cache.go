package token

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	// keysMaxAge is how long a key set is used before it is read again.
	keysMaxAge = 10 * time.Minute
	// keysMinInterval is the minimum time between two reads that tokens cause. Without it, every forged token would
	// cause a read, and every request would wait while the table is unavailable.
	keysMinInterval = time.Second
	// maxVerifiedTokens limits the memory for verified tokens.
	maxVerifiedTokens = 1024
)

// keyCache caches the key set. It reads the set again when it is too old or a token has an unknown key ID.
type keyCache struct {
	read func(context.Context) ([]jose.JSONWebKey, error)
	now  func() time.Time

	// mu is held while a token causes a read, so that all callers wait for one read.
	mu          sync.Mutex
	keys        map[string]jose.JSONWebKey
	readAt      time.Time
	attemptedAt time.Time // the last read caused by a token
	failure     error     // its result
}

// find returns the key with that ID. A token with an unknown key is invalid only if the key set
// could be read.
func (c *keyCache) find(ctx context.Context, id string) (jose.JSONWebKey, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key, known := c.keys[id]
	if known && c.now().Sub(c.readAt) < keysMaxAge {
		return key, nil
	}
	if c.now().Sub(c.attemptedAt) >= keysMinInterval {
		var keys map[string]jose.JSONWebKey
		if keys, c.failure = c.readAll(ctx); c.failure == nil {
			c.keys, c.readAt = keys, c.now()
		}
		c.attemptedAt = c.now()
	}
	key, known = c.keys[id]
	switch {
	case known: // an old key set is better than none while the table is unavailable
		return key, nil
	case c.failure != nil:
		return jose.JSONWebKey{}, c.failure
	default:
		return jose.JSONWebKey{}, ErrInvalid
	}
}

func (c *keyCache) readAll(ctx context.Context) (map[string]jose.JSONWebKey, error) {
	list, err := c.read(ctx)
	if err != nil {
		return nil, fmt.Errorf("read public keys: %w", err)
	}
	keys := make(map[string]jose.JSONWebKey, len(list))
	for _, k := range list {
		keys[k.KeyID] = k
	}
	return keys, nil
}

// verifiedTokens caches tokens whose signature is valid, by digest.
type verifiedTokens struct {
	mu     sync.Mutex
	tokens map[[32]byte]verifiedToken
}

type verifiedToken struct {
	claims
	keyID string
}

func (v *verifiedTokens) lookup(digest [32]byte) (verifiedToken, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	t, ok := v.tokens[digest]
	return t, ok
}

func (v *verifiedTokens) remember(digest [32]byte, t verifiedToken) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.tokens) >= maxVerifiedTokens { // rare: partners reuse a token for an hour
		clear(v.tokens)
	}
	v.tokens[digest] = t
}

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
	// keysMinInterval is the minimum time between two reads caused by tokens, so that
	// not every forged token causes a read, and not every request waits if the table
	// is unavailable.
	keysMinInterval = time.Second
	// maxVerifiedTokens limits the memory for verified tokens.
	maxVerifiedTokens = 1024
)

// keyCache caches the key set. It reads it again when it is too old, or when a token
// has an unknown key ID.
type keyCache struct {
	read func(context.Context) ([]jose.JSONWebKey, error)
	now  func() time.Time

	// reading is held while the key set is read, so that all callers that miss a key
	// wait for one read.
	reading     sync.Mutex
	attemptedAt time.Time // the last read caused by a token
	failure     error     // its result

	mu     sync.Mutex
	keys   map[string]jose.JSONWebKey
	readAt time.Time
}

func (c *keyCache) find(ctx context.Context, id string) (jose.JSONWebKey, error) {
	if key, known, fresh := c.lookup(id); known && fresh {
		return key, nil
	}
	err := c.refreshOnDemand(ctx)
	key, known, _ := c.lookup(id)
	switch {
	case known: // an old key set is better than none while the table is unavailable
		return key, nil
	case err != nil:
		return jose.JSONWebKey{}, err
	default:
		return jose.JSONWebKey{}, ErrInvalid
	}
}

// lookup returns the key, whether it is known, and whether the key set is fresh.
func (c *keyCache) lookup(id string) (key jose.JSONWebKey, known, fresh bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key, known = c.keys[id]
	return key, known, c.now().Sub(c.readAt) < keysMaxAge
}

// refreshOnDemand reads the key set for a token, or returns the result of the last
// read if that was only just done. So a token with an unknown key is invalid only if
// the key set could be read.
func (c *keyCache) refreshOnDemand(ctx context.Context) error {
	c.reading.Lock()
	defer c.reading.Unlock()
	if c.now().Sub(c.attemptedAt) < keysMinInterval {
		return c.failure
	}
	c.failure = c.refresh(ctx)
	c.attemptedAt = c.now()
	return c.failure
}

func (c *keyCache) refresh(ctx context.Context) error {
	list, err := c.read(ctx)
	if err != nil {
		return fmt.Errorf("read public keys: %w", err)
	}
	keys := make(map[string]jose.JSONWebKey, len(list))
	for _, k := range list {
		keys[k.KeyID] = k
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keys, c.readAt = keys, c.now()
	return nil
}

// verifiedTokens caches verified tokens by digest.
type verifiedTokens struct {
	mu     sync.Mutex
	tokens map[[32]byte]verifiedToken
}

type verifiedToken struct {
	principal Principal
	issuer    string
	expiry    time.Time
	keyID     string
}

func (v *verifiedTokens) lookup(digest [32]byte, issuer string, now time.Time) (verifiedToken, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	t, ok := v.tokens[digest]
	return t, ok && t.issuer == issuer && now.Before(t.expiry)
}

func (v *verifiedTokens) remember(digest [32]byte, t verifiedToken) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.tokens) >= maxVerifiedTokens { // rare: partners reuse a token for an hour
		clear(v.tokens)
	}
	v.tokens[digest] = t
}

package accesstoken

import (
	"context"
	"crypto"
	"fmt"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const sha256Hash = crypto.SHA256

const (
	// keysFresh is how long a key set is used without asking again.
	keysFresh = 10 * time.Minute
	// keysPause is the least time between two reads that unknown key ids cause,
	// so that forged tokens cannot turn into a read each.
	keysPause = time.Second
	// maxGoodTokens bounds the memory of verified tokens.
	maxGoodTokens = 1024
)

// keyCache holds the key set, and reads it anew when it is old or when a token
// names a key it does not know.
type keyCache struct {
	source KeySource
	now    func() time.Time

	mu     sync.Mutex
	keys   map[string]jose.JSONWebKey
	readAt time.Time
	missAt time.Time // the last read that an unknown key id caused
}

func newKeyCache(source KeySource, now func() time.Time) *keyCache {
	return &keyCache{source: source, now: now}
}

func (c *keyCache) find(ctx context.Context, id string) (jose.JSONWebKey, error) {
	key, known, ask := c.lookup(id)
	if !ask {
		if known {
			return key, nil
		}
		return jose.JSONWebKey{}, ErrInvalid
	}
	if err := c.refresh(ctx); err != nil {
		if known { // an old key set is better than none while the table is away
			return key, nil
		}
		return jose.JSONWebKey{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if key, known = c.keys[id]; !known {
		return jose.JSONWebKey{}, ErrInvalid
	}
	return key, nil
}

// lookup tells whether the key is held, and whether the key set should be read
// again first.
func (c *keyCache) lookup(id string) (key jose.JSONWebKey, known, ask bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if key, known = c.keys[id]; known {
		return key, true, now.Sub(c.readAt) >= keysFresh
	}
	if now.Sub(c.missAt) < keysPause {
		return key, false, false
	}
	c.missAt = now
	return key, false, true
}

func (c *keyCache) refresh(ctx context.Context) error {
	list, err := c.source.PublicKeys(ctx)
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

// goodTokens remembers tokens whose signature has been checked, by digest.
type goodTokens struct {
	mu     sync.Mutex
	tokens map[[32]byte]goodToken
}

type goodToken struct {
	principal Principal
	issuer    string
	expiry    time.Time
}

func newGoodTokens() *goodTokens { return &goodTokens{tokens: map[[32]byte]goodToken{}} }

func (g *goodTokens) lookup(digest [32]byte, issuer string, now time.Time) (Principal, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	t, ok := g.tokens[digest]
	if !ok || t.issuer != issuer || !now.Before(t.expiry) {
		return Principal{}, false
	}
	return t.principal, true
}

func (g *goodTokens) remember(digest [32]byte, t goodToken) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.tokens) >= maxGoodTokens { // rare: partners reuse a token for an hour
		clear(g.tokens)
	}
	g.tokens[digest] = t
}

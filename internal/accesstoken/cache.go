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
	// keysPause is the least time between two reads that tokens cause, so that
	// forged ones cannot turn into a read each, nor a table that is away into a
	// wait each.
	keysPause = time.Second
	// maxGoodTokens bounds the memory of verified tokens.
	maxGoodTokens = 1024
)

// keyCache holds the key set, and reads it anew when it is old or when a token
// names a key it does not know.
type keyCache struct {
	read func(context.Context) ([]jose.JSONWebKey, error)
	now  func() time.Time

	// asking is held while the key set is read, so that all who miss a key wait
	// for the one read instead of giving up or reading each.
	asking  sync.Mutex
	askedAt time.Time // the last read that a token caused
	failure error     // what came of it

	mu     sync.Mutex
	keys   map[string]jose.JSONWebKey
	readAt time.Time
}

func newKeyCache(read func(context.Context) ([]jose.JSONWebKey, error), now func() time.Time) *keyCache {
	return &keyCache{read: read, now: now}
}

func (c *keyCache) find(ctx context.Context, id string) (jose.JSONWebKey, error) {
	if key, known, fresh := c.lookup(id); known && fresh {
		return key, nil
	}
	err := c.ask(ctx)
	key, known, _ := c.lookup(id)
	switch {
	case known: // an old key set is better than none while the table is away
		return key, nil
	case err != nil:
		return jose.JSONWebKey{}, err
	default:
		return jose.JSONWebKey{}, ErrInvalid
	}
}

// lookup is the key, whether it is held, and whether the key set is fresh.
func (c *keyCache) lookup(id string) (key jose.JSONWebKey, known, fresh bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key, known = c.keys[id]
	return key, known, c.now().Sub(c.readAt) < keysFresh
}

// ask reads the key set on behalf of a token, and gives the outcome of the last
// read where that was only just. A token with an unknown key is thus called
// invalid only when the key set has been read.
func (c *keyCache) ask(ctx context.Context) error {
	c.asking.Lock()
	defer c.asking.Unlock()
	if c.now().Sub(c.askedAt) < keysPause {
		return c.failure
	}
	c.failure = c.refresh(ctx)
	c.askedAt = c.now()
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

// goodTokens remembers tokens whose signature has been checked, by digest.
type goodTokens struct {
	mu     sync.Mutex
	tokens map[[32]byte]goodToken
}

type goodToken struct {
	principal Principal
	issuer    string
	expiry    time.Time
	keyID     string
}

func newGoodTokens() *goodTokens { return &goodTokens{tokens: map[[32]byte]goodToken{}} }

func (g *goodTokens) lookup(digest [32]byte, issuer string, now time.Time) (goodToken, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	t, ok := g.tokens[digest]
	return t, ok && t.issuer == issuer && now.Before(t.expiry)
}

func (g *goodTokens) remember(digest [32]byte, t goodToken) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.tokens) >= maxGoodTokens { // rare: partners reuse a token for an hour
		clear(g.tokens)
	}
	g.tokens[digest] = t
}

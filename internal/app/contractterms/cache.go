package contractterms

import (
	"context"
	"slices"
	"sync"
	"time"
)

// remembered is the maximum time for which a lookup is cached. The catalogue rarely changes.
const remembered = 10 * time.Minute

// cache caches rows of the catalogue. It does not cache misses: users name products, so misses are unlimited.
type cache[K comparable, V any] struct {
	read func(context.Context, []K) (map[K]V, error)
	now  func() time.Time

	mu    sync.Mutex
	known map[K]V
	until time.Time
}

// get returns the values that exist, and skips the zero key. It reads all uncached keys with one call.
func (c *cache[K, V]) get(ctx context.Context, keys []K) (map[K]V, error) {
	now, values := c.now(), map[K]V{}
	var ask []K
	var none K
	c.mu.Lock()
	if now.After(c.until) {
		c.known, c.until = map[K]V{}, now.Add(remembered)
	}
	for _, key := range keys {
		switch known, ok := c.known[key]; {
		case key == none:
		case ok:
			values[key] = known
		case !slices.Contains(ask, key):
			ask = append(ask, key)
		}
	}
	c.mu.Unlock()
	if len(ask) == 0 {
		return values, nil
	}
	found, err := c.read(ctx, ask)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, value := range found {
		values[key], c.known[key] = value, value
	}
	return values, nil
}

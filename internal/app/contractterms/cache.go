package contractterms

import (
	"context"
	"slices"
	"sync"
	"time"
)

// remembered is how long a lookup in the catalogue is cached at most. The catalogue rarely changes.
const remembered = 10 * time.Minute

// cache keeps what was read of the catalogue. It does not keep what was not found: users name
// products, so there is no end of them.
type cache[K comparable, V any] struct {
	read func(context.Context, []K) (map[K]V, error)
	now  func() time.Time

	mu    sync.Mutex
	known map[K]V
	until time.Time
}

// get returns the values that there are. It reads all that are not cached with one call, and leaves
// out the zero key.
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

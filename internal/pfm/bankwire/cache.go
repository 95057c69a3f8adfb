package bankwire

import (
	"context"
	"sync"
	"time"
)

// Cache caches values made from secrets, by name. A value is used for Life, so that a new secret needs no restart.
// After an error the secret is not read again for Pause.
type Cache[T any] struct {
	// Load reads the secret. It gets the value in use and may return it again, even with an error.
	Load        func(ctx context.Context, name string, inUse T) (T, error)
	Now         func() time.Time
	Life, Pause time.Duration

	mu   sync.Mutex
	held map[string]*entry[T]
}

// entry is a value, or the error of the last attempt to load it. Only the holder of turn may access it, so that all
// callers wait for one read.
type entry[T any] struct {
	turn  chan struct{}
	value T
	err   error
	until time.Time
}

// Get returns the value for the secret with this name.
func (c *Cache[T]) Get(ctx context.Context, name string) (value T, err error) {
	e := c.entry(name)
	select {
	case e.turn <- struct{}{}:
		defer func() { <-e.turn }()
	case <-ctx.Done():
		return value, ctx.Err()
	}
	if c.Now().Before(e.until) {
		return e.value, e.err
	}
	loaded, err := c.Load(ctx, name, e.value)
	if err != nil && ctx.Err() != nil { // the caller gave up, so this is not an error of the secret
		return value, ctx.Err()
	}
	life := c.Life
	if err != nil {
		life = c.Pause
	}
	e.value, e.err, e.until = loaded, err, c.Now().Add(life)
	return loaded, err
}

func (c *Cache[T]) entry(name string) *entry[T] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held == nil {
		c.held = map[string]*entry[T]{}
	}
	if c.held[name] == nil {
		c.held[name] = &entry[T]{turn: make(chan struct{}, 1)}
	}
	return c.held[name]
}

// Forget makes the next call read the secret again.
func (c *Cache[T]) Forget(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.held, name)
}

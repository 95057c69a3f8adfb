// Package clocktest provides a clock that only moves when a test advances it.
package clocktest

import (
	"sync"
	"time"
)

// Clock is a clock for tests. It is safe for concurrent use.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// New returns a clock set to noon UTC on 2 March 2026.
func New() *Clock { return &Clock{at: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)} }

// Now returns the current time of the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Advance moves the clock forward.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

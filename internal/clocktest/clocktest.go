// Package clocktest is a time that only a test moves.
package clocktest

import (
	"sync"
	"time"
)

// Clock stands still until it is moved.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// New stands at noon UTC of 2 March 2026.
func New() *Clock { return &Clock{at: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)} }

// Now is the time that it shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Advance moves it on.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

package webhook

import (
	"net/http"
	"sync"
	"time"
)

const (
	// mostKept is how many connections to one receiver are kept: as many as a batch makes calls.
	mostKept = 10
	// keptOpen is how long after it was made a connection is used, so that changes of DNS and of
	// certificates are seen.
	keptOpen = time.Minute
)

// connection is a connection to a receiver.
type connection struct {
	*http.ClientConn
	// to is the scheme and address of the receiver.
	to           string
	opened, used time.Time
}

// kept are connections for the next calls.
type kept struct {
	// idle is how long one is kept. If it is zero, none is.
	idle time.Duration
	now  func() time.Time

	mu   sync.Mutex
	free map[string][]*connection
}

// take returns a connection that still seems to work, or nil. A function may have been frozen for
// any time since it was put back.
func (k *kept) take(to string) *connection {
	k.mu.Lock()
	defer k.mu.Unlock()
	for all := k.free[to]; len(all) > 0; all = k.free[to] {
		last := all[len(all)-1]
		k.free[to] = all[:len(all)-1]
		if k.good(last) {
			return last
		}
		_ = last.Close()
	}
	delete(k.free, to)
	return nil
}

func (k *kept) good(c *connection) bool {
	now := k.now()
	return c.Err() == nil && now.Sub(c.used) < k.idle && now.Sub(c.opened) < keptOpen
}

// put keeps a connection after a call for a while.
func (k *kept) put(c *connection) {
	c.used = k.now()
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.good(c) || len(k.free[c.to]) >= mostKept {
		_ = c.Close()
		return
	}
	k.free[c.to] = append(k.free[c.to], c)
	time.AfterFunc(k.idle, func() { k.expire(c.to) })
}

// expire closes the connections that nobody has used for a while.
func (k *kept) expire(to string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	var good []*connection
	for _, c := range k.free[to] {
		if k.good(c) {
			good = append(good, c)
		} else {
			_ = c.Close()
		}
	}
	if k.free[to] = good; len(good) == 0 {
		delete(k.free, to)
	}
}

package main

import (
	"sync"
	"time"
)

// killPause is the least time between two kills of the stack, so that it also gets some
// work done.
const killPause = 12 * time.Second

// weather says whether things break at present.
type weather struct {
	mu    sync.Mutex
	storm bool
	// up reports whether the stack serves requests. Nothing breaks while it starts.
	up func() bool
	// killed is when the stack was last killed.
	killed time.Time
}

func (w *weather) bad() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.storm && w.up()
}

func (w *weather) set(storm bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.storm = storm
}

// mayKill reports whether the stack may be killed now, and takes it as killed.
func (w *weather) mayKill() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.storm || !w.up() || time.Since(w.killed) < killPause {
		return false
	}
	w.killed = time.Now()
	return true
}

package main

import (
	"maps"
	"sync"
)

// tally counts things by name.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
}

func newTally() *tally { return &tally{counts: map[string]int{}} }

func (t *tally) add(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts[name]++
}

func (t *tally) all() map[string]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.counts)
}

func (t *tally) addN(name string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts[name] += n
}

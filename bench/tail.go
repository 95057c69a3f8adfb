package main

import (
	"bytes"
	"sync"
)

// tail keeps the last of what a function prints, to be shown when it fails.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

// Write is io.Writer's.
func (t *tail) Write(b []byte) (int, error) {
	const limit = 4 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	t.kept = t.kept[max(0, len(t.kept)-limit):]
	return len(b), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.kept))
}

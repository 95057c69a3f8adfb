package emulator

import (
	"bytes"
	"sync"
)

// Tail keeps the last 4 KB of a program's output, for the error if it fails. It is safe
// for concurrent use.
type Tail struct {
	mu   sync.Mutex
	kept []byte
}

// Write implements io.Writer.
func (t *Tail) Write(b []byte) (int, error) {
	const limit = 4 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	t.kept = t.kept[max(0, len(t.kept)-limit):]
	return len(b), nil
}

func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.kept))
}

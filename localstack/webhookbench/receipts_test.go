package webhookbench

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// receipts records when events were committed and received.
type receipts struct {
	mu    sync.Mutex
	begun map[string]time.Time
	took  map[string]time.Duration
}

func newReceipts() *receipts {
	r := &receipts{}
	r.reset()
	return r
}

func (r *receipts) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun, r.took = map[string]time.Time{}, map[string]time.Duration{}
}

func (r *receipts) committed(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun[id] = time.Now()
}

// received counts the first receipt of an event.
func (r *receipts) received(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at, ok := r.begun[id]; ok && r.took[id] == 0 {
		r.took[id] = time.Since(at)
	}
}

// wait returns once n events have been received.
func (r *receipts) wait(ctx context.Context, n int) error {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		r.mu.Lock()
		got := len(r.took)
		r.mu.Unlock()
		if got >= n {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("%d of %d events were received: %w", got, n, ctx.Err())
		}
	}
}

func (r *receipts) latencies() (all []time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range r.took {
		all = append(all, d)
	}
	return all
}

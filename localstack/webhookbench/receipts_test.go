package webhookbench

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// receipts records when events were committed and received.
type receipts struct {
	mu    sync.Mutex
	begun map[string]time.Time
	took  map[string]time.Duration
	// repeated counts receipts after the first.
	repeated int
}

func newReceipts() *receipts {
	r := &receipts{}
	r.reset()
	return r
}

func (r *receipts) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun, r.took, r.repeated = map[string]time.Time{}, map[string]time.Duration{}, 0
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
	at, ok := r.begun[id]
	switch {
	case ok && r.took[id] == 0:
		r.took[id] = time.Since(at)
	case ok:
		r.repeated++
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

// latencies returns the median and the 99th percentile, in milliseconds.
func (r *receipts) latencies() (p50, p99 float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := slices.Sorted(maps.Values(r.took))
	at := func(percent int) float64 { return all[len(all)*percent/100].Seconds() * 1000 }
	return at(50), at(99)
}

// count returns how many events have not been received, and how many receipts were repeated.
func (r *receipts) count() (missing, repeated int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.begun) - len(r.took), r.repeated
}

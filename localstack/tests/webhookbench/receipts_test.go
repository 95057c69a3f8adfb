package webhookbench

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// receipts records when events were committed and received.
type receipts struct {
	mu    sync.Mutex
	begun map[string]time.Time
	first map[string]time.Time
	// missing is how many events have been committed but not received.
	missing int
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
	r.begun, r.first, r.missing, r.repeated = map[string]time.Time{}, map[string]time.Time{}, 0, 0
}

// committed says when the request began that published an event. It may have been received already.
func (r *receipts) committed(id string, begun time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun[id] = begun
	if _, received := r.first[id]; !received {
		r.missing++
	}
}

// received says that an event was received.
func (r *receipts) received(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, again := r.first[id]; again {
		r.repeated++
		return
	}
	r.first[id] = time.Now()
	if _, committed := r.begun[id]; committed {
		r.missing--
	}
}

// wait returns once n events have been received.
func (r *receipts) wait(ctx context.Context, n int) error {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		r.mu.Lock()
		missing, got := r.missing, len(r.first)
		r.mu.Unlock()
		if missing == 0 && got >= n {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("%d of %d events were received: %w", got, n, ctx.Err())
		}
	}
}

// latencies returns the median and the 99th percentile of the time from the request to the first
// receipt, in milliseconds.
func (r *receipts) latencies() (p50, p99 float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []time.Duration
	for id, at := range r.first {
		if begun, ok := r.begun[id]; ok {
			all = append(all, at.Sub(begun))
		}
	}
	slices.Sort(all)
	at := func(percent int) float64 { return all[len(all)*percent/100].Seconds() * 1000 }
	return at(50), at(99)
}

// count returns how many events have not been received, and how many receipts were repeated.
func (r *receipts) count() (missing, repeated int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.missing, r.repeated
}

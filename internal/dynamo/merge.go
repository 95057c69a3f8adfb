package dynamo

import (
	"context"
	"errors"
	"runtime"
	"sync"
)

// Merger makes one call out of calls that are made at the same time. The first one starts at once, alone. Those that
// come meanwhile are made together when it has ended.
type Merger[In, Out any] struct {
	most    int
	turn    chan struct{} // has one place: for the caller that makes the calls of all that wait
	mu      sync.Mutex
	waiting []*mergedCall[In, Out]
}

type mergedCall[In, Out any] struct {
	in  In
	out Out
	err error
	// Only the caller that has the turn reads and writes made.
	made bool
}

// NewMerger returns a Merger that makes at most that many calls together.
func NewMerger[In, Out any](most int) *Merger[In, Out] {
	return &Merger[In, Out]{most: most, turn: make(chan struct{}, 1)}
}

// errMerged is the error of calls that were being made when their maker crashed.
var errMerged = errors.New("the call was made together with one that crashed")

// Call makes a call. do makes any number of calls, and returns a result for each. If it fails, each returns the error.
func (m *Merger[In, Out]) Call(
	ctx context.Context, in In, do func(ctx context.Context, all []In) ([]Out, error),
) (Out, error) {
	own := &mergedCall[In, Out]{in: in, err: errMerged}
	m.mu.Lock()
	m.waiting = append(m.waiting, own)
	m.mu.Unlock()
	m.turn <- struct{}{}
	defer func() { <-m.turn }()
	runtime.Gosched() // lets callers come that are about to
	for !own.made {
		m.makeCalls(ctx, do)
	}
	return own.out, own.err
}

// makeCalls makes the calls that wait the longest.
func (m *Merger[In, Out]) makeCalls(
	ctx context.Context, do func(ctx context.Context, all []In) ([]Out, error),
) {
	m.mu.Lock()
	n := min(len(m.waiting), m.most)
	calls := m.waiting[:n:n]
	m.waiting = m.waiting[n:]
	m.mu.Unlock()
	all := make([]In, n)
	for i, c := range calls {
		all[i], c.made = c.in, true
	}
	results, err := do(ctx, all)
	for i, c := range calls {
		if c.err = err; err == nil {
			c.out = results[i]
		}
	}
}

// Package together does with one call what several goroutines ask for at the same time.
package together

import (
	"context"
	"errors"
	"sync"
	"time"
)

// A call that is not full begins gap after the beginning of the last one at the earliest, or a few
// times as long as that one took, if that is less. It lets those in who come one after the other.
const (
	gap      = 10 * time.Millisecond
	fewTimes = 4
)

// Group collects what is asked for while a call is under way, for the next call. Whoever asks
// alone waits for nobody.
type Group[T any] struct {
	// Most is how many items fit into a call.
	Most int
	// Do makes a call, and returns an error for each item, in their order. Its context is that of
	// the first of those who asked.
	Do func(ctx context.Context, items []T) []error

	mu      sync.Mutex
	asked   []request[T]
	calling bool
	open    <-chan time.Time // when a call that is not full may begin
}

type request[T any] struct {
	ctx  context.Context //nolint:containedctx // of the one who waits
	item T
	done chan error
}

// Ask returns once a call has been made for the item.
func (g *Group[T]) Ask(ctx context.Context, item T) error {
	mine := request[T]{ctx, item, make(chan error, 1)}
	g.mu.Lock()
	g.asked = append(g.asked, mine)
	first := !g.calling
	g.calling = true
	g.mu.Unlock()
	if first {
		go func() {
			for g.next() {
			}
		}()
	}
	return <-mine.done
}

// next makes a call for those who wait. It returns false if nobody does. Only one goroutine at a
// time calls it.
func (g *Group[T]) next() bool {
	g.mu.Lock()
	if g.open != nil && len(g.asked) > 0 && len(g.asked) < g.Most {
		g.mu.Unlock()
		<-g.open
		g.mu.Lock()
	}
	n := min(len(g.asked), g.Most)
	asked := g.asked[:n:n]
	g.asked = g.asked[n:]
	g.calling = n > 0
	g.mu.Unlock()
	if n == 0 {
		return false
	}
	items := make([]T, n)
	for i, r := range asked {
		items[i] = r.item
	}
	began := time.Now()
	errs := g.Do(asked[0].ctx, items)
	took := time.Since(began)
	g.mu.Lock()
	g.open = time.After(min(gap, fewTimes*took) - took)
	g.mu.Unlock()
	for i, r := range asked {
		if i < len(errs) {
			r.done <- errs[i]
		} else {
			r.done <- errors.New("the call has no result for one of its items")
		}
	}
	return true
}

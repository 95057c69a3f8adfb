package main

import (
	"maps"
	"slices"
)

// cohort is work of the same second: when it became due, and how much there is of each
// class. Classes share a queue without waiting for each other's turn.
type cohort struct {
	born int
	n    [classes]float64
}

// The classes of deliveries. The classes of syncs are how often they have failed.
const (
	others  = iota
	hot     // to the partner with a large part of the load
	hanging // to the receiver that hangs in the morning
	_
	_
	classes
)

func (c cohort) sum() float64 {
	sum := 0.0
	for _, n := range c.n {
		sum += n
	}
	return sum
}

// queue holds cohorts in order of arrival, which is how an SQS standard queue hands out
// messages on average.
type queue struct {
	cohorts []cohort
	head    int
	size    float64
}

func (q *queue) push(c cohort) {
	if c.sum() > 0 {
		q.cohorts = append(q.cohorts, c)
		q.size += c.sum()
	}
}

// take removes up to n from the front, and calls each with what it removed.
func (q *queue) take(n float64, each func(cohort)) {
	const crumb = 1e-6 // what rounding leaves of a cohort
	for n > crumb && q.head < len(q.cohorts) {
		front := &q.cohorts[q.head]
		there := front.sum()
		part := min(1, n/there)
		taken := cohort{born: front.born}
		for class := range front.n {
			taken.n[class] = front.n[class] * part
			front.n[class] -= taken.n[class]
		}
		n -= there * part
		q.size -= there * part
		if part == 1 || front.sum() < crumb {
			q.size -= front.sum()
			q.head++
		}
		each(taken)
	}
	if q.head == len(q.cohorts) {
		q.cohorts, q.head, q.size = q.cohorts[:0], 0, 0
	} else if q.head > 4096 && q.head*2 > len(q.cohorts) {
		q.cohorts = append(q.cohorts[:0], q.cohorts[q.head:]...)
		q.head = 0
	}
}

// age returns for how many seconds the oldest work has been due.
func (q *queue) age(now int) int {
	oldest := now
	if q.head < len(q.cohorts) {
		oldest = q.cohorts[q.head].born
	}
	return now - oldest
}

// later holds work that comes back in a certain second. It is a ring, so nothing can come
// back later than its length.
type later struct{ ring []map[int]cohort }

func newLater(longest int) *later { return &later{ring: make([]map[int]cohort, longest+1)} }

func (l *later) put(at int, c cohort) {
	slot := at % len(l.ring)
	if l.ring[slot] == nil {
		l.ring[slot] = map[int]cohort{}
	}
	there := l.ring[slot][c.born]
	for class, n := range there.n {
		c.n[class] += n
	}
	l.ring[slot][c.born] = c
}

// due returns what comes back now, the oldest first.
func (l *later) due(now int) []cohort {
	slot := now % len(l.ring)
	back := slices.SortedFunc(maps.Values(l.ring[slot]), func(a, b cohort) int { return a.born - b.born })
	l.ring[slot] = nil
	return back
}

// waits counts how long work waited, in seconds.
type waits struct {
	counts []float64
	total  float64
}

func (w *waits) add(seconds int, n float64) {
	if n <= 0 {
		return
	}
	for len(w.counts) <= seconds {
		w.counts = append(w.counts, 0)
	}
	w.counts[seconds] += n
	w.total += n
}

// quantile returns the wait that this part of the work did not exceed.
func (w *waits) quantile(part float64) int {
	sum := 0.0
	for seconds, n := range w.counts {
		if sum += n; sum >= part*w.total {
			return seconds
		}
	}
	return w.longest()
}

// longest returns the longest wait of at least a hundredth of one piece of work.
func (w *waits) longest() int {
	longest := 0
	for seconds, n := range w.counts {
		if n >= 0.01 {
			longest = seconds
		}
	}
	return longest
}

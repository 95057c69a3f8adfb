package main

import (
	"math"
	"math/rand/v2"
)

// cohort is work of the same second: when it became due, and how much there is of each
// class. Classes share a queue without waiting for each other's turn.
type cohort struct {
	born int
	n    [classes]float64
}

// The classes of deliveries. Syncs have one class, and the outbox jobs (others) and events (hot).
const (
	others  = iota
	hot     // to the partner with a large part of the load
	hanging // to the receiver that hangs in the morning
	classes
)

func work(born int, n ...float64) (c cohort) {
	c.born = born
	copy(c.n[:], n)
	return c
}

func (c cohort) sum() float64 { return c.n[others] + c.n[hot] + c.n[hanging] }

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

// until returns how much there is at the front that became due until a second.
func (q *queue) until(second int) (n float64) {
	for _, c := range q.cohorts[q.head:] {
		if c.born > second {
			break
		}
		n += c.sum()
	}
	return n
}

// take removes up to n from the front, and calls each with what it removed.
func (q *queue) take(n float64, each func(cohort)) {
	const crumb = 1e-6 // what rounding leaves of a cohort
	var taken []cohort // each may push
	for n > crumb && q.head < len(q.cohorts) {
		front := &q.cohorts[q.head]
		there := front.sum()
		part := min(1, n/there)
		some := cohort{born: front.born}
		for class := range front.n {
			some.n[class] = front.n[class] * part
			front.n[class] -= some.n[class]
		}
		n -= there * part
		q.size -= there * part
		if part == 1 || front.sum() < crumb {
			q.size -= front.sum()
			q.head++
		}
		taken = append(taken, some)
	}
	if q.head == len(q.cohorts) {
		*q = queue{cohorts: q.cohorts[:0]}
	}
	for _, c := range taken {
		each(c)
	}
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

// poller is an SQS event source: how many of its pollers wait for messages, each of which
// keeps one execution busy.
type poller struct{ most, now float64 }

// An event source begins with five pollers and adds up to 300 a minute while there is a
// backlog. It stops at 1,000, or before that at MaximumConcurrency.
const firstPollers, morePollers, mostPollers = 5.0, 300.0 / 60, 1000.0

func newPoller(most float64) *poller { return &poller{most: min(most, mostPollers), now: firstPollers} }

// scale moves the number of pollers towards what the work needs. If there is work left, that is as
// many as there may be.
func (p *poller) scale(needed, left float64) {
	if left > 0 {
		needed = p.most
	}
	if needed > p.now {
		p.now = min(p.now+morePollers, needed)
	} else { // pollers end when they find nothing, a few in each second
		p.now = max(firstPollers, needed, p.now-morePollers)
	}
	p.now = min(p.now, p.most)
}

// capacity returns how many messages a second so many executions take, if each lasts as
// long as the slowest message of a full batch.
func capacity(executions, batch float64, slowest []float64) float64 {
	return executions * batch / slowest[int(batch)]
}

// busy returns how many executions are busy with n messages a second. As long as there are
// free pollers, each message has an execution of its own; after that, batches fill.
func busy(n, batch float64, slowest []float64, pollers float64) float64 {
	for size := 1; size <= int(batch); size++ {
		if executions := n / float64(size) * slowest[size]; executions <= pollers {
			return executions
		}
	}
	return pollers
}

// slowestOf returns how long the slowest of 1 to most lasts on average, in seconds. One
// lasts mean seconds on average; the logarithm varies by sigma. hung is the part that lasts
// hangs seconds instead.
func slowestOf(most int, mean, sigma, hung, hangs float64) []float64 {
	const samples = 20_000
	r := rand.New(rand.NewPCG(1, 1)) // the same in each run
	mu := math.Log(mean) - sigma*sigma/2
	slowest := make([]float64, most+1)
	for range samples {
		worst := 0.0
		for size := 1; size <= most; size++ {
			takes := math.Exp(mu + sigma*r.NormFloat64())
			if r.Float64() < hung {
				takes = hangs
			}
			worst = max(worst, takes)
			slowest[size] += worst / samples
		}
	}
	return slowest
}

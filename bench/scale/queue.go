package main

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

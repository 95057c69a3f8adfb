package main

import (
	"math"
	"math/rand/v2"
)

// poller is an SQS event source: how many of its pollers wait for messages, each of which
// keeps one execution busy.
type poller struct {
	// most is MaximumConcurrency.
	most, batch float64
	now         float64
}

// An event source begins with five pollers and adds up to 300 a minute while there is a
// backlog. It stops at 1,000, or before that at MaximumConcurrency.
const firstPollers, morePollers, mostPollers = 5.0, 300.0 / 60, 1000.0

func newPoller(most, batch float64) *poller {
	return &poller{most: min(most, mostPollers), batch: batch, now: firstPollers}
}

// scale moves the number of pollers towards what the work needs. After throttled
// invocations it backs off.
func (p *poller) scale(needed float64, throttled bool) {
	switch {
	case throttled:
		p.now = max(firstPollers, p.now/2)
	case needed > p.now:
		p.now = min(p.now+morePollers, needed, p.most)
	default: // pollers end when they find nothing, a few in each second
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
		if executions := n / float64(size) * slowest[size]; executions <= pollers || size == int(batch) {
			return min(executions, pollers)
		}
	}
	return pollers
}

// slowestOf returns how long the slowest of 1 to most lasts on average, in seconds. One
// lasts mean seconds on average; the logarithm varies by sigma. hung is the part that lasts
// hangs seconds instead.
func slowestOf(r *rand.Rand, most int, mean, sigma, hung, hangs, own float64) []float64 {
	const samples = 20_000
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
			slowest[size] += (worst + own) / samples
		}
	}
	return slowest
}

// ramp is how fast a function may add executions: 1,000 in ten seconds.
type ramp struct{ had, tokens float64 }

const rampAtOnce, rampPerSecond = 1000.0, 100.0

func newRamp() *ramp { return &ramp{tokens: rampAtOnce} }

// allow returns how many of the executions a function gets in this second.
func (r *ramp) allow(wanted float64) float64 {
	r.tokens = min(r.tokens+rampPerSecond, rampAtOnce)
	more := min(max(wanted-r.had, 0), r.tokens)
	r.tokens -= more
	r.had = min(wanted, r.had+more)
	return r.had
}

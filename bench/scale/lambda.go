package main

import (
	"math"
	"math/rand/v2"
)

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

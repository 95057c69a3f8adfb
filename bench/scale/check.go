package main

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// comparison is what the model predicts for something that was measured on this machine.
type comparison struct {
	what               string
	unit               string
	measured, predicts float64
}

func (c comparison) off() float64 { return c.predicts/c.measured - 1 }

// compare predicts, with the parts that the day is made of, what the local stack was
// measured to do.
func compare(in *inputs) (list []comparison) {
	const executions, batch, sigma = 10, 10, 0.5 // as in localstack/webhookbench
	slowest := slowestOf(rand.New(rand.NewPCG(in.seed, 0)), batch, 0.3, sigma, 0, 0, 0)
	list = append(list, comparison{
		what: "Deliveries to receivers that answer in 0.3 s", unit: "/s",
		measured: in.measured.slowReceivers, predicts: capacity(executions, batch, slowest),
	})
	closed := in.measured.closed[len(in.measured.closed)-1].rate
	for _, step := range in.measured.open {
		if step.target <= closed {
			continue
		}
		served, p50, p95 := overload(step.target, closed)
		name := fmt.Sprintf("`make load`, %.0f requests/s offered", step.target)
		list = append(list,
			comparison{what: name + ": answered", unit: "/s", measured: step.rate, predicts: served},
			comparison{what: name + ": p50", unit: " s", measured: step.p50 / 1000, predicts: p50},
			comparison{what: name + ": p95", unit: " s", measured: step.p95 / 1000, predicts: p95})
		break // in the steps after it k6 runs out of clients
	}
	return list
}

// overload offers a queue more than it takes, for the eight seconds of a step.
func overload(offered, takes float64) (served, p50, p95 float64) {
	const lasts, steps = 8, 1000
	var q queue
	var w waits // in steps
	for now := 0; now < 10*lasts*steps && (now < lasts*steps || q.size > 0); now++ {
		if now < lasts*steps {
			q.push(cohort{born: now, n: [classes]float64{offered / steps}})
		}
		q.take(takes/steps, func(c cohort) { w.add(now-c.born, c.sum()) })
	}
	seconds := func(part float64) float64 { return float64(w.quantile(part)) / steps }
	return math.Min(offered, takes), seconds(0.5), seconds(0.95)
}

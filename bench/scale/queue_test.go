package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestQueueWaits(t *testing.T) {
	t.Parallel()
	var q queue
	var w waits
	// Ten a second come for ten seconds, and five leave.
	for now := range 10 {
		q.push(work(now, 10))
		q.take(5, func(c cohort) { w.add(now-c.born, c.sum()) })
	}
	assert.InDelta(t, 50, q.size, 1e-9)
	// Waits of what left: seconds 0 to 9 took halves of seconds 0, 0, 1, 1, 2, 2, 3, 3, 4, 4.
	assert.Equal(t, 2, w.quantile(0.5))
	assert.Equal(t, 5, w.longest())
	assert.InDelta(t, 50, w.total, 1e-9)
	assert.InDelta(t, 20, q.until(6), 1e-9, "seconds 5 and 6 are left of those")
}

func TestQueueKeepsClasses(t *testing.T) {
	t.Parallel()
	var q queue
	q.push(work(0, 6, 3, 1))
	q.take(5, func(c cohort) {
		assert.InDeltaSlice(t, []float64{3, 1.5, 0.5}, c.n[:], 1e-9)
	})
	assert.InDelta(t, 5, q.size, 1e-9)
	q.take(100, func(cohort) {})
	assert.Zero(t, q.size)
}

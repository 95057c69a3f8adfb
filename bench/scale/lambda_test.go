package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPollersRampUp(t *testing.T) {
	t.Parallel()
	p := newPoller(1000)
	assert.InDelta(t, 5, p.now, 0)
	for range 60 {
		p.scale(1000, 0)
	}
	assert.InDelta(t, 305, p.now, 0, "300 a minute")
	for range 200 {
		p.scale(7, 1)
	}
	assert.InDelta(t, 1000, p.now, 0, "MaximumConcurrency, while there is work left")
	for range 200 {
		p.scale(7, 0)
	}
	assert.InDelta(t, 7, p.now, 0)
	assert.InDelta(t, mostPollers, newPoller(5000).most, 0)
}

func TestCapacityAndBatches(t *testing.T) {
	t.Parallel()
	half := []float64{0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}
	assert.InDelta(t, 200, capacity(10, 10, half), 1e-9, "10 executions, 10 messages, half a second")
	assert.InDelta(t, 20, busy(40, 10, half, 100), 1e-9, "one message each while there are pollers")
	assert.InDelta(t, 20, busy(80, 10, half, 20), 1e-9, "then two")
	assert.InDelta(t, 20, busy(1000, 10, half, 20), 1e-9, "never more than there are")
}

func TestSlowestOfABatch(t *testing.T) {
	t.Parallel()
	same := slowestOf(3, 0.3, 0, 0, 0)
	assert.InDelta(t, 0.3, same[1], 1e-9)
	assert.InDelta(t, 0.3, same[3], 1e-9, "without variation a batch takes as long as one")
	hung := slowestOf(2, 1, 0, 0.5, 20)
	assert.InDelta(t, 10.5, hung[1], 0.2)
	assert.InDelta(t, 0.75*20+0.25, hung[2], 0.2, "three of four pairs have one that hangs")
	assert.InDelta(t, 0.3, slowestOf(1, 0.3, 0.5, 0, 0)[1], 0.01, "the mean is the mean")
}

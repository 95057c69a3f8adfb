package main

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPollersRampUp(t *testing.T) {
	t.Parallel()
	p := newPoller(1000, 10)
	assert.InDelta(t, 5, p.now, 0)
	for range 60 {
		p.scale(1000, false)
	}
	assert.InDelta(t, 305, p.now, 0, "300 a minute")
	for range 200 {
		p.scale(1000, false)
	}
	assert.InDelta(t, 1000, p.now, 0, "MaximumConcurrency")
	p.scale(1000, true)
	assert.InDelta(t, 500, p.now, 0, "backs off when throttled")
	for range 200 {
		p.scale(7, false)
	}
	assert.InDelta(t, 7, p.now, 0)
	assert.InDelta(t, mostPollers, newPoller(5000, 10).most, 0)
}

func TestRamp(t *testing.T) {
	t.Parallel()
	r := newRamp()
	assert.InDelta(t, 1000, r.allow(5000), 0)
	assert.InDelta(t, 1100, r.allow(5000), 0, "100 a second after that")
	for range 9 {
		r.allow(5000)
	}
	assert.InDelta(t, 2000, r.had, 0, "1,000 in ten seconds")
	assert.InDelta(t, 10, r.allow(10), 0)
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
	r := rand.New(rand.NewPCG(1, 1))
	same := slowestOf(r, 3, 0.3, 0, 0, 0, 0.02)
	assert.InDelta(t, 0.32, same[1], 1e-9)
	assert.InDelta(t, 0.32, same[3], 1e-9, "without variation a batch takes as long as one")
	hung := slowestOf(r, 2, 1, 0, 0.5, 20, 0)
	assert.InDelta(t, 10.5, hung[1], 0.2)
	assert.InDelta(t, 0.75*20+0.25, hung[2], 0.2, "three of four pairs have one that hangs")
	assert.InDelta(t, 0.3, slowestOf(r, 1, 0.3, 0.5, 0, 0, 0)[1], 0.01, "the mean is the mean")
}

package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestQueueAge(t *testing.T) {
	t.Parallel()
	var q queue
	var w waits
	// Ten a second come for ten seconds, five leave: the backlog is 50, and its oldest is
	// from second 5.
	for now := range 10 {
		q.push(cohort{born: now, n: [classes]float64{10}})
		q.take(5, func(c cohort) { w.add(now-c.born, c.sum()) })
	}
	assert.InDelta(t, 50, q.size, 1e-9)
	assert.Equal(t, 5, q.age(10))
	// Waits of what left: seconds 0 to 9 took halves of seconds 0, 0, 1, 1, 2, 2, 3, 3, 4, 4.
	assert.Equal(t, 2, w.quantile(0.5))
	assert.Equal(t, 5, w.longest())
	assert.InDelta(t, 50, w.total, 1e-9)
}

func TestQueueKeepsClasses(t *testing.T) {
	t.Parallel()
	var q queue
	q.push(cohort{n: [classes]float64{others: 6, hot: 3, hanging: 1}})
	q.take(5, func(c cohort) {
		assert.InDeltaSlice(t, []float64{3, 1.5, 0.5}, c.n[:3], 1e-9)
	})
	assert.InDelta(t, 5, q.size, 1e-9)
	q.take(100, func(cohort) {})
	assert.Zero(t, q.size)
	assert.Zero(t, q.age(1000))
}

func TestLaterComesBackOnce(t *testing.T) {
	t.Parallel()
	l := newLater(100)
	l.put(250, cohort{born: 9, n: [classes]float64{1}})
	l.put(250, cohort{born: 7, n: [classes]float64{1}})
	l.put(250, cohort{born: 9, n: [classes]float64{2}})
	assert.Empty(t, l.due(249))
	back := l.due(250)
	assert.Equal(t, []cohort{{born: 7, n: [classes]float64{1}}, {born: 9, n: [classes]float64{3}}}, back)
	assert.Empty(t, l.due(250))
}

func TestReceiver(t *testing.T) {
	t.Parallel()
	r := newReceiver(4, 500, 0.32, 60)
	r.second(0, false)
	assert.InDelta(t, 12.5, r.call(0, 1000, false), 1e-9, "four slots of 0.32 s")
	r.second(1, false)
	assert.InDelta(t, 2000, r.call(1, 2000, false), 0, "then it has proved to be quick")

	r.second(2, true)
	r.call(2, 2000, true)
	assert.InDelta(t, 2000, r.busyNow, 0, "they hang before anybody knows")
	r.second(3, true)
	assert.Zero(t, r.call(3, 2000, true), "then calls need slots, and all are taken")
	assert.InDelta(t, 64, r.slots, 0)
	r.second(62, true)
	assert.InDelta(t, 32, r.slots, 0, "and half of them are gone after the time-out")
	assert.InDelta(t, 32, r.call(62, 2000, true), 0)

	slow := newReceiver(4, 500, 1.5, 60)
	for now := range 60 {
		slow.second(now, false)
		slow.call(now, 2000, false)
	}
	assert.InDelta(t, 500, slow.slots, 0, "a receiver that takes longer than a second gets more slots, one round after the other")

	assert.Equal(t, 3, postponed(0))
	assert.Equal(t, 90, postponed(1000))
}

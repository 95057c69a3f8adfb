package main

import "math"

// deliver calls receivers, and returns how many executions that takes.
func (y *day) deliver(now int) float64 {
	made, held := y.callHanging(now)
	n := max(min(y.deliveryQueue.size, capacity(y.delivering.now-held, y.d.deliverBatch, y.slowestCall)), 0)
	n = admit(n, []use{
		{y.keys["NotificationTable"], units{write: 7, read: 1}}, // a quick receiver's; others cost more, and are few
		{y.keys[dueDeliveries], units{write: 1}},
	})
	y.deliveryQueue.take(n, func(c cohort) {
		passed := admit(c.n[hot], []use{{y.keys[hotSubscriptions], units{read: 1}}, {y.keys[hotAttempts], units{write: 2}}})
		y.first.add(now-c.born, c.n[others]+passed)
		made += c.n[others] + passed
		y.deliveryQueue.push(work(c.born, 0, c.n[hot]-passed)) // what the rows of the subscription refuse comes again
		y.hanging.push(work(c.born, 0, 0, c.n[hanging]))
	})
	y.delivering.scale(n*y.slowestCall[1]+held, y.deliveryQueue.size)
	y.peakDeliveries = max(y.peakDeliveries, made)
	return held + busy(n, y.d.deliverBatch, y.slowestCall, y.delivering.now-held)
}

// callHanging calls the receiver that hangs in the morning, and returns how many calls it makes and
// how many executions they hold: one for each slot, until the time-out. The slots are halved after each,
// down to one. What finds none looks for one again, and each look is a write.
func (y *day) callHanging(now int) (made, held float64) {
	const firstSlots, looksEvery = 64, 90
	made = min(y.hanging.size, y.d.retryMost*y.d.deliverBatch/y.slowestCall[int(y.d.deliverBatch)])
	if y.in.hangs.has(now) {
		timeouts := (now - y.in.hangs.from) / callTimeout
		held = min(max(math.Floor(firstSlots/math.Pow(2, float64(timeouts))), 1), y.hanging.size)
		made = min(y.hanging.size, held/float64(callTimeout))
		admit(y.hanging.size/looksEvery, []use{
			{y.keys[hungRow], units{write: 1}}, {y.keys["NotificationTable"], units{write: 3, read: 3}},
		})
	}
	y.hanging.take(made, func(cohort) {})
	y.hungMost = max(y.hungMost, y.hanging.size)
	return made, held
}

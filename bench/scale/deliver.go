package main

import "math"

// deliver calls receivers, first for deliveries that found no slot before: they are few in
// any second, and have the same chance as new ones.
func (y *day) deliver(now int) float64 {
	hangs := y.in.hangs.has(now)
	y.hotReceiver.second(now, false)
	y.hungReceiver.second(now, hangs)
	y.keys["hot partner: a row of slots"].share = 1 / math.Ceil(y.hotReceiver.slots/y.in.slotsPerRow)
	y.keys["hot partner: attempts of 32 slots"].share = 1 / math.Ceil(y.hotReceiver.peak/y.in.slotsPerRow)
	y.keys[hungRow].share = 1 / math.Ceil(y.hungReceiver.slots/y.in.slotsPerRow)

	calls := 0.0
	for _, c := range y.waitingSlots.due(now) {
		y.retryQueue.push(c)
	}
	again := min(y.retryQueue.size, capacity(y.retrying.now, y.d.deliverBatch, y.slowestHop))
	again = admit(again, []use{{y.keys["NotificationTable"], units{write: 3, read: 3}}})
	y.retryQueue.take(again, func(c cohort) {
		y.waitingHung -= c.n[hanging]
		calls += y.call(now, c, hangs)
	})
	retries := busy(again, y.d.deliverBatch, y.slowestHop, y.retrying.now)
	y.retrying.scale(again*y.slowestHop[1]+y.retryQueue.size, false)

	held := min(y.hungReceiver.busyNow, y.d.deliverMost-1)
	n := min(y.deliveryQueue.size, capacity(y.delivering.now-held, y.d.deliverBatch, y.slowestCall))
	n = admit(n, []use{
		{y.keys["NotificationTable"], units{write: 7, read: 1}}, // a quick receiver's; others cost more, and are few
		{y.keys["index due of NotificationTable, a shard"], units{write: 1}},
	})
	y.deliveryQueue.take(max(n, 0), func(c cohort) { calls += y.call(now, c, hangs) })
	wanted := n*y.slowestCall[1] + held
	if y.deliveryQueue.size > 0 {
		wanted = y.d.deliverMost
	}
	executions := held + busy(n, y.d.deliverBatch, y.slowestCall, y.delivering.now-held)
	y.delivering.scale(wanted, false)
	y.message(again)
	y.out.deliveries += calls
	y.out.peakDeliveries = max(y.out.peakDeliveries, calls)
	batch := max(1, (n+again)/max(executions+retries, 1)*y.in.receiverAnswers)
	y.out.cost.lambda += (n + again) / min(batch, y.d.deliverBatch) * y.in.prices.invocations / 1e6
	y.out.cost.logs += (n + again) * y.in.prices.logPerCall * y.in.prices.logGigabyte
	return executions + retries
}

// refuse takes out of c what the rows of its receiver's subscription are too busy for. Those
// messages fail, and come back when they are visible again; others pass.
func (y *day) refuse(now int, c cohort) cohort {
	back := cohort{born: c.born}
	pass := func(class int, uses ...use) {
		passed := admit(c.n[class], uses)
		back.n[class] = c.n[class] - passed
		c.n[class] = passed
	}
	slot := 2.0
	if y.hotReceiver.quick() {
		slot = 0
	}
	pass(hot,
		use{y.keys["hot partner: its subscriptions"], units{read: 1}},
		use{y.keys["hot partner: a row of slots"], units{write: slot}},
		use{y.keys["hot partner: attempts of 32 slots"], units{write: 2}})
	pass(hanging, use{y.keys[hungRow], units{write: 1}})
	if back.sum() > 0 {
		y.waitingHung += back.n[hanging]
		y.waitingSlots.put(now+int(y.d.retryVisible), back)
	}
	return c
}

// call calls the receiver for as many deliveries as find a slot, and returns their number.
// The others wait.
func (y *day) call(now int, c cohort, hangs bool) float64 {
	c = y.refuse(now, c)
	waited := now - c.born
	made := c.n[others]
	if made > 0 {
		y.first(waited, made)
	}
	put := cohort{born: c.born}
	toHot := y.hotReceiver.call(now, c.n[hot], false)
	if toHot > 0 {
		y.first(waited, toHot)
	}
	put.n[hot] = c.n[hot] - toHot
	toHung := y.hungReceiver.call(now, c.n[hanging], hangs)
	y.out.firstHung.add(waited, toHung)
	put.n[hanging] = c.n[hanging] - toHung
	if put.sum() > 1e-6 {
		put.born = coarse(put.born, waited)
		y.waitingHung += put.n[hanging]
		y.waitingSlots.put(now+postponed(waited), put)
		y.message(put.sum())
	}
	return made + toHot + toHung
}

// coarse puts what has waited for minutes into cohorts of a quarter of a minute, which is
// enough for it and saves time. It may count a wait as that much longer.
func coarse(born, waited int) int {
	const minutes, quarter = 120, 15
	if waited > minutes {
		return born - born%quarter
	}
	return born
}

// first counts a first attempt, outside the receiver that hangs.
func (y *day) first(waited int, n float64) {
	y.out.first.add(waited, n)
	y.out.minuteFirst = max(y.out.minuteFirst, waited)
}

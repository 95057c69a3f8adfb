package main

import (
	"math"

	"aviso/bench/demand"
)

const daySeconds = 24 * hour

// Keys.
const (
	duePlans         = "index due of PfmTable, a shard of Refresh"
	dueDeliveries    = "index due of NotificationTable, a shard"
	hotSubscriptions = "hot partner: its subscriptions"
	hotAttempts      = "hot partner: attempts of 32 slots"
	outbox           = "OutboxTable"
	hungRow          = "hanging receiver: its row of slots"
)

// day simulates one stack for a day, in steps of a second. Work is counted, not followed
// one by one: what became due in the same second is a cohort, and waits together.
type day struct {
	in   *inputs
	size size
	d    deployed

	keys map[string]*key
	all  []*key // in a fixed order

	due                    []float64 // refreshes, by the second in which they become due
	toPlan, toRelay        queue
	events                 [2 * bankReads]float64 // by the second in which they are written
	syncQueue, waiting     queue                  // waiting: for the bank
	deliveryQueue, hanging queue                  // hanging: deliveries to the receiver that hangs
	syncing, delivering    *poller
	slowestRead            [11][]float64 // by tenths of reads that hang
	slowestCall            []float64
	saved, looking, moving float64 // requests let in besides; executions of RetryQueue; moves a second
	hungPart, offPart      float64 // of the last second's jobs, what hung and what was put off

	// What the day looked like: how long work waited, and so on. read is of all banks but the large one.
	planned, read, readLarge, first waits
	gaveUp, synced                  float64
	peakDeliveries, peakRequests    float64
	peakConcurrency, hungMost       float64
	retryLate                       float64 // seconds, of what waits in RetryQueue
	requestsRefused, left           float64 // left: of a day's refreshes, at its end
}

func newDay(in *inputs, s size, d deployed) *day {
	y := &day{
		in: in, size: s, d: d, keys: map[string]*key{}, due: make([]float64, 2*daySeconds),
		syncing: newPoller(d.syncMost), delivering: newPoller(d.deliverMost),
		slowestCall: slowestOf(int(d.deliverBatch), receiverAnswers+ownWork, receiverVaries, 0, 0),
	}
	for tenth := range y.slowestRead {
		y.slowestRead[tenth] = slowestOf(int(d.syncBatch), bankReads, bankVaries, float64(tenth)/10, bankHangs)
	}
	for _, name := range []string{"IdentityTable", "PfmTable", "CancellationTable", "NotificationTable", outbox} {
		y.all = append(y.all, newTable(name, s.quota))
	}
	y.all = append(y.all, newKey(duePlans, in.pfmShards), newKey(dueDeliveries, in.deliveryShards),
		newKey(hotSubscriptions, 1), newKey(hungRow, 1), newKey(hotAttempts, 4)) // 4 of a quick receiver
	for _, k := range y.all {
		y.keys[k.name] = k
	}
	for second := range refreshInterval { // what yesterday left for the first hours
		y.due[second] = refreshes / daySeconds * y.part() * shape(second, refreshInterval, refreshesWidth)
	}
	return y
}

func (y *day) part() float64 { return y.size.users / 1e7 }

// shape returns how many times the mean there is at this second. The morning repeats
// every period, because refreshes follow each other after the same time.
func shape(second, period int, width float64) float64 {
	hump := width * math.Sqrt(2*math.Pi) / float64(period)
	base := (1 - peak*hump) / (1 - hump)
	from := math.Remainder(float64(second-morning), float64(period))
	return base + (peak-base)*math.Exp(-from*from/(2*width*width))
}

func (y *day) run() *day {
	for now := range daySeconds {
		y.second(now)
	}
	y.left = (y.toPlan.size + y.syncQueue.size + y.waiting.size) / (refreshes * y.part())
	return y
}

func (y *day) second(now int) {
	y.moveWaiting(now)
	executions := y.requests(now)
	executions += y.relay(now)
	executions += y.deliver(now)
	y.planSyncs(now)
	executions += y.syncs(now, y.size.account-executions-y.d.parts)
	y.peakConcurrency = max(y.peakConcurrency, executions+y.d.parts)
	for _, k := range y.all {
		k.second()
	}
}

// requests answers what partners ask, and returns how many executions that takes.
func (y *day) requests(now int) float64 {
	asked := requestsPeak / peak * y.part() * shape(now, daySeconds, requestsWidth)
	n := min(asked, y.saved+y.d.throttle) // the gateway answers the others with 429
	y.saved = min(y.saved+y.d.throttle-n, y.d.burst)
	wanted, answered := 0.0, 0.0
	for _, route := range demand.Routes() {
		measured := y.in.measured[route.Route]
		var uses []use
		if route.Table != "" {
			uses = append(uses, use{y.keys[route.Table], units{write: measured.Writes, read: measured.Reads}})
		}
		answered += admit(n*route.Part, uses)
		// Computing takes about three times as long as here, and AWS's network is not here.
		const slower = 0.003
		wanted += n * route.Part * (measured.P50*slower + max(measured.Calls, 1)*awsCall)
	}
	executions := min(wanted, y.size.account)
	if executions < wanted {
		answered *= executions / wanted
	}
	y.requestsRefused += asked - answered
	y.peakRequests = max(y.peakRequests, answered)
	y.emit(now, n*demand.EventsPerRequest)
	return executions
}

// emit puts events into the outbox, now or a few seconds later. Their own writes count where they are
// written.
func (y *day) emit(at int, events float64) { y.events[at%len(y.events)] += events }

// planSyncs is housekeeping: once a minute it takes what is due, until its time is over.
func (y *day) planSyncs(now int) {
	y.toPlan.push(work(now, y.due[now]))
	if now%60 >= y.d.planLasts {
		return
	}
	rate := y.d.parts * y.d.planVCPU / planCPU // a second: its processor time binds
	n := admit(min(y.toPlan.until(now-now%60), rate), []use{
		{y.keys[duePlans], units{write: 2}},
		{y.keys["PfmTable"], units{planWrites, planReads}}, {y.keys["IdentityTable"], units{write: planIdentity}},
		{y.keys[outbox], units{write: planOutbox}},
	})
	y.toPlan.take(n, func(c cohort) {
		y.planned.add(now-c.born, c.sum())
		y.toRelay.push(c)
	})
}

// relay moves messages from the outbox's stream to the queues, and creates deliveries. It returns how
// many executions that takes.
func (y *day) relay(now int) float64 {
	second := &y.events[now%len(y.events)]
	y.toRelay.push(work(now, 0, *second))
	*second = 0
	// Those of a batch are under way at the same time. They wait for the messages and the deletions
	// that they share. An event has two calls of its own, besides those of its deliveries.
	callsOfDelivery := (y.in.measured[demand.FanOut].Calls - 2) / 5
	perJob := 2 * (awsCall + gap)
	perEvent := (2+callsOfDelivery*deliveriesPerEvent)*awsCall + (1+deliveriesPerEvent)*gap
	// A table has partitions for twice its highest load, and the stream a shard for each.
	shards := math.Ceil(max(newWrites, 2*y.keys[outbox].peak.write) / partitionWrites)
	lanes := shards * y.d.parallelization
	n := admit(min(y.toRelay.size, lanes*y.d.streamBatch/perEvent), []use{
		{y.keys[outbox], units{write: 1}},
		{y.keys["NotificationTable"], units{write: 4 * deliveriesPerEvent, read: 1}},
		{y.keys["IdentityTable"], units{write: 2 * deliveriesPerEvent}},
		{y.keys[dueDeliveries], units{write: deliveriesPerEvent}},
	})
	busy := 0.0
	y.toRelay.take(n, func(c cohort) {
		jobs, events := c.n[others], c.n[hot]
		y.syncQueue.push(work(c.born, jobs))
		made := events * deliveriesPerEvent
		y.deliveryQueue.push(work(c.born, made*(1-y.in.hotShare-y.in.hangShare), made*y.in.hotShare, made*y.in.hangShare))
		busy += jobs*perJob + events*perEvent
	})
	return min(busy, lanes)
}

// deliver calls receivers, and returns how many executions that takes.
func (y *day) deliver(now int) float64 {
	made, held := y.callHanging(now)
	n := max(min(y.deliveryQueue.size, capacity(y.delivering.now-held, y.d.deliverBatch, y.slowestCall)), 0)
	n = admit(n, []use{
		{y.keys["NotificationTable"], units{write: 3, read: 2}}, // a quick receiver's; others cost more, and are few
		{y.keys[dueDeliveries], units{write: 1}},
	})
	y.deliveryQueue.take(n, func(c cohort) {
		passed := admit(c.n[hot], []use{{y.keys[hotSubscriptions], units{read: 1}}, {y.keys[hotAttempts], units{write: 1}}})
		y.first.add(now-c.born, c.n[others]+passed)
		made += c.n[others] + passed
		y.deliveryQueue.push(work(c.born, 0, c.n[hot]-passed)) // what the rows of the subscription refuse comes again
		y.hanging.push(work(c.born, 0, 0, c.n[hanging]))
	})
	y.delivering.scale(n*y.slowestCall[1]+held, y.deliveryQueue.size)
	y.peakDeliveries = max(y.peakDeliveries, made)
	return held + y.looking + busy(n, y.d.deliverBatch, y.slowestCall, y.delivering.now-held)
}

// callHanging calls the receiver that hangs in the morning, and returns how many calls it makes and
// how many executions they hold: one for each slot, until the time-out. The slots are halved after each,
// down to one. What finds none looks for one again: after a quarter of an hour about every 11 minutes. Each look is a
// write, but an execution that found none looks again only after a tenth of a second.
func (y *day) callHanging(now int) (made, held float64) {
	y.looking = 0
	const firstSlots, looksEvery, looksOfExecution = 64, 675, 10
	made = min(y.hanging.size, y.d.retryMost*y.d.deliverBatch/y.slowestCall[int(y.d.deliverBatch)])
	if y.in.hangs.has(now) {
		timeouts := (now - y.in.hangs.from) / callTimeout
		held = min(max(math.Floor(firstSlots/math.Pow(2, float64(timeouts))), 1), y.hanging.size)
		made = min(y.hanging.size, held/float64(callTimeout))
		// A look is three calls: of both rows, and of the queue. If more come back than RetryQueue's executions
		// take, all of it is late, also the retries of others.
		most := y.d.retryMost * y.d.deliverBatch / (3 * awsCall)
		looks := min(y.hanging.size/looksEvery, most)
		y.retryLate = max(y.retryLate, y.hanging.size/most-looksEvery)
		y.looking = looks / most * y.d.retryMost
		admit(looks, []use{{y.keys["NotificationTable"], units{read: 1.2}}})
		admit(min(looks, y.d.retryMost*looksOfExecution), []use{
			{y.keys[hungRow], units{write: 1}}, {y.keys["NotificationTable"], units{write: 1}},
		})
	}
	y.hanging.take(made, func(cohort) {})
	y.hungMost = max(y.hungMost, y.hanging.size)
	return made, held
}

// moveWaiting moves deliveries that wait for a slot in the index of due ones, so that housekeeping does not take
// them for lost: after two thirds of the time that they have waited, every four hours at most. Two of the three
// writes are the index's.
func (y *day) moveWaiting(now int) {
	const unwatched, atFirst, part = 4 * hour, 60, 2.0 / 3
	if now%60 == 0 {
		y.moving = 0
		for _, c := range y.hanging.cohorts[y.hanging.head:] {
			y.moving += c.n[hanging] / (part * float64(min(max(now-c.born, atFirst), unwatched)))
		}
	}
	if y.in.hangs.has(now) {
		admit(y.moving, []use{{y.keys["NotificationTable"], units{write: 3}}, {y.keys[dueDeliveries], units{write: 2}}})
	}
}

// open reports whether bank-sync knows that the large bank is down. Executions wait for one
// time-out each, side by side, and a probe in each minute finds when the bank answers again.
func (y *day) open(now int) bool {
	const probeEvery = 60
	from, to := y.in.bankDown.from+2*bankHangs, y.in.bankDown.to+probeEvery
	return y.in.breaker && y.in.bankDown != window{} && now >= from && now < to-to%probeEvery
}

// syncs reads banks, with at most so many executions, and returns how many it takes.
func (y *day) syncs(now int, free float64) float64 {
	down, open := y.in.bankDown.has(now), y.open(now)
	bankFree := bankRate * max(y.part(), 0.01)
	const patience = 45 * 60 // what has waited for longer is left to the next refresh
	y.waiting.take(y.waiting.until(now-patience), func(c cohort) {
		y.gaveUp += c.sum()
		y.due[now+refreshInterval] += c.sum()
	})
	waited := 0.0
	if !down && !open {
		waited = y.waitedSyncs(now, free, &bankFree)
	}
	executions := max(min(y.syncing.now, free-waited), 0)
	slowest := y.slowestRead[int(math.Round(y.hungPart*10))]
	n := min(y.syncQueue.size, capacity(executions, y.d.syncBatch, slowest))
	n = admit(n, y.syncUnits(y.offPart))
	done, hung, off := 0.0, 0.0, 0.0
	y.syncQueue.take(n, func(c cohort) {
		atBank := c.sum() * y.in.bankShare
		y.read.add(now-c.born, c.sum()-atBank)
		done += c.sum() - atBank
		switch {
		case open:
			off += atBank
			y.waiting.push(work(c.born, atBank))
		case down:
			hung += atBank
			y.waiting.push(work(c.born, atBank))
		default:
			done += y.bankServes(now, c.born, atBank, &bankFree)
		}
	})
	y.hungPart, y.offPart = hung/max(n, 1), off/max(n, 1)
	y.finish(now, done)
	y.syncing.scale(n*slowest[1], y.syncQueue.size)
	return waited + busy(n-off, y.d.syncBatch, slowest, executions)
}

// waitedSyncs handles what has waited for the bank, once it answers. It goes through a queue of its own,
// if there is one.
func (y *day) waitedSyncs(now int, free float64, bankFree *float64) float64 {
	executions := min(max(y.d.syncWaitMost, y.syncing.now/4), free)
	n := min(y.waiting.size, capacity(executions, y.d.syncBatch, y.slowestRead[0]), *bankFree)
	n = admit(n, y.syncUnits(0))
	y.waiting.take(n, func(c cohort) { y.finish(now, y.bankServes(now, c.born, c.sum(), bankFree)) })
	return busy(n, y.d.syncBatch, y.slowestRead[0], executions)
}

// bankServes returns how many reads the bank allows. The others wait.
func (y *day) bankServes(now, born int, n float64, bankFree *float64) float64 {
	served := min(n, *bankFree)
	*bankFree -= served
	y.readLarge.add(now-born, served)
	y.waiting.push(work(born, n-served))
	return served
}

// finish ends syncs: their events, and when they are due again.
func (y *day) finish(now int, n float64) {
	y.synced += n
	y.emit(now+bankReads, n*eventsPerSync)
	y.due[now+bankReads+refreshInterval] += n
}

// syncUnits returns what a job takes if a part of them is put off, which takes less.
func (y *day) syncUnits(off float64) []use {
	works, sync := 1-off, demand.Sync()
	const news = 1 + demand.NewsShare // events, on average
	own := sync.Writes - syncIdentity - eventOutbox*news
	return []use{
		{y.keys["PfmTable"], units{works*own + off*putOffWrites, works*sync.Reads + off*putOffReads}},
		{y.keys["IdentityTable"], units{write: works * syncIdentity}},
		{y.keys["OutboxTable"], units{write: works * eventOutbox * eventsPerSync}},
	}
}

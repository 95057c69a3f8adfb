package main

import "math"

const daySeconds = 24 * hour

// Keys. hungRow may be throttled: it holds up nobody but the receiver that
// hangs.
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
	hungPart, offPart      float64 // of the last second's jobs, what hung and what was put off

	// What the day looked like: how long work waited, and so on. read is of all banks but the large one.
	planned, read, readLarge, first waits
	gaveUp, synced                  float64
	peakDeliveries, peakRequests    float64
	peakConcurrency, hungMost       float64
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
		y.add(newTable(name, s.quota))
	}
	y.add(newKey(duePlans, in.pfmShards))
	y.add(newKey(dueDeliveries, in.deliveryShards))
	y.add(newKey(hotSubscriptions, 1))
	y.add(newKey(hungRow, 1))
	y.add(newKey(hotAttempts, 4))         // of a quick receiver
	for second := range refreshInterval { // what yesterday left for the first hours
		y.due[second] = refreshes / daySeconds * y.part() * shape(second, refreshInterval, refreshesWidth)
	}
	return y
}

func (y *day) add(k *key) {
	y.keys[k.name] = k
	y.all = append(y.all, k)
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
	n := requestsPeak / peak * y.part() * shape(now, daySeconds, requestsWidth)
	wanted, answered := 0.0, 0.0
	for _, route := range routes() {
		measured := y.in.measured[route.route]
		var uses []use
		if route.table != "" {
			uses = append(uses, use{y.keys[route.table], units{write: measured.writes, read: measured.reads}})
		}
		answered += admit(n*route.part, uses)
		// Computing takes about three times as long as here, and AWS's network is not here.
		const slower = 0.003
		wanted += n * route.part * (measured.p50*slower + max(measured.calls, 1)*awsCall)
	}
	executions := min(wanted, y.size.account)
	if executions < wanted {
		answered *= executions / wanted
	}
	y.requestsRefused += n - answered
	y.peakRequests = max(y.peakRequests, answered)
	y.emit(now, n*eventsPerRequest)
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
	callsOfDelivery := (y.in.measured[fanOut].calls - 2) / 5
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
		y.deliveryQueue.push(work(c.born, made*(1-y.in.hotShare-hangShare), made*y.in.hotShare, made*hangShare))
		busy += jobs*perJob + events*perEvent
	})
	return min(busy, lanes)
}

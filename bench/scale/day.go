package main

import (
	"cmp"
	"math"
	"math/rand/v2"
)

const daySeconds = 24 * hour

// day simulates one stack for a day, in steps of a second. Work is counted, not followed
// one by one: what became due in the same second is a cohort, and waits together.
type day struct {
	in   *inputs
	size size
	d    deployed
	rand *rand.Rand

	keys map[string]*key
	all  []*key // in a fixed order

	due           []float64 // refreshes, by the second in which they become due
	toPlan        queue
	toRelay       queue // class others: jobs of bank-sync; class hot: events
	syncQueue     queue
	syncWaitQueue queue
	putOff        *later
	bankRetries   *later
	deliveryQueue queue
	waitingSlots  *later
	retryQueue    queue
	relayed       *later // messages on their way through the stream

	syncing, delivering, retrying *poller
	resyncing                     *poller
	syncRamp, apiRamp             *ramp
	slowestRead                   [11][]float64 // by tenths of reads that hang
	slowestCall                   []float64
	slowestHop                    []float64
	outage                        outage

	hotReceiver, hungReceiver *receiver
	waitingHung               float64
	spent                     minute // executions of this minute's seconds

	out *results
}

// results is what a day looked like.
type results struct {
	planned, read, first, firstHung waits
	readLarge                       waits   // of the large bank; read is of the others
	gaveUp                          float64 // syncs that waited for too long
	hidden                          float64 // messages of SyncQueue, most
	deliveries, syncs, requests     float64
	peakDeliveries, peakRequests    float64
	peakSyncs, peakConcurrency      float64
	peak                            map[string]units // of keys
	hungMost                        float64
	refused                         float64 // requests
	minutes                         []minute
	cost                            costs
	left                            float64 // of a day's refreshes, at its end
	keys                            []*key
	minuteFirst, minuteRead         int // longest waits
}

// minute is what the plots show.
type minute struct {
	planAge, readAge, firstAge      float64
	toPlan, syncs, deliveries, hung float64
	api, relay, sync, deliver, plan float64 // executions
	cost                            costs   // so far
}

func (m *minute) add(second minute) {
	m.api, m.relay, m.sync, m.deliver = m.api+second.api, m.relay+second.relay, m.sync+second.sync, m.deliver+second.deliver
}

func (m *minute) mean() minute {
	return minute{api: m.api / 60, relay: m.relay / 60, sync: m.sync / 60, deliver: m.deliver / 60}
}

type costs struct{ units, lambda, messages, gateway, logs float64 }

func (c costs) sum() float64 { return c.units + c.lambda + c.messages + c.gateway + c.logs }

func tableNames() []string {
	return []string{"IdentityTable", "PfmTable", "CancellationTable", "NotificationTable", "OutboxTable"}
}

// newDay returns a day. Tables, if not nil, are those that an earlier day has left.
func newDay(in *inputs, s size, d deployed, tables map[string]*key) *day {
	r := rand.New(rand.NewPCG(in.seed, uint64(s.users)))
	y := &day{
		in: in, size: s, d: d, rand: r, keys: map[string]*key{}, out: &results{peak: map[string]units{}},
		due:         make([]float64, 2*daySeconds),
		bankRetries: newLater(hour), waitingSlots: newLater(hour), relayed: newLater(10),
		syncing: newPoller(d.syncMost, d.syncBatch), resyncing: newPoller(d.syncWaitMost, d.syncBatch),
		putOff: newLater(hour), delivering: newPoller(d.deliverMost, d.deliverBatch),
		retrying: newPoller(d.retryMost, d.deliverBatch), syncRamp: newRamp(), apiRamp: newRamp(),
		slowestCall: slowestOf(r, int(d.deliverBatch), in.receiverAnswers, in.receiverVaries, 0, 0, in.ownWork),
		slowestHop:  slowestOf(r, int(d.deliverBatch), in.ownWork, 0, 0, 0, 0),
		outage:      newOutage(in),
	}
	for tenth := range y.slowestRead {
		y.slowestRead[tenth] = slowestOf(r, int(d.syncBatch), in.bankReads, in.bankVaries, float64(tenth)/10, in.bankHangs, 0)
	}
	for _, name := range tableNames() {
		table, ok := tables[name]
		if !ok {
			gigabytes := 0.0
			if name == "PfmTable" {
				gigabytes = s.users * in.gigabytesPerUser
			}
			table = newTable(name, gigabytes, in.imbalance, s.quota, d.warm[name])
		}
		table.run, table.longest, table.total = 0, 0, 0
		y.add(table)
	}
	y.add(newKey("index due of PfmTable, a shard of Refresh", in.pfmShards))
	y.add(newKey("index due of NotificationTable, a shard", in.deliveryShards))
	for _, name := range []string{
		"a country's providers", "a locale's organizations", "hot partner: its subscriptions", "hot partner: a row of slots",
		"hot partner: attempts of 32 slots", hungRow,
	} {
		y.add(newKey(name, 1))
	}
	most := cmp.Or(in.mostSlots, max(d.deliverMost/2, in.slots))
	timeout := int(in.callTimeout.Seconds())
	hold := in.receiverAnswers + in.ownWork
	y.hotReceiver = newReceiver(in.slots, most, hold, timeout)
	y.hungReceiver = newReceiver(in.slots, most, hold, timeout)
	y.hotReceiver.never, y.hungReceiver.never = in.mostSlots > 0, in.mostSlots > 0
	interval := int(in.refreshInterval.Seconds())
	for second := range interval { // what yesterday left for the first hours
		y.due[second] = y.chance(y.shape(second, interval, in.refreshesWidth) * y.refreshRate())
	}
	return y
}

func (y *day) add(k *key) {
	y.keys[k.name] = k
	y.all = append(y.all, k)
}

func (y *day) part() float64        { return y.size.users / 1e7 }
func (y *day) refreshRate() float64 { return y.in.refreshesADay / daySeconds * y.part() }

// shape returns how many times the mean there is at this second. The morning repeats
// every period, because refreshes follow each other after the same time.
func (y *day) shape(second, period int, width float64) float64 {
	hump := width * math.Sqrt(2*math.Pi) / float64(period)
	base := (1 - y.in.peak*hump) / (1 - hump)
	from := math.Remainder(float64(second)-y.in.morning, float64(period))
	return base + (y.in.peak-base)*math.Exp(-from*from/(2*width*width))
}

// chance returns a number of arrivals with this mean: Poisson's distribution, or the
// normal one where it looks the same.
func (y *day) chance(mean float64) float64 {
	if mean > 50 {
		return max(math.Round(mean+math.Sqrt(mean)*y.rand.NormFloat64()), 0)
	}
	n, product := 0.0, y.rand.Float64()
	for limit := math.Exp(-mean); product > limit; n++ {
		product *= y.rand.Float64()
	}
	return n
}

func (y *day) run() *results {
	for now := range daySeconds {
		y.second(now)
	}
	y.out.left = (y.toPlan.size + y.syncQueue.size + y.syncWaitQueue.size) / (y.in.refreshesADay * y.part())
	y.out.keys = y.all
	return y.out
}

func (y *day) second(now int) {
	var busy minute // executions of this second
	busy.api = y.requests(now)
	busy.relay = y.relay(now)
	busy.deliver = y.deliver(now)
	busy.plan = y.planSyncs(now)
	busy.sync = y.syncs(now, y.size.account-busy.api-busy.relay-busy.deliver-y.d.parts)
	y.charge(busy)
	y.out.peakConcurrency = max(y.out.peakConcurrency, busy.api+busy.relay+busy.deliver+busy.sync+y.d.parts)
	for _, k := range y.all {
		y.out.peak[k.name] = k.higher(y.out.peak[k.name])
		k.second(now)
	}
	y.spent.add(busy)
	if now%60 == 59 {
		busy = y.spent.mean()
		y.spent = minute{}
		busy.planAge = float64(y.toPlan.age(now))
		busy.firstAge, busy.readAge = float64(y.out.minuteFirst), float64(y.out.minuteRead)
		busy.toPlan, busy.syncs, busy.deliveries = y.toPlan.size, y.syncQueue.size, y.deliveryQueue.size
		busy.hung, busy.cost = y.waitingHung, y.out.cost
		y.out.minuteFirst, y.out.minuteRead = 0, 0
		y.out.minutes = append(y.out.minutes, busy)
	}
	y.out.hungMost = max(y.out.hungMost, y.waitingHung)
}

// requests answers what partners ask, and returns how many executions that takes.
func (y *day) requests(now int) float64 {
	mean := y.in.requestsPeak / y.in.peak * y.part() * y.shape(now, daySeconds, y.in.requestsWidth)
	n := y.chance(mean)
	wanted, answered := 0.0, 0.0
	for _, route := range y.in.routes {
		measured := y.in.measured.routes[route.route]
		u := units{write: measured.writes, read: measured.reads}
		if u == (units{}) {
			u = route.units
		}
		var uses []use
		if route.user {
			u.read--
			uses = append(uses, use{y.keys["IdentityTable"], units{read: 1}})
		}
		if route.table != "" {
			uses = append(uses, use{y.keys[route.table], u})
		}
		if route.list != "" {
			uses = append(uses, use{y.keys[route.list], u})
		}
		answered += admit(n*route.part, uses)
		// Computing takes about three times as long as here, and AWS's network is not here.
		const slower, unmeasured = 0.003, 10
		wanted += n * route.part * (cmp.Or(measured.p50, unmeasured)*slower + max(measured.calls, 1)*y.in.awsCall)
	}
	executions := y.apiRamp.allow(min(wanted, y.size.account))
	if executions < wanted {
		answered *= executions / wanted
	}
	y.out.requests += answered
	y.out.refused += n - answered
	y.out.peakRequests = max(y.out.peakRequests, answered)
	y.out.cost.gateway += n * y.in.prices.requests / 1e6
	y.out.cost.lambda += n * y.in.prices.invocations / 1e6
	y.out.cost.logs += n * y.in.prices.logPerCall * y.in.prices.logGigabyte
	y.emit(now, n*y.in.eventsPerRequest)
	return executions
}

// emit puts events into the outbox. Their own writes count where they are written.
func (y *day) emit(now int, events float64) {
	y.relayed.put(now+1, cohort{born: now, n: [classes]float64{hot: events}})
}

// planSyncs is housekeeping: once a minute it takes what is due, until its time is over.
func (y *day) planSyncs(now int) float64 {
	y.toPlan.push(cohort{born: now, n: [classes]float64{y.due[now]}})
	if now%60 >= y.d.planLasts {
		return 0
	}
	started := now - now%60
	eligible := 0.0
	for _, c := range y.toPlan.cohorts[y.toPlan.head:] {
		if c.born > started {
			break
		}
		eligible += c.sum()
	}
	rate := y.planRate()
	n := admit(min(eligible, rate), []use{
		{y.keys["index due of PfmTable, a shard of Refresh"], units{write: 2}},
		{y.keys["PfmTable"], y.in.plan.pfm}, {y.keys["IdentityTable"], y.in.plan.identity},
		{y.keys["OutboxTable"], y.in.plan.outbox},
	})
	y.toPlan.take(n, func(c cohort) {
		y.out.planned.add(now-c.born, c.sum())
		y.relayed.put(now+1, c)
	})
	return n / rate * y.d.parts
}

// planRate is how many refreshes a second housekeeping plans: its processor time binds.
func (y *day) planRate() float64 { return y.d.parts * y.d.planVCPU / y.in.planCPU }

// relay moves messages from the outbox's stream to the queues, and creates deliveries.
func (y *day) relay(now int) float64 {
	for _, c := range y.relayed.due(now) {
		y.toRelay.push(c)
	}
	// Those of a batch are under way at the same time. They wait for the messages and the deletions
	// that they share.
	perJob := 2 * (y.in.awsCall + y.in.gap)
	perEvent := (2+y.in.measured.fanOutCalls*y.in.deliveriesPerEvent)*y.in.awsCall + (1+y.in.deliveriesPerEvent)*y.in.gap
	lanes := y.keys["OutboxTable"].table.partitions() * y.d.parallelization
	n := admit(min(y.toRelay.size, lanes*y.d.streamBatch/perEvent), []use{
		{y.keys["OutboxTable"], units{write: 1}},
		{y.keys["NotificationTable"], units{write: 4 * y.in.deliveriesPerEvent, read: 1}},
		{y.keys["IdentityTable"], units{write: 2 * y.in.deliveriesPerEvent}},
		{y.keys["index due of NotificationTable, a shard"], units{write: y.in.deliveriesPerEvent}},
	})
	busy := 0.0
	y.toRelay.take(n, func(c cohort) {
		jobs, events := c.n[others], c.n[hot]
		y.syncQueue.push(cohort{born: c.born, n: [classes]float64{jobs}})
		made := events * y.in.deliveriesPerEvent
		y.deliveryQueue.push(cohort{born: c.born, n: [classes]float64{
			others: made * (1 - y.in.hotShare - y.in.hangShare), hot: made * y.in.hotShare, hanging: made * y.in.hangShare,
		}})
		busy += jobs*perJob + events*perEvent
		y.message(jobs + made)
	})
	y.out.cost.lambda += n / y.d.streamBatch * y.in.prices.invocations / 1e6
	return min(busy, lanes)
}

// message counts messages, each of which is sent, received and deleted.
func (y *day) message(n float64) { y.out.cost.messages += 3 * n * y.in.prices.messages / 1e6 }

// charge adds what this second costs.
func (y *day) charge(busy minute) {
	for _, name := range tableNames() {
		used := y.keys[name].used
		y.out.cost.units += used.write*y.in.prices.writes/1e6 + used.read*y.in.prices.reads/1e6
	}
	executions := busy.api + busy.relay + busy.deliver + busy.sync + busy.plan
	y.out.cost.lambda += executions * y.d.memoryGB * y.in.prices.gigabyteSecond
}

// higher returns the higher of peak and what this second took: of a table as a whole, of
// the busiest partition of other keys.
func (k *key) higher(peak units) units {
	part := 1.0
	if k.table == nil {
		part = k.share
	}
	return units{max(peak.write, k.used.write*part), max(peak.read, k.used.read*part)}
}

// tables returns copies of the tables as the day has left them.
func (r *results) tables() map[string]*key {
	left := map[string]*key{}
	for _, k := range r.keys {
		if k.table != nil {
			grown, of := *k, *k.table
			of.write.minutes, of.read.minutes = nil, nil
			grown.table = &of
			left[k.name] = &grown
		}
	}
	return left
}

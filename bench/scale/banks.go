package main

import "math"

// outage is what instances of bank-sync know about the large bank.
type outage struct {
	// learning is how many executions have waited for the bank until a second, and timeouts
	// how many of its reads end in it, both as rings.
	learning, timeouts []float64
	// waits is how many executions wait for it now, and knows how many know that it fails.
	waits, knows float64
	// failed is how many reads have timed out, and open says that the bank counts as down.
	failed float64
	open   bool
	// hungPart and offPart are how much of the last second's jobs hung and were put off.
	hungPart, offPart float64
	// hidden is how many messages failed and are hidden until they are tried again.
	hidden float64
}

func newOutage(in *inputs) outage {
	length := int(in.bankHangs) + 1
	return outage{learning: make([]float64, length), timeouts: make([]float64, length)}
}

// mostHidden is how many messages of a queue SQS hides: it hands out no more until some are
// deleted or visible again.
const mostHidden = 120_000

// second ends the reads that have timed out by now. One of the instances has then seen three
// connections in a row fail when there are about 3 n^(2/3) failures by chance on n instances.
func (o *outage) second(now int, down, breaker bool, executions float64) {
	const inARow, probeEvery = 3, 60
	slot := now % len(o.learning)
	o.waits -= o.learning[slot]
	o.knows = min(o.knows+o.learning[slot], executions)
	o.failed += o.timeouts[slot]
	o.learning[slot], o.timeouts[slot] = 0, 0
	if breaker && o.failed >= inARow*math.Pow(executions, 2.0/3) {
		o.open = true
	}
	if !down && now%probeEvery == 0 { // a probe finds that the bank answers
		o.open, o.failed, o.knows = false, 0, 0
	}
}

// putsOff returns the part of the bank's jobs that meet an instance that knows.
func (o *outage) putsOff(executions float64) float64 {
	if !o.open {
		return 0
	}
	return min(1, o.knows/max(executions-o.waits, 1))
}

// hang makes reads wait for the bank. A batch has several of them.
func (o *outage) hang(now int, reads, perBatch, executions float64) {
	learn := max(min(reads/max(perBatch, 1), executions-o.knows-o.waits), 0)
	slot := (now + len(o.learning) - 1) % len(o.learning)
	o.learning[slot] += learn
	o.timeouts[slot] += reads
	o.waits += learn
}

// syncs reads banks, with at most so many executions.
func (y *day) syncs(now int, free float64) float64 {
	o := &y.outage
	for _, c := range y.bankRetries.due(now) {
		o.hidden -= c.sum()
		y.syncQueue.push(c)
	}
	slowest := y.slowestRead[int(math.Round(o.hungPart*10))]
	down := y.in.bankDown.has(now)
	bankFree := y.in.bankRate * max(y.part(), 0.01)
	waited := y.waitedSyncs(now, down, free, &bankFree)
	executions := y.syncRamp.allow(max(min(y.syncing.now, free-waited), 0))
	o.second(now, down, y.in.breaker, executions)
	n := min(y.syncQueue.size, capacity(executions, y.d.syncBatch, slowest), max(mostHidden-o.hidden, 0))
	n = admit(n, y.syncUnits(o.offPart))
	known := o.putsOff(executions)
	done, hung, off := 0.0, 0.0, 0.0
	y.syncQueue.take(n, func(c cohort) {
		for class, m := range c.n {
			atBank := m
			if class == others {
				atBank = m * y.in.bankShare
				y.countRead(now-c.born, m-atBank)
			}
			done += m - atBank
			if known > 0 {
				y.waitForBank(now, c.born, atBank*known)
				off, atBank = off+atBank*known, atBank*(1-known)
			}
			if down {
				hung += atBank
				y.bankRefuses(now, c.born, class, atBank, int(y.in.bankHangs))
				continue
			}
			done += y.bankServes(now, c.born, class, atBank, &bankFree)
		}
	})
	o.hungPart, o.offPart = hung/max(n, 1), off/max(n, 1)
	o.hang(now, hung, y.d.syncBatch*y.in.bankShare, executions)
	y.out.hidden = max(y.out.hidden, o.hidden)
	y.finish(now, done)
	wanted := n * slowest[1]
	if y.syncQueue.size > n {
		wanted = y.d.syncMost
	}
	y.syncing.scale(wanted, false)
	y.out.peakSyncs = max(y.out.peakSyncs, done)
	y.out.cost.lambda += n / y.d.syncBatch * y.in.prices.invocations / 1e6
	return waited + busy(n-off, y.d.syncBatch, slowest, executions)
}

// waitedSyncs handles what has waited for the bank. While it is down, that takes three calls
// to AWS each.
func (y *day) waitedSyncs(now int, down bool, free float64, bankFree *float64) float64 {
	for _, c := range y.putOff.due(now) {
		if y.d.syncWaitMost > 0 {
			y.syncWaitQueue.push(c)
			continue
		}
		same := cohort{born: c.born}
		same.n[1] = c.sum() // like reads that have failed once: all are of the large bank
		y.syncQueue.push(same)
	}
	lasts, offPart := y.slowestRead[0], 0.0
	if down || y.outage.open {
		lasts, offPart = y.slowestHop, 1
	}
	executions := min(y.resyncing.now, free)
	n := admit(min(y.syncWaitQueue.size, capacity(executions, y.d.syncBatch, lasts)), y.syncUnits(offPart))
	done := 0.0
	y.syncWaitQueue.take(n, func(c cohort) {
		if offPart == 1 {
			y.waitForBank(now, c.born, c.sum())
			return
		}
		done += y.bankServes(now, c.born, 0, c.sum(), bankFree)
	})
	wanted := n * lasts[1]
	if y.syncWaitQueue.size > n {
		wanted = y.d.syncWaitMost
	}
	y.resyncing.scale(wanted, false)
	y.finish(now, done)
	y.out.cost.lambda += n / y.d.syncBatch * y.in.prices.invocations / 1e6
	return busy(n, y.d.syncBatch, lasts, executions)
}

// bankServes returns how many reads the bank allows. It refuses the others.
func (y *day) bankServes(now, born, class int, n float64, bankFree *float64) float64 {
	served := min(n, *bankFree)
	*bankFree -= served
	y.out.readLarge.add(now-born, served)
	y.bankRefuses(now, born, class, n-served, int(y.in.bankReads))
	return served
}

// syncUnits returns what a job takes if a part of them is put off, which takes less.
func (y *day) syncUnits(off float64) []use {
	transactions := y.in.transactionsADay / (y.in.refreshesADay / 1e7)
	works := 1 - off
	return []use{
		{y.keys["PfmTable"], units{
			works*(y.in.sync.pfm.write+transactions*y.in.newTransaction) + off*y.in.putOff.pfm.write,
			works*y.in.sync.pfm.read + off*y.in.putOff.pfm.read,
		}},
		{y.keys["IdentityTable"], units{write: works * y.in.sync.identity.write}},
		{y.keys["OutboxTable"], units{write: works * y.in.sync.outbox.write * y.in.eventsPerSync}},
	}
}

// countRead counts how long refreshes of other banks waited until their bank was asked.
func (y *day) countRead(waited int, n float64) {
	y.out.read.add(waited, n)
	if n > 0 {
		y.out.minuteRead = max(y.out.minuteRead, waited)
	}
}

// waitForBank makes jobs of the bank wait, or gives them up.
func (y *day) waitForBank(now, born int, n float64) {
	const patience, shortest, longest, spread = 45 * 60, 60, 15 * 60, 4
	waited := now - born
	switch {
	case n <= 0:
		return
	case waited >= patience:
		y.out.gaveUp += n
		y.due[now+int(y.in.refreshInterval.Seconds())] += n
		y.emit(now, n)
		return
	}
	wait := min(max(waited, shortest), longest/2)
	c := cohort{born: coarse(born, waited)}
	c.n[others] = n / spread
	for i := range spread { // between once and twice the wait
		y.putOff.put(now+wait+wait*(2*i+1)/(2*spread), c)
	}
	y.message(n)
}

// bankRefuses hides reads that failed until they are tried again, or gives them up until the
// next refresh. after is how many seconds they took.
func (y *day) bankRefuses(now, born, failed int, n float64, after int) {
	if n <= 0 {
		return
	}
	if failed+1 >= attempts {
		y.out.gaveUp += n
		y.due[now+int(y.in.refreshInterval.Seconds())] += n
		return
	}
	c := cohort{born: coarse(born, now-born)}
	c.n[failed+1] = n
	y.outage.hidden += n
	y.bankRetries.put(now+after+retryDelay(failed), c)
	y.message(n)
}

// finish ends syncs: their events, and when they are due again.
func (y *day) finish(now int, n float64) {
	y.out.syncs += n
	y.emit(now+int(y.in.bankReads), n*y.in.eventsPerSync)
	y.due[now+int(y.in.bankReads)+int(y.in.refreshInterval.Seconds())] += n
}

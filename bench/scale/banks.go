package main

import "math"

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
	works := 1 - off
	return []use{
		{y.keys["PfmTable"], units{
			works*(syncWrites+rowWrites*newRows/refreshes) + off*putOffWrites, works*syncReads + off*putOffReads,
		}},
		{y.keys["IdentityTable"], units{write: works * syncIdentity}},
		{y.keys["OutboxTable"], units{write: works * eventOutbox * eventsPerSync}},
	}
}

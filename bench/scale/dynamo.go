package main

import "math"

// units are write and read units.
type units struct{ write, read float64 }

// bucket is what one partition takes: so many units a second, and what it did not use in
// the last five minutes.
type bucket struct{ rate, tokens float64 }

const burstSeconds = 300

func newBucket(rate float64) bucket { return bucket{rate: rate, tokens: rate * burstSeconds} }

// refill adds the units of a second. The second's own units count beside the burst.
func (b *bucket) refill() { b.tokens = min(b.tokens+b.rate, b.rate*(burstSeconds+1)) }

// key is one place that all units of some work go to. It is one of three:
// one partition key, which no split helps; a whole table, of which the busiest partition
// counts and which on-demand capacity limits; or keys that share the load evenly.
type key struct {
	name string
	// share is the part of the load that the busiest partition gets.
	share       float64
	write, read bucket
	table       *onDemand // nil for a single key

	used      units // in this second
	throttled bool  // in this second
	// run and longest count seconds in a row in which it was throttled, total all of them.
	run, longest, total int
}

const partitionWrites, partitionReads = 1000, 3000

func newKey(name string, spread float64) *key {
	return &key{
		name: name, share: 1 / spread, write: newBucket(partitionWrites), read: newBucket(partitionReads),
	}
}

// room returns how often the key takes these units in this second.
func (k *key) room(u units) float64 {
	room := math.Inf(1)
	limit := func(per, free float64) {
		if per > 0 {
			room = min(room, max(free, 0)/per)
		}
	}
	limit(u.write*k.share, k.write.tokens)
	limit(u.read*k.share, k.read.tokens)
	if k.table != nil {
		limit(u.write, k.table.write.quota-k.used.write)
		limit(u.read, k.table.read.quota-k.used.read)
	}
	return room
}

func (k *key) charge(n float64, u units) {
	k.used.write += n * u.write
	k.used.read += n * u.read
	k.write.tokens -= n * u.write * k.share
	k.read.tokens -= n * u.read * k.share
}

// splitAfter is after how many throttled seconds DynamoDB splits a busy partition. AWS
// does not publish it: an assumption.
const splitAfter = 600

// second ends a second.
func (k *key) second(now int) {
	if k.throttled {
		k.run++
		k.total++
		k.longest = max(k.longest, k.run)
	} else {
		k.run = 0
	}
	if k.table != nil {
		k.table.write.note(now, k.used.write)
		k.table.read.note(now, k.used.read)
		if k.run > 0 && k.run%splitAfter == 0 {
			k.table.splits++
		}
		k.share = k.table.busiest()
	}
	k.used, k.throttled = units{}, false
	k.write.refill()
	k.read.refill()
}

// use is what one piece of work takes from a key.
type use struct {
	key *key
	units
}

// admit returns how much of n the keys take in this second, and charges them for it. What
// they do not take waits; the key that took least counts as throttled.
func admit(n float64, uses []use) float64 {
	const enough = 1 - 1e-9
	admitted, least := n, (*key)(nil)
	for _, u := range uses {
		if room := u.key.room(u.units); room < admitted*enough {
			admitted, least = room, u.key
		}
	}
	if least != nil {
		least.throttled = true
	}
	for _, u := range uses {
		u.key.charge(admitted, u.units)
	}
	return admitted
}

// onDemand is a table's capacity. Its partitions follow from the capacity that it has
// reached and from its size.
type onDemand struct {
	write, read grown
	gigabytes   float64
	imbalance   float64
	splits      int
}

const partitionGigabytes = 10

func (t *onDemand) partitions() float64 {
	return math.Ceil(max(t.write.reached/partitionWrites, t.read.reached/partitionReads, t.gigabytes/partitionGigabytes))
}

// busiest returns the part of the load that the busiest partition gets. Each split of it
// halves what it has above the mean.
func (t *onDemand) busiest() float64 {
	above := (t.imbalance - 1) / math.Pow(2, float64(t.splits))
	return min(1, (1+above)/t.partitions())
}

// limit sets a lower quota.
func (t *onDemand) limit(quota float64) {
	for _, g := range []*grown{&t.write, &t.read} {
		g.quota, g.reached = quota, min(g.reached, quota)
	}
}

// grown is the capacity for which a table has partitions, in one kind of unit: twice the
// highest minute that it has had, half an hour after that minute, within its quota. Beyond
// it, a table still takes what its partitions have saved up.
type grown struct {
	reached, quota float64
	minute         float64
	minutes        []float64
}

const growAfter = 30 // minutes

func (g *grown) note(now int, used float64) {
	g.minute += used
	if now%60 != 59 {
		return
	}
	g.minutes = append(g.minutes, g.minute/60)
	g.minute = 0
	if old := len(g.minutes) - 1 - growAfter; old >= 0 {
		g.reached = min(max(g.reached, 2*g.minutes[old]), g.quota)
	}
}

// newTable returns the key of a table as it is when it is created: 4,000 writes and 12,000
// reads a second, what it was warmed for, or as many partitions as its rows need.
func newTable(name string, gigabytes, imbalance, quota float64, warm units) *key {
	k := newKey(name, 1)
	bySize := gigabytes / partitionGigabytes
	k.table = &onDemand{gigabytes: gigabytes, imbalance: imbalance}
	k.table.write = grown{reached: min(max(4000, warm.write, bySize*partitionWrites), quota), quota: quota}
	k.table.read = grown{reached: min(max(12000, warm.read, bySize*partitionReads), quota), quota: quota}
	k.share = k.table.busiest()
	return k
}

package main

import "math"

// units are write and read units.
type units struct{ write, read float64 }

// key is one place that all units of some work go to: one partition key, keys that share the load
// evenly, or a table as a whole. A partition has so many units a second, and what it did not use in the
// last five minutes. A table that has had such a day before has partitions enough, so only its quota
// counts.
type key struct {
	name      string
	share     float64 // the part of the load that one partition gets
	tokens    units   // of a partition
	quota     float64 // of a table
	used      units   // in this second
	peak      units   // most in a second
	throttled bool    // in this second
	// run and longest count seconds in a row in which it was throttled.
	run, longest int
}

const partitionWrites, partitionReads, burstSeconds = 1000, 3000, 300

// newKey returns a key whose load is spread over so many partitions.
func newKey(name string, spread float64) *key {
	return &key{name: name, share: 1 / spread, tokens: units{partitionWrites * burstSeconds, partitionReads * burstSeconds}}
}

func newTable(name string, quota float64) *key { return &key{name: name, share: 1, quota: quota} }

// room returns how often the key takes these units in this second.
func (k *key) room(u units) float64 {
	left := k.tokens
	if k.quota > 0 {
		left = units{k.quota - k.used.write, k.quota - k.used.read}
	}
	room := math.Inf(1)
	if u.write > 0 {
		room = max(left.write, 0) / (u.write * k.share)
	}
	if u.read > 0 {
		room = min(room, max(left.read, 0)/(u.read*k.share))
	}
	return room
}

// second ends a second. The next second's own units count beside what is saved up.
func (k *key) second() {
	k.peak = units{max(k.peak.write, k.used.write*k.share), max(k.peak.read, k.used.read*k.share)}
	if k.throttled {
		k.run++
		k.longest = max(k.longest, k.run)
	} else {
		k.run = 0
	}
	k.used, k.throttled = units{}, false
	const most = burstSeconds + 1
	k.tokens.write = min(k.tokens.write+partitionWrites, partitionWrites*most)
	k.tokens.read = min(k.tokens.read+partitionReads, partitionReads*most)
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
		u.key.used.write += admitted * u.write
		u.key.used.read += admitted * u.read
		u.key.tokens.write -= admitted * u.write * u.key.share
		u.key.tokens.read -= admitted * u.read * u.key.share
	}
	return admitted
}

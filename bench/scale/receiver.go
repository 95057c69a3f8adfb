package main

import "math"

// What a subscription has whose receiver acknowledged within a second, and how many of its calls may
// last longer (internal/notification/slots.go).
const quickSlots, slowCalls, instantAnswer = 128, 32, 1

// receiver is one subscription and how many calls to it may run at once.
type receiver struct {
	slots, peak, most, first float64
	hold                     float64 // seconds that a call takes
	timeout                  int     // seconds
	never                    bool    // never quick, for a stack in which every call needs a slot

	calls   float64 // in this second
	free    float64 // of this second
	running []float64
	busyNow float64 // calls that hang
}

func newReceiver(first, most, hold float64, timeout int) *receiver {
	return &receiver{
		slots: first, peak: first, first: first, most: most, hold: hold, timeout: timeout, running: make([]float64, timeout),
	}
}

// quick reports whether calls need no slot.
func (r *receiver) quick() bool { return !r.never && r.slots >= quickSlots }

// second begins a second: calls that have hung for the whole timeout end, and halve the
// slots; calls that went well may have added some.
func (r *receiver) second(now int, hangs bool) {
	ended := r.running[now%r.timeout]
	r.running[now%r.timeout] = 0
	r.busyNow -= ended
	switch {
	case ended > 0:
		r.slots = max(r.slots/2, 1)
	case r.quick() && r.busyNow > slowCalls:
		r.slots /= 2
	case r.calls > 0 && r.hold <= instantAnswer && !r.never:
		r.slots = max(r.slots, quickSlots) // within the round trips of a second
	case r.calls*r.hold >= r.slots/2:
		for range max(int(1/r.hold), 1) { // one addition in each round of calls
			r.slots = min(r.slots+1+r.slots/8, r.most)
		}
	}
	r.peak = max(r.peak, r.slots)
	r.calls = 0
	switch {
	case r.quick():
		r.free = math.Inf(1)
	case hangs:
		r.free = max(r.slots-r.busyNow, 0)
	default:
		r.free = max(r.slots-r.busyNow, 0) / r.hold
	}
}

// call makes up to n calls and returns how many found a slot.
func (r *receiver) call(now int, n float64, hangs bool) float64 {
	made := min(n, r.free)
	r.free -= made
	if hangs {
		r.running[now%r.timeout] += made
		r.busyNow += made
	} else {
		r.calls += made
	}
	return made
}

// postponed returns for how many seconds a delivery waits that found no slot: half as long
// as it has waited so far, two seconds to a minute, and up to as much again.
func postponed(waited int) int {
	after := min(max(waited/2, 2), 60)
	return after + after/2
}

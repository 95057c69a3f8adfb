package main

import "aviso/bench/route"

// The names of figures in tables and budgets.
const (
	initTime         = "init, ms"
	initToHello      = "init / hello"
	initToClients    = "init / clients"
	initInstructions = "init, M instructions"
	leastInit        = "shortest init, ms"
	leastInitClients = "shortest init of clients, ms"
	firstTime        = "first invoke, ms"
	memory           = "peak memory, MB"
	binary           = "binary, MB"
	// makeRun is a subject of its own.
	makeRun    = "make run, not for the first time"
	leastReady = "shortest time until ready, s"

	warmTime      = "p50, ms"
	warmTime99    = "p99, ms"
	warmToClients = "p50 / clients"
	// spread is p99 / p50 under steady load: one route, one event after the other.
	spread = "p99 / p50, steady"
	// leastSpread is that of the best round: in the others, the machine may have been busy.
	leastSpread = "lowest p99 / p50, steady"
	calls       = "AWS calls"
	// firstHandshakes are the TLS handshakes that the first invocation waits for.
	firstHandshakes = "late handshakes"
	readUnits       = "RRU"
	writeUnits      = "WRU"
	logBytes        = "log, bytes"
	instructions    = "M instructions"
	above           = "M instructions above clients"
	// objects and kilobytes are what an invocation allocates.
	objects   = "allocations"
	kilobytes = "allocated, KB"
	// toFloor compares with the floor that makes as many calls, and writes as many items in a
	// transaction. Routes that make no calls, or only read with more than two, do not have it.
	toFloor = "M instructions / clients with as many calls"
)

// figure identifies a figure of a function or a route.
type figure struct{ of, what string }

// figures holds everything that was measured.
type figures struct {
	values map[figure]float64
	// floors are those of the routes that write.
	floors map[string]string
}

func newFigures() *figures {
	return &figures{values: map[figure]float64{}, floors: map[string]string{}}
}

func (f *figures) addFloor(of, floor string) { f.floors[of] = floor }

func (f *figures) add(of, what string, value float64) { f.values[figure{of, what}] = value }

func (f *figures) get(of, what string) (float64, bool) {
	value, ok := f.values[figure{of, what}]
	return value, ok
}

// relate adds the figures that compare with the floors.
func (f *figures) relate(functions []string, routes []route.Route) {
	ratio := func(of, what, name, floor string) {
		value, ok := f.get(of, what)
		if base, there := f.get(floor, what); ok && there && base > 0 {
			f.add(of, name, value/base)
		}
	}
	for _, name := range functions {
		ratio(name, initTime, initToHello, floorHello)
		ratio(name, initTime, initToClients, floorClients)
	}
	for _, r := range routes {
		ratio(r.Key(), warmTime, warmToClients, floorClients)
		value, ok := f.get(r.Key(), instructions)
		if base, there := f.get(floorClients, instructions); ok && there {
			f.add(r.Key(), above, value-base)
		}
		asked, _ := f.get(r.Key(), calls)
		floor := map[float64]string{1: floorClients, 2: floorTwo}[asked]
		if writing := f.floors[r.Key()]; writing != "" {
			floor = writing
		}
		ratio(r.Key(), instructions, toFloor, floor)
	}
}

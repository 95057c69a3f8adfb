package webhookbench

import (
	"testing"

	"aviso/bench/budget"
)

// An event to a quick receiver takes two calls of DynamoDB of its own, which publish it. Its delivery is looked for and
// acknowledged together with others. Subscriptions are read, events leave the outbox, and the console's feed is written,
// also for many events at once.
func TestCallsOfTheWholeWay(t *testing.T) {
	const n = 400
	r, tables := newMetered(t)
	r.subscribe(t, one, receive(t, r.seen, nil)[0])
	r.deliverAll(t, one, 1)
	before, consoles := tables.Read(), tables.Written("ConsoleTable")
	r.deliverAll(t, one, n)
	used := tables.Read().Less(before)
	consoles = tables.Written("ConsoleTable") - consoles
	t.Logf("%d events: %d calls of DynamoDB, %.1f WRU, of which %.1f are the console's, %.1f RRU",
		n, used.Calls, used.WriteUnits, consoles, used.ReadUnits)
	budget.Hold(t, map[string]float64{
		"an event to one quick receiver, DynamoDB calls": float64(used.Calls) / n,
		"an event to one quick receiver, WRU":            (used.WriteUnits - consoles) / n,
		"an event to one quick receiver, console's WRU":  consoles / n,
		"an event to one quick receiver, RRU":            used.ReadUnits / n,
	})
}

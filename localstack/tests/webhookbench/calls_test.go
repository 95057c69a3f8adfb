package webhookbench

import (
	"testing"

	"aviso/bench/budget"
)

// An event to a quick receiver takes two calls of DynamoDB of its own, which publish it. Its delivery is created, read and
// acknowledged together with others. Subscriptions are read, messages of the outbox are deleted, and the console's feed
// is written, also for many events at once.
func TestCallsOfTheWholeWay(t *testing.T) {
	const n = 400
	r, tables := newMetered(t)
	r.subscribe(t, one, receive(t, r.seen, nil)[0])
	r.deliverAll(t, one, 1)
	before := tables.Read()
	r.deliverAll(t, one, n)
	used := tables.Read().Less(before)
	t.Logf("%d events: %d calls of DynamoDB, %.1f WRU, %.1f RRU", n, used.Calls, used.WriteUnits, used.ReadUnits)
	budget.Hold(t, map[string]float64{
		"an event to one quick receiver, DynamoDB calls": float64(used.Calls) / n,
		"an event to one quick receiver, WRU":            used.WriteUnits / n,
		"an event to one quick receiver, RRU":            used.ReadUnits / n,
	})
}

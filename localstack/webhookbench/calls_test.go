package webhookbench

import (
	"testing"

	"aviso/bench/budget"
)

// An event to a quick receiver takes four calls of DynamoDB: it is published, its delivery is
// created, the attempt is leased and settled. What is shared among events comes on top: subscriptions
// are read, messages of the outbox are deleted, and sent.
func TestCallsOfTheWholeWay(t *testing.T) {
	const n = 60
	w, tables, queues := newMetered(t)
	w.subscribe(t, "one", receive(t, w.seen, nil)[0])
	w.deliverAll(t, 1)
	before, sent := tables.Read(), queues.Read()
	w.deliverAll(t, n)
	used, messages := tables.Read().Less(before), queues.Read().Less(sent)
	t.Logf("%d events: %d calls of DynamoDB, %.1f WRU, %.1f RRU, %d calls of SQS",
		n, used.Calls, used.WriteUnits, used.ReadUnits, messages.Calls)
	budget.Hold(t, map[string]float64{
		"an event to one quick receiver, DynamoDB calls": float64(used.Calls) / n,
		"an event to one quick receiver, SQS calls":      float64(messages.Calls) / n,
		"an event to one quick receiver, WRU":            used.WriteUnits / n,
		"an event to one quick receiver, RRU":            used.ReadUnits / n,
	})
}

package webhookbench

import (
	"testing"

	"github.com/stretchr/testify/assert"
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
	assert.LessOrEqual(t, used.Calls, 5*n+n/2, "four, and those that are shared")
	assert.LessOrEqual(t, messages.Calls, n)
	assert.LessOrEqual(t, used.WriteUnits, 12.0*n)
	assert.LessOrEqual(t, used.ReadUnits, 1.5*n)
}

package webhookbench

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// An event to a quick receiver takes five calls: it is published, its delivery is created, the
// subscription is read, the attempt is leased and settled. The rest is shared among events.
func TestCallsOfTheWholeWay(t *testing.T) {
	const n = 60
	w := newWhole(t)
	w.subscribe(t, "one", receive(t, w.seen, nil)[0])
	w.deliverAll(t, 1)
	w.called()
	w.deliverAll(t, n)
	by, all := w.called()
	t.Logf("%d calls for %d events: %v", all, n, by)
	assert.Equal(t, 2*n, by["TransactWriteItems"], "published, settled")
	assert.Equal(t, n, by["PutItem"], "created")
	assert.Equal(t, n, by["GetItem"], "the subscription")
	assert.Equal(t, n, by["UpdateItem"], "leased")
	assert.LessOrEqual(t, all-5*n, 2*n, "read, sent and deleted for several")
}

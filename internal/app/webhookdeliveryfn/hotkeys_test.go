package webhookdeliveryfn

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/app/bootstrap"
	"aviso/internal/clock"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/localstack/tests/notificationtest"
	"aviso/localstack/tests/testenv"
)

// keyUnits counts the units that each partition key of the table and of its index `due`
// takes, for rows of less than a kilobyte.
type keyUnits struct {
	table         string
	mu            sync.Mutex
	reads, writes map[string]float64
	due           map[string]string // by key: its place in the index
}

func (k *keyUnits) count(call any, next func() (any, error)) (any, error) {
	k.add(call)
	return next()
}

func (k *keyUnits) add(call any) {
	k.mu.Lock()
	defer k.mu.Unlock()
	text := func(item map[string]types.AttributeValue, name string) string {
		s, _ := item[name].(*types.AttributeValueMemberS)
		if s == nil {
			return ""
		}
		return s.Value
	}
	switch call := call.(type) {
	case *dynamodb.GetItemInput:
		k.reads[text(call.Key, "pk")]++
	case *dynamodb.BatchGetItemInput:
		for _, key := range call.RequestItems[k.table].Keys {
			k.reads[text(key, "pk")]++
		}
	case *dynamodb.BatchWriteItemInput:
		for _, r := range call.RequestItems[k.table] {
			k.writes[text(r.PutRequest.Item, "pk")]++
			k.move(text(r.PutRequest.Item, "pk"), text(r.PutRequest.Item, "dueKind"), text(r.PutRequest.Item, "dueAt"))
		}
	case *dynamodb.QueryInput:
		k.reads[text(call.ExpressionAttributeValues, ":v0")]++
	case *dynamodb.UpdateItemInput:
		k.writes[text(call.Key, "pk")]++
	case *dynamodb.PutItemInput:
		k.writes[text(call.Item, "pk")]++
		k.move(text(call.Item, "pk"), text(call.Item, "dueKind"), text(call.Item, "dueAt"))
	case *dynamodb.TransactWriteItemsInput:
		for _, action := range call.TransactItems {
			k.writes[text(action.Put.Item, "pk")] += 2
			k.move(text(action.Put.Item, "pk"), text(action.Put.Item, "dueKind"), text(action.Put.Item, "dueAt"))
		}
	}
}

// move counts what a row that moves in the index writes to it: one unit to remove it, and one
// to put it.
func (k *keyUnits) move(pk, kind, at string) {
	was, is := k.due[pk], kind+" "+at
	if was == is || was == "" && kind == "" {
		return
	}
	if was != "" {
		k.writes["due "+strings.Fields(was)[0]]++
	}
	if delete(k.due, pk); kind != "" {
		k.writes["due "+kind]++
		k.due[pk] = is
	}
}

// worst returns the key with the most units, and how many those are for each of n deliveries.
func worst(units map[string]float64, n int) (key string, each float64) {
	key = slices.MaxFunc(slices.Collect(maps.Keys(units)), func(a, b string) int { return int(units[a] - units[b]) })
	return key, units[key] / float64(n)
}

// One partner may get 30 % of 5,000 deliveries a second, all of them with one subscription. A
// partition takes 1,000 write units and 3,000 read units a second.
func TestNoKeyIsTooHotForABusySubscription(t *testing.T) {
	const n, slots, perSecond = 1200, 500, 1500 // fewer leave the shards uneven
	table := testenv.Table(t, "NotificationTable")
	units := &keyUnits{table: table, reads: map[string]float64{}, writes: map[string]float64{}, due: map[string]string{}}
	db := dynamodb.New(testenv.DynamoDB(t).Options(), testenv.Around(units.count))
	store := notificationdb.New(
		db, table, testenv.Table(t, "OutboxTable"), notificationtest.Sealer{}, time.Now, uuid.NewString)
	sub := notificationtest.SampleSubscription()
	sub.AcknowledgedAt = clock.Real(time.Now())
	require.NoError(t, store.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(time.Now()), nil))
	require.NoError(t, store.SetLimit(t.Context(), sub, slots))
	receivers := &notificationtest.Receivers{Answer: always(notification.OutcomeAcknowledged, 10*time.Millisecond), Now: time.Now}
	deliverer := notification.NewDeliverer(store, store, receivers.Call, nil, time.Now, bootstrap.NewSortableID)
	deliverer.PartnerCalls = slots
	clear(units.reads)
	clear(units.writes)

	var delivering errgroup.Group
	delivering.SetLimit(16)
	fanOut := notification.NewFanOut(store, "test", nil, time.Now)
	for range n / 8 { // 30 % of a batch of 25
		batch := make([]outbox.Event, 8)
		for i := range batch {
			batch[i] = anEvent()
		}
		wake, errs := fanOut.Dispatch(t.Context(), batch)
		require.NoError(t, errors.Join(errs...))
		for _, k := range slices.Concat(wake...) {
			delivering.Go(func() error { return deliverer.Deliver(t.Context(), k, 1) })
		}
	}
	require.NoError(t, delivering.Wait())
	require.Len(t, receivers.Calls(), n)

	total := 0.0
	for _, written := range units.writes {
		total += written
	}
	assert.Empty(t, units.due, "nothing is due now")
	key, each := worst(units.writes, n)
	t.Logf("%.2f write units for each delivery; the most to %s: %.3f, %.0f/s", total/n, key, each, each*perSecond)
	assert.Less(t, each*perSecond, 500.0, "half of what a partition takes")
	key, each = worst(units.reads, n)
	t.Logf("read units: the most to %s: %.3f, %.0f/s", key, each, each*perSecond)
	assert.Less(t, each*perSecond, 3000.0)
}

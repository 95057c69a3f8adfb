package relay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/app/relay"
	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/owner"
	"aviso/localstack/stack/memdb"
	"aviso/localstack/tests/notificationtest"
	"aviso/localstack/tests/testenv"
)

// nowhere is a queue that counts its messages.
type nowhere struct{ messages int }

func (n *nowhere) send(_ context.Context, rows []outbox.Row) []error {
	n.messages += len(rows)
	return make([]error, len(rows))
}

// newStore returns a store on tables in memory whose calls fail as fail says.
func newStore(t *testing.T, fail func(in any) error) *notificationdb.Store {
	db := dynamodb.New(testenv.DynamoDB(t).Options(), func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, memdb.Intercept(
			func(ctx context.Context, in any, next func(context.Context) (any, error)) (any, error) {
				if err := fail(in); err != nil {
					return nil, err
				}
				return next(ctx)
			}))
	})
	return notificationdb.New(db, testenv.Table(t, "NotificationTable"), testenv.Table(t, "OutboxTable"),
		notificationtest.Sealer{}, time.Now, uuid.NewString)
}

// The events of a busy partner would all read the same rows of one partition.
func TestBatchReadsThePartnersSubscriptionsOnce(t *testing.T) {
	var mu sync.Mutex
	reads, failing, away := 0, errors.New("the table is away"), true
	store, queue := newStore(t, func(in any) error {
		mu.Lock()
		defer mu.Unlock()
		q, ok := in.(*dynamodb.QueryInput)
		if !ok || q.ProjectionExpression != nil { // which counts subscriptions
			return nil
		}
		reads++
		for name := range q.ExpressionAttributeValues {
			if away && strings.HasPrefix(dynamo.Text(q.ExpressionAttributeValues, name), "P#p#") {
				return failing
			}
		}
		return nil
	}), &nowhere{}
	for _, partner := range []owner.PartnerID{"p", "q"} {
		sub := notificationtest.SampleSubscription()
		sub.Partner = partner
		require.NoError(t, store.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(time.Now()), nil))
	}
	send := relay.NewSender(queue.send, store, "test", nil, time.Now)
	event := func(partner owner.PartnerID) outbox.Row {
		body, err := json.Marshal(outbox.Event{ID: uuid.NewString(), Type: "webhook.ping", Partner: partner})
		require.NoError(t, err)
		return outbox.Row{Queue: outbox.EventQueue, Body: string(body)}
	}
	var batch []outbox.Row
	for range 10 {
		batch = append(batch, event("p"), event("q"))
	}

	for i, err := range send(t.Context(), batch) {
		if i%2 == 0 {
			require.ErrorIs(t, err, failing)
		} else {
			require.NoError(t, err)
		}
	}
	assert.Equal(t, 2, reads, "one for each partner")
	assert.Equal(t, 10, queue.messages)

	away = false
	require.NoError(t, errors.Join(send(t.Context(), batch)...))
	assert.Equal(t, 4, reads)
	assert.Equal(t, 30, queue.messages, "those that are still pending are woken again")

	late := notificationtest.SampleSubscription()
	require.NoError(t, store.CreateSubscription(t.Context(), late, notificationtest.SampleSecret(time.Now()), nil))
	require.NoError(t, errors.Join(send(t.Context(), []outbox.Row{event("p")})...))
	assert.Equal(t, 32, queue.messages, "the next batch knows the new subscription")
	assert.Equal(t, 5, reads)
}

// users have clocks that somebody has moved by a year.
type users struct{}

func (users) Setting(context.Context, owner.User) (clock.Setting, error) {
	return clock.Setting{Ahead: 365 * 24 * time.Hour}, nil
}

// Whoever advances a clock also finds messages of others in the outbox.
func TestEventWithoutAUserIsDeliveredInRealTime(t *testing.T) {
	store := newStore(t, func(any) error { return nil })
	sub := notificationtest.SampleSubscription()
	require.NoError(t, store.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(time.Now()), nil))
	ctx, err := clock.For(t.Context(), users{}, owner.User{Partner: sub.Partner, ID: "u"})
	require.NoError(t, err)
	e := outbox.Event{ID: uuid.NewString(), Type: "webhook.ping", Partner: sub.Partner}
	body, err := json.Marshal(e)
	require.NoError(t, err)
	send := relay.NewSender((&nowhere{}).send, store, "test", users{}, time.Now)
	require.NoError(t, errors.Join(send(ctx, []outbox.Row{{Queue: outbox.EventQueue, Body: string(body)}})...))
	d, err := store.Delivery(t.Context(), notification.DeliveryKey{
		Partner: sub.Partner, SubscriptionID: sub.ID, DeliveryID: notification.DeliveryID(sub.ID, e.ID),
	})
	require.NoError(t, err)
	assert.WithinDuration(t, time.Now(), d.NextAttemptAt.Time(), time.Minute)
}

// docs/operator.md counts a partner's rows and letters of a month in these lines.
func TestLinesSayWhatAPartnerUsed(t *testing.T) {
	var lines bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&lines, nil)))
	defer slog.SetDefault(before)
	store, queue := newStore(t, func(any) error { return nil }), &nowhere{}
	send := relay.NewSender(queue.send, store, "test", nil, time.Now)
	var batch []outbox.Row
	for kind, data := range map[string]string{
		"transactions.updated": `{"connectionId":"c","added":7,"modified":1}`, "cancellation.sent": `{"channel":"RegisteredMail"}`,
		"webhook.ping": `["not", "an object"]`,
	} {
		body, err := json.Marshal(outbox.Event{ID: uuid.NewString(), Type: kind, Partner: "acme", Data: json.RawMessage(data)})
		require.NoError(t, err)
		batch = append(batch, outbox.Row{Queue: outbox.EventQueue, Body: string(body)})
	}
	require.NoError(t, errors.Join(send(t.Context(), batch)...))
	found := map[string][]any{}
	for line := range strings.Lines(lines.String()) {
		var l map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &l))
		if l["msg"] == "relayed" {
			found[l["eventType"].(string)] = []any{l["partner"], l["added"], l["channel"]}
		}
	}
	assert.Equal(t, map[string][]any{
		"transactions.updated": {"acme", 7.0, ""}, "cancellation.sent": {"acme", 0.0, "RegisteredMail"}, "webhook.ping": {"acme", 0.0, ""},
	}, found)
}

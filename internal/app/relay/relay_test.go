package relay_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/app/relay"
	"aviso/internal/clock"
	"aviso/internal/dynamo/owner"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/notification/notificationtest"
	"aviso/localstack/memdb"
	"aviso/localstack/testenv"
)

// nowhere is a queue that counts its messages.
type nowhere struct{ messages int }

func (n *nowhere) Batch() outbox.Batch { return n }

func (n *nowhere) Add(context.Context, int, string, string) error {
	n.messages++
	return nil
}

func (*nowhere) Send(context.Context) map[int]error { return nil }

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
	reads, failing := 0, errors.New("the table is away")
	store, queue := newStore(t, func(in any) error {
		if q, ok := in.(*dynamodb.QueryInput); !ok || q.ProjectionExpression != nil { // which counts subscriptions
			return nil
		}
		if reads++; reads == 1 {
			return failing
		}
		return nil
	}), &nowhere{}
	for _, partner := range []owner.PartnerID{"p", "q"} {
		sub := notificationtest.SampleSubscription()
		sub.Partner = partner
		require.NoError(t, store.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(time.Now())))
	}
	sender := relay.NewSender(queue, store, "test", nil, time.Now)
	send := func(batch outbox.Batch, partner owner.PartnerID) error {
		body, err := json.Marshal(outbox.Event{ID: uuid.NewString(), Type: "webhook.ping", Partner: partner})
		require.NoError(t, err)
		return batch.Add(t.Context(), 0, outbox.EventQueue, string(body))
	}

	batch := sender.Batch()
	require.ErrorIs(t, send(batch, "p"), failing)
	for range 10 {
		require.NoError(t, send(batch, "p"))
		require.NoError(t, send(batch, "q"))
	}
	assert.Equal(t, 3, reads, "one that failed, and one for each partner")
	assert.Equal(t, 20, queue.messages)

	late := notificationtest.SampleSubscription()
	require.NoError(t, store.CreateSubscription(t.Context(), late, notificationtest.SampleSecret(time.Now())))
	require.NoError(t, send(sender.Batch(), "p"))
	assert.Equal(t, 22, queue.messages, "the next batch knows the new subscription")
	assert.Equal(t, 4, reads)
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
	require.NoError(t, store.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(time.Now())))
	ctx, err := clock.For(t.Context(), users{}, owner.User{Partner: sub.Partner, ID: "u"})
	require.NoError(t, err)
	e := outbox.Event{ID: uuid.NewString(), Type: "webhook.ping", Partner: sub.Partner}
	body, err := json.Marshal(e)
	require.NoError(t, err)
	sender := relay.NewSender(&nowhere{}, store, "test", users{}, time.Now)
	require.NoError(t, sender.Batch().Add(ctx, 0, outbox.EventQueue, string(body)))
	d, err := store.Delivery(t.Context(), notification.DeliveryKey{
		Partner: sub.Partner, SubscriptionID: sub.ID, DeliveryID: notification.DeliveryID(sub.ID, e.ID),
	})
	require.NoError(t, err)
	assert.WithinDuration(t, time.Now(), d.NextAttemptAt.Time(), time.Minute)
}

package relay_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/app/relay"
	"aviso/internal/clock"
	"aviso/internal/dynamo/owner"
	"aviso/internal/messaging/event"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification/notificationtest"
)

// nowhere is a queue that counts its messages.
type nowhere struct{ messages int }

func (n *nowhere) Batch() outbox.Batch { return n }

func (n *nowhere) Add(context.Context, int, string, string) error {
	n.messages++
	return nil
}

func (*nowhere) Send(context.Context) map[int]error { return nil }

// The events of a busy partner would all read the same rows of one partition.
func TestBatchReadsThePartnersSubscriptionsOnce(t *testing.T) {
	store, queue := notificationtest.NewStore(), &nowhere{}
	for _, partner := range []owner.PartnerID{"p", "q"} {
		sub := notificationtest.SampleSubscription()
		sub.Partner = partner
		require.NoError(t, store.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(time.Now())))
	}
	reads, failing := 0, errors.New("the table is away")
	store.Fail = func(call string) error {
		if call != "read subscriptions" {
			return nil
		}
		if reads++; reads == 1 {
			return failing
		}
		return nil
	}
	sender := relay.NewSender(queue, store, "test", nil, time.Now)
	send := func(batch outbox.Batch, partner owner.PartnerID) error {
		body, err := json.Marshal(event.Event{ID: uuid.NewString(), Type: "webhook.ping", Partner: partner})
		require.NoError(t, err)
		return batch.Add(t.Context(), 0, event.Queue, string(body))
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
	store := notificationtest.NewStore()
	sub := notificationtest.SampleSubscription()
	require.NoError(t, store.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(time.Now())))
	ctx, err := clock.For(t.Context(), users{}, owner.User{Partner: sub.Partner, ID: "u"})
	require.NoError(t, err)
	body, err := json.Marshal(event.Event{ID: uuid.NewString(), Type: "webhook.ping", Partner: sub.Partner})
	require.NoError(t, err)
	sender := relay.NewSender(&nowhere{}, store, "test", users{}, time.Now)
	require.NoError(t, sender.Batch().Add(ctx, 0, event.Queue, string(body)))
	deliveries := store.Deliveries()
	require.Len(t, deliveries, 1)
	for _, d := range deliveries {
		assert.WithinDuration(t, time.Now(), d.NextAttemptAt, time.Minute)
	}
}

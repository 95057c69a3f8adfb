package notification_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/notification"
	"aviso/internal/notification/notificationtest"
	"aviso/internal/owner"
)

// slowStore takes a while to read a subscription.
type slowStore struct {
	notification.Store
	reads atomic.Int32
}

func (s *slowStore) Target(
	ctx context.Context, partner owner.PartnerID, id string,
) (notification.Subscription, []notification.Secret, error) {
	s.reads.Add(1)
	time.Sleep(5 * time.Millisecond)
	return s.Store.Target(ctx, partner, id)
}

func TestMessagesOfABatchShareTheReadOfTheirSubscription(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &slowStore{Store: notificationtest.NewStore()}
		sub := notificationtest.SampleSubscription()
		sub.Slots = 128 // a quick receiver's
		require.NoError(t, store.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(time.Now())))
		receivers := &notificationtest.Receivers{Now: time.Now, Answer: func(notification.Call) (notification.Outcome, time.Duration) {
			return notification.OutcomeAcknowledged, 0
		}}
		newID := notificationtest.SampleDelivery(sub).DeliveryID
		deliverer := notification.NewDeliverer(store, receivers.Call, nil, time.Now, func() string { return newID })
		batch := func() {
			var all sync.WaitGroup
			for range 10 {
				d := notificationtest.SampleDelivery(sub)
				d.CreatedAt, d.NextAttemptAt, d.WakeAt = time.Now(), time.Now(), time.Now().Add(2*time.Minute)
				d, err := store.CreateDelivery(t.Context(), d)
				require.NoError(t, err)
				all.Go(func() { assert.NoError(t, deliverer.Deliver(t.Context(), d.DeliveryKey)) })
			}
			all.Wait()
		}
		batch()
		assert.EqualValues(t, 1, store.reads.Load())
		assert.Len(t, receivers.Calls(), 10)
		batch()
		assert.EqualValues(t, 2, store.reads.Load(), "what was read before may have changed")
	})
}

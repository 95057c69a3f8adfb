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

	"aviso/internal/clock"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationtest"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// slowStore takes a while to read a subscription.
type slowStore struct {
	notification.Store
	reads, looks, deliveries atomic.Int32
}

func (s *slowStore) Delivery(ctx context.Context, k notification.DeliveryKey) (notification.Delivery, error) {
	s.deliveries.Add(1)
	return s.Store.Delivery(ctx, k)
}

func (s *slowStore) AcquireSlot(
	ctx context.Context, sub notification.Subscription, slots int, now, until clock.Real,
) (notification.Slot, error) {
	s.looks.Add(1)
	return s.Store.AcquireSlot(ctx, sub, slots, now, until)
}

func (s *slowStore) Target(ctx context.Context, partner owner.PartnerID, id string) (notification.Target, error) {
	s.reads.Add(1)
	time.Sleep(5 * time.Millisecond)
	return s.Store.Target(ctx, partner, id)
}

// A message looks for a slot, unless another one found none a moment ago.
func TestNobodyLooksForASlotWhenAllAreTaken(t *testing.T) {
	store := &slowStore{Store: newStore(t, time.Now)}
	synctest.Test(t, func(t *testing.T) {
		sub := notificationtest.SampleSubscription()
		require.NoError(t, store.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(time.Now()), nil))
		receivers := &notificationtest.Receivers{Now: time.Now, Answer: func(notification.Call) (notification.Outcome, time.Duration) {
			return notification.OutcomeNotAcknowledged, 10 * time.Second
		}}
		id := notificationtest.SampleDelivery(sub).DeliveryID
		deliverer := notification.NewDeliverer(store, receivers.Call, nil, time.Now, func() string { return id })
		var all sync.WaitGroup
		deliver := func() {
			d := notificationtest.SampleDelivery(sub)
			now := clock.Real(time.Now())
			d.CreatedAt, d.NextAttemptAt, d.WakeAt = now, clock.Setting{}.At(now), now.Add(2*time.Minute)
			d, err := store.CreateDelivery(t.Context(), d)
			require.NoError(t, err)
			all.Go(func() { _ = deliverer.Deliver(t.Context(), d.DeliveryKey) })
			time.Sleep(20 * time.Millisecond)
		}
		for range notification.InitialLimit + 6 {
			deliver()
		}
		assert.EqualValues(t, notification.InitialLimit+2, store.looks.Load(), "after a tenth of a second, one looks again")
		all.Wait() // slots are free again
		deliver()
		deliver()
		assert.EqualValues(t, notification.InitialLimit+4, store.looks.Load())
		all.Wait()
		assert.Len(t, receivers.Calls(), notification.InitialLimit+2)
	})
}

// A thousand first messages for a receiver that hangs do not even read what they are about.
func TestFirstMessagesWaitUnreadWhenAllSlotsAreTaken(t *testing.T) {
	store := &slowStore{Store: newStore(t, time.Now)}
	synctest.Test(t, func(t *testing.T) {
		sub := notificationtest.SampleSubscription()
		require.NoError(t, store.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(time.Now()), nil))
		receivers := &notificationtest.Receivers{Now: time.Now, Answer: func(notification.Call) (notification.Outcome, time.Duration) {
			return notification.OutcomeNotAcknowledged, 10 * time.Second
		}}
		id := notificationtest.SampleDelivery(sub).DeliveryID
		again := notification.NewDeliverer(store, receivers.Call, nil, time.Now, func() string { return id })
		first := *again
		first.Fresh = true
		var all sync.WaitGroup
		var keys []notification.DeliveryKey
		for range notification.InitialLimit + 1 {
			d := notificationtest.SampleDelivery(sub)
			now := clock.Real(time.Now())
			d.CreatedAt, d.NextAttemptAt, d.WakeAt = now, clock.Setting{}.At(now), now.Add(2*time.Minute)
			d, err := store.CreateDelivery(t.Context(), d)
			require.NoError(t, err)
			keys = append(keys, d.DeliveryKey)
			all.Go(func() { _ = first.Deliver(t.Context(), d.DeliveryKey) })
			time.Sleep(20 * time.Millisecond)
		}
		last := keys[notification.InitialLimit]
		time.Sleep(300 * time.Millisecond) // the first answers are late
		_ = first.Deliver(t.Context(), last)
		read := store.deliveries.Load()
		var later *outcome.Later
		require.ErrorAs(t, first.Deliver(t.Context(), last), &later)
		assert.GreaterOrEqual(t, later.After, 2*time.Second)
		assert.Less(t, later.After, 4*time.Second)
		assert.Equal(t, read, store.deliveries.Load())
		require.ErrorAs(t, again.Deliver(t.Context(), last), &later, "the wait grows, so the delivery is read")
		assert.Equal(t, read+1, store.deliveries.Load())
		all.Wait() // slots are free again
		require.NoError(t, first.Deliver(t.Context(), last))
		assert.Len(t, receivers.Calls(), notification.InitialLimit+1)
	})
}

// The first burst to a new receiver goes out with its first quick answers.
func TestANewReceiverProvesThatItIsQuick(t *testing.T) {
	store := &slowStore{Store: newStore(t, time.Now)}
	synctest.Test(t, func(t *testing.T) {
		sub := notificationtest.SampleSubscription()
		require.NoError(t, store.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(time.Now()), nil))
		receivers := &notificationtest.Receivers{Now: time.Now, Answer: func(notification.Call) (notification.Outcome, time.Duration) {
			return notification.OutcomeAcknowledged, 20 * time.Millisecond
		}}
		newID := notificationtest.SampleDelivery(sub).DeliveryID
		deliverer := notification.NewDeliverer(store, receivers.Call, nil, time.Now, func() string { return newID })
		deliverer.Fresh = true
		var all sync.WaitGroup
		started := time.Now()
		for range 50 {
			d := notificationtest.SampleDelivery(sub)
			now := clock.Real(time.Now())
			d.CreatedAt, d.NextAttemptAt, d.WakeAt = now, clock.Setting{}.At(now), now.Add(2*time.Minute)
			d, err := store.CreateDelivery(t.Context(), d)
			require.NoError(t, err)
			all.Go(func() { assert.NoError(t, deliverer.Deliver(t.Context(), d.DeliveryKey)) })
		}
		all.Wait()
		assert.Len(t, receivers.Calls(), 50)
		assert.Less(t, time.Since(started), 150*time.Millisecond)
	})
}

func TestMessagesOfABatchShareTheReadOfTheirSubscription(t *testing.T) {
	store := &slowStore{Store: newStore(t, time.Now)}
	synctest.Test(t, func(t *testing.T) {
		sub := notificationtest.SampleSubscription()
		require.NoError(t, store.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(time.Now()), nil))
		require.NoError(t, store.SetLimit(t.Context(), sub, 128)) // a quick receiver's
		receivers := &notificationtest.Receivers{Now: time.Now, Answer: func(notification.Call) (notification.Outcome, time.Duration) {
			return notification.OutcomeAcknowledged, 0
		}}
		newID := notificationtest.SampleDelivery(sub).DeliveryID
		deliverer := notification.NewDeliverer(store, receivers.Call, nil, time.Now, func() string { return newID })
		batch := func() {
			var all sync.WaitGroup
			for range 10 {
				d := notificationtest.SampleDelivery(sub)
				now := clock.Real(time.Now())
				d.CreatedAt, d.NextAttemptAt, d.WakeAt = now, clock.Setting{}.At(now), now.Add(2*time.Minute)
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

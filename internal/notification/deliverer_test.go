package notification_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/messaging/queue"
	"aviso/internal/notification"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/notificationtest"
)

// slowStore takes a while to read a subscription.
type slowStore struct {
	*store
	reads, looks, deliveries, saves atomic.Int32
}

func (s *slowStore) SaveDelivery(
	ctx context.Context, d notification.Delivery, wake bool,
) (notification.Delivery, error) {
	s.saves.Add(1)
	return s.store.SaveDelivery(ctx, d, wake)
}

func (s *slowStore) FetchDelivery(
	ctx context.Context, k notification.DeliveryKey,
) (notification.Delivery, error) {
	s.deliveries.Add(1)
	return s.store.FetchDelivery(ctx, k)
}

func (s *slowStore) AcquireSlot(
	ctx context.Context, sub notification.Subscription, slots int, now, until clock.Real,
) (notification.Slot, error) {
	s.looks.Add(1)
	return s.store.AcquireSlot(ctx, sub, slots, now, until)
}

func (s *slowStore) Target(ctx context.Context, partner owner.PartnerID, id string) (notification.Target, error) {
	s.reads.Add(1)
	time.Sleep(5 * time.Millisecond)
	return s.store.Target(ctx, partner, id)
}

// burst is a subscription in a bubble of time, and what is under way to its receiver.
type burst struct {
	*notification.Deliverer
	store     *slowStore
	sub       notification.Subscription
	receivers *notificationtest.Receivers
	all       sync.WaitGroup
}

// inABubble calls test with a burst to a receiver that gives this answer.
func inABubble(t *testing.T, answer notification.Outcome, after time.Duration, test func(t *testing.T, b *burst)) {
	t.Helper()
	store := &slowStore{store: newStore(t, time.Now)}
	synctest.Test(t, func(t *testing.T) {
		b := &burst{store: store, sub: notificationtest.SampleSubscription(), receivers: &notificationtest.Receivers{
			Now: time.Now, Answer: func(notification.Call) (notification.Outcome, time.Duration) { return answer, after },
		}}
		require.NoError(t, store.CreateSubscription(t.Context(), b.sub, notificationtest.SampleSecret(time.Now()), nil))
		id := notificationtest.SampleDelivery(b.sub).DeliveryID
		b.Deliverer = notification.NewDeliverer(store, store, b.receivers.Call, nil, time.Now, func() string { return id })
		test(t, b)
	})
}

// begin delivers a new event.
func (b *burst) begin(t *testing.T) notification.DeliveryKey {
	t.Helper()
	d, now := notificationtest.SampleDelivery(b.sub), clock.Real(time.Now())
	d.CreatedAt, d.NextAttemptAt, d.WakeAt = now, clock.Setting{}.At(now), now.Add(2*time.Minute)
	d, err := notificationtest.Create(t.Context(), b.store, d)
	require.NoError(t, err)
	b.all.Go(func() {
		if err := b.Deliver(t.Context(), d.DeliveryKey, 1); err != nil {
			assert.True(t, outcome.IsWait(err), err)
		}
	})
	return d.DeliveryKey
}

// A message looks for a slot, unless another one found none a moment ago.
func TestNobodyLooksForASlotWhenAllAreTaken(t *testing.T) {
	inABubble(t, notification.OutcomeNotAcknowledged, 10*time.Second, func(t *testing.T, b *burst) {
		deliver := func() {
			b.begin(t)
			time.Sleep(20 * time.Millisecond)
		}
		for range notification.InitialLimit + 6 {
			deliver()
		}
		assert.EqualValues(t, notification.InitialLimit+2, b.store.looks.Load(), "after a tenth of a second, one looks again")
		b.all.Wait() // slots are free again
		deliver()
		deliver()
		assert.EqualValues(t, notification.InitialLimit+4, b.store.looks.Load())
		b.all.Wait()
		assert.Len(t, b.receivers.Calls(), notification.InitialLimit+2)
	})
}

// A thousand first messages for a receiver that hangs do not even read what they are about.
func TestFirstMessagesWaitUnreadWhenAllSlotsAreTaken(t *testing.T) {
	inABubble(t, notification.OutcomeNotAcknowledged, 10*time.Second, func(t *testing.T, b *burst) {
		again := *b.Deliverer
		b.Fresh = true
		var last notification.DeliveryKey
		for range notification.InitialLimit + 1 {
			last = b.begin(t)
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(300 * time.Millisecond) // the first answers are late
		_ = b.Deliver(t.Context(), last, 1)
		read := b.store.deliveries.Load()
		var later *outcome.Later
		require.ErrorAs(t, b.Deliver(t.Context(), last, 1), &later)
		assert.GreaterOrEqual(t, later.After, 2*time.Second)
		assert.Less(t, later.After, 4*time.Second)
		assert.Equal(t, read, b.store.deliveries.Load())
		require.ErrorAs(t, again.Deliver(t.Context(), last, 1), &later, "the wait grows, so the delivery is read")
		assert.Equal(t, read+1, b.store.deliveries.Load())
		b.all.Wait() // slots are free again
		require.NoError(t, b.Deliver(t.Context(), last, 1))
		assert.Len(t, b.receivers.Calls(), notification.InitialLimit+1)
	})
}

// The first burst to a new receiver goes out with its first quick answers.
func TestANewReceiverProvesThatItIsQuick(t *testing.T) {
	inABubble(t, notification.OutcomeAcknowledged, 20*time.Millisecond, func(t *testing.T, b *burst) {
		b.Fresh = true
		started := time.Now()
		for range 50 {
			b.begin(t)
		}
		b.all.Wait()
		assert.Len(t, b.receivers.Calls(), 50)
		assert.Less(t, time.Since(started), 150*time.Millisecond)
	})
}

func TestMessagesOfABatchShareTheReadOfTheirSubscription(t *testing.T) {
	inABubble(t, notification.OutcomeAcknowledged, 0, func(t *testing.T, b *burst) {
		require.NoError(t, b.store.SetLimit(t.Context(), b.sub, 128)) // a quick receiver's
		for reads := range 2 {
			for range 10 {
				b.begin(t)
			}
			b.all.Wait()
			assert.EqualValues(t, reads+1, b.store.reads.Load(), "what was read before may have changed")
			assert.Len(t, b.receivers.Calls(), 10*(reads+1))
		}
	})
}

// A delivery that waits behind calls that hang for a day looks and writes rarely, but goes out soon after them.
func TestADeliveryThatWaitsForADayCostsLittle(t *testing.T) {
	inABubble(t, notification.OutcomeAcknowledged, time.Second, func(t *testing.T, b *burst) {
		now := clock.Real(time.Now())
		freed := now.Add(24 * time.Hour)
		for range notification.InitialLimit {
			_, err := b.store.store.AcquireSlot(t.Context(), b.sub, notification.InitialLimit, now, freed)
			require.NoError(t, err)
		}
		d := notificationtest.SampleDelivery(b.sub)
		d.CreatedAt, d.NextAttemptAt, d.WakeAt = now, clock.Setting{}.At(now), now.Add(2*time.Minute)
		d, err := notificationtest.Create(t.Context(), b.store, d)
		require.NoError(t, err)
		var later *outcome.Later
		for errors.As(b.Deliver(t.Context(), d.DeliveryKey, 1), &later) {
			assert.LessOrEqual(t, later.After, queue.MaxDelay)
			waiting, err := b.store.Delivery(t.Context(), d.DeliveryKey)
			require.NoError(t, err)
			assert.True(t, waiting.WakeAt.After(clock.Real(time.Now()).Add(later.After)), "its message is not lost")
			time.Sleep(later.After)
		}
		assert.Len(t, b.receivers.Calls(), 1)
		assert.Less(t, clock.Real(time.Now()).Sub(freed), 16*time.Minute)
		assert.Less(t, b.store.looks.Load(), int32(160))
		assert.Less(t, b.store.saves.Load(), int32(40))
	})
}

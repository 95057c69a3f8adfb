package webhookdeliveryfn

import (
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/notification"
)

// hold is how long a killed worker may hold up a subscription.
const hold = notification.CallTimeout + 10*time.Second

// Four workers are killed while they call, so all slots of the subscription are taken.
func TestKilledWorkersHoldASubscriptionUpForAShortTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWebhooks(t, always(notification.OutcomeAcknowledged, 0))
		var claims atomic.Int64
		w.Fail = func(call string) error {
			if call == "after take slot" {
				if claims.Add(1) <= notification.InitialLimit {
					runtime.Goexit()
				}
			}
			return nil
		}
		s := w.subscribe(t)
		for range notification.InitialLimit {
			w.emit(t)
		}
		time.Sleep(time.Second)
		require.EqualValues(t, notification.InitialLimit, claims.Load())
		require.Empty(t, w.receivers.Calls())

		w.pass(t, hold-2*time.Second)
		require.Empty(t, w.receivers.Calls())
		w.emit(t)
		w.pass(t, 5*time.Second)
		assert.NotEmpty(t, w.receivers.Calls())
		w.pass(t, 5*time.Minute)
		assert.Len(t, w.receivers.Calls(), notification.InitialLimit+1)
		assert.Len(t, w.tried(t, s), notification.InitialLimit+1)
	})
}

// No worker still calls when its lease ends and another one may start, however long the
// store takes before the call.
func TestNoCallOutlastsItsLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWebhooks(t, always(notification.OutcomeAcknowledged, time.Hour))
		w.Fail = func(call string) error {
			if call == "after save delivery" || call == "after take slot" {
				time.Sleep(12 * time.Second)
			}
			return nil
		}
		s := w.subscribe(t)
		began := time.Now()
		w.emit(t)
		time.Sleep(hold)
		synctest.Wait()
		attempts := w.tried(t, s)
		require.Len(t, attempts, 1)
		assert.Equal(t, notification.OutcomeTimeout, attempts[0].Outcome)
		assert.WithinDuration(t, began, w.only(t).NextAttemptAt.Time(), 15*time.Minute+hold)
	})
}

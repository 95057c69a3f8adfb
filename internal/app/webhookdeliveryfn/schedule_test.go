package webhookdeliveryfn

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/messaging/queue"
	"aviso/internal/notification"
)

// always is a receiver that gives every call the same response.
func always(outcome notification.Outcome, takes time.Duration) func(notification.Call) (notification.Outcome, time.Duration) {
	return func(notification.Call) (notification.Outcome, time.Duration) { return outcome, takes }
}

// calledAt returns the times of all calls, relative to a start.
func (w *webhooks) calledAt(began time.Time) (times []time.Duration) {
	for _, c := range w.receivers.Calls() {
		times = append(times, c.At.Sub(clock.Real(began)))
	}
	return times
}

// assertCalled asserts calls at these times, to the second and never sooner.
func (w *webhooks) assertCalled(t *testing.T, began time.Time, want ...time.Duration) {
	t.Helper()
	got := w.calledAt(began)
	if !assert.Len(t, got, len(want)) {
		return
	}
	for i := range want {
		assert.GreaterOrEqual(t, got[i], want[i])
		assert.Less(t, got[i], want[i]+time.Second+relayTakes)
	}
}

var failures = []notification.Outcome{
	notification.OutcomeNotAcknowledged,
	notification.OutcomeInvalidAcknowledgement,
	notification.OutcomeHTTPError,
	notification.OutcomeRedirectRefused,
	notification.OutcomeTimeout,
	notification.OutcomeDNSError,
	notification.OutcomeTLSError,
	notification.OutcomeConnectionError,
	notification.OutcomeAddressRefused,
	notification.OutcomeResponseTooLarge,
}

func TestDeliverySchedule(t *testing.T) {
	for _, outcome := range failures {
		t.Run("three attempts, then no more, for "+string(outcome), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWebhooks(t, always(outcome, 0))
				s := w.subscribe(t)
				began := time.Now()
				w.emit(t)
				w.pass(t, 75*time.Minute-time.Second)
				d := w.only(t)
				assert.Equal(t, notification.DeliveryPending, d.Status)
				assert.NotEmpty(t, d.Payload)
				w.pass(t, 24*time.Hour)
				w.assertCalled(t, began, 0, 15*time.Minute, 75*time.Minute)
				d = w.only(t)
				assert.Equal(t, notification.DeliveryExhausted, d.Status)
				assert.Equal(t, notification.ReasonAttemptsUsed, d.Reason)
				assert.Empty(t, d.Payload)
				tried := w.tried(t, s)
				require.Len(t, tried, 3)
				for i, a := range tried {
					assert.Equal(t, i+1, a.Number)
					assert.Equal(t, outcome, a.Outcome)
				}
				assert.Equal(t, tried[0].StartedAt.Add(15*time.Minute), tried[0].NextAttemptAt)
				deliveries, err := notification.NewSupervision(w.Store, time.Now).OfEvent(t.Context(), s.Partner, d.EventID)
				require.NoError(t, err)
				require.Len(t, deliveries, 1)
				assert.Equal(t, tried, deliveries[0].Attempts)
				assert.Equal(t, tried[1].StartedAt.Add(time.Hour), tried[1].NextAttemptAt)
				assert.Zero(t, tried[2].NextAttemptAt)
				assert.LessOrEqual(t, slices.Max(w.retries.Delays()), queue.MaxDelay)
				assert.Zero(t, w.queue.Pending()+w.retries.Pending())
			})
		})
	}

	t.Run("waits start at the timeout of a receiver that hangs", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWebhooks(t, always(notification.OutcomeAcknowledged, time.Hour))
			s := w.subscribe(t)
			began := time.Now()
			w.emit(t)
			w.pass(t, 24*time.Hour)
			w.assertCalled(t, began, 0, 16*time.Minute, 77*time.Minute)
			assert.Equal(t, notification.DeliveryExhausted, w.only(t).Status)
			for _, a := range w.tried(t, s) {
				assert.Equal(t, notification.OutcomeTimeout, a.Outcome)
				assert.Equal(t, notification.CallTimeout, a.Took())
			}
		})
	})

	for n := range 3 {
		t.Run("an acknowledgement ends it, at attempt "+string(rune('1'+n)), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				calls := 0
				w := newWebhooks(t, func(notification.Call) (notification.Outcome, time.Duration) {
					if calls++; calls > n {
						return notification.OutcomeAcknowledged, 59 * time.Second
					}
					return notification.OutcomeHTTPError, time.Second
				})
				s := w.subscribe(t)
				began := time.Now()
				w.emit(t)
				w.pass(t, 24*time.Hour)
				w.assertCalled(t, began, []time.Duration{0, 15*time.Minute + time.Second, 75*time.Minute + 2*time.Second}[:n+1]...)
				d := w.only(t)
				assert.Equal(t, notification.DeliveryAcknowledged, d.Status)
				assert.Empty(t, d.Payload)
				assert.Len(t, w.tried(t, s), n+1)
			})
		})
	}

	t.Run("repeating the fan-out makes no second delivery", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWebhooks(t, always(notification.OutcomeHTTPError, time.Second))
			w.subscribe(t)
			began := time.Now()
			e := w.emit(t)
			for range 10 {
				w.pass(t, 20*time.Minute)
				require.NoError(t, w.dispatch(t.Context(), e))
			}
			w.assertCalled(t, began, 0, 15*time.Minute+time.Second, 75*time.Minute+2*time.Second)
			w.only(t)
		})
	})
}

func TestDeliveryToASubscriptionThatIsNotActive(t *testing.T) {
	for _, test := range []struct {
		status   notification.SubscriptionStatus
		disabled bool // the partner
		reason   notification.DeliveryReason
	}{
		{notification.SubscriptionPaused, false, notification.ReasonSubscriptionPaused},
		{notification.SubscriptionDisabled, false, notification.ReasonSubscriptionDisabled},
		{notification.SubscriptionActive, true, notification.ReasonSubscriptionPaused},
		{notification.SubscriptionDisabled, true, notification.ReasonSubscriptionDisabled},
	} {
		t.Run(fmt.Sprintf("is discarded if it is %s and the partner is disabled: %t", test.status, test.disabled), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWebhooks(t, always(notification.OutcomeHTTPError, 0))
				s := w.subscribe(t)
				began := time.Now()
				w.emit(t)
				w.pass(t, 10*time.Minute)
				s, err := w.Subscription(t.Context(), "p", s.ID)
				require.NoError(t, err)
				s.Status = test.status
				require.NoError(t, w.SaveSubscription(t.Context(), s))
				w.disabled.Store(test.disabled)
				w.pass(t, 24*time.Hour)
				d := w.only(t)
				assert.Equal(t, notification.DeliveryExhausted, d.Status)
				assert.Equal(t, test.reason, d.Reason)
				assert.Empty(t, d.Payload)
				w.assertCalled(t, began, 0)
				s, err = w.Subscription(t.Context(), "p", s.ID)
				require.NoError(t, err)
				assert.Zero(t, s.Exhausted, "the receiver has not failed")
				assert.Equal(t, test.status, s.Status)
				w.emit(t)
				w.pass(t, 24*time.Hour)
				w.only(t) // nobody wanted the second event
				w.disabled.Store(false)
				w.pass(t, 24*time.Hour)
				w.assertCalled(t, began, 0)
			})
		})
	}

	t.Run("is deleted with it", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWebhooks(t, always(notification.OutcomeHTTPError, 0))
			s := w.subscribe(t)
			began := time.Now()
			w.emit(t)
			w.pass(t, time.Minute)
			require.NoError(t, w.subscriptions.Delete(t.Context(), "p", s.ID))
			w.pass(t, time.Hour)
			assert.Empty(t, w.Deliveries(t))
			w.assertCalled(t, began, 0)
		})
	})

	t.Run("a pause that ends before the next attempt changes nothing", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWebhooks(t, always(notification.OutcomeHTTPError, 0))
			s := w.subscribe(t)
			began := time.Now()
			w.emit(t)
			w.pass(t, time.Minute)
			for _, status := range []notification.SubscriptionStatus{notification.SubscriptionPaused, notification.SubscriptionActive} {
				_, err := w.subscriptions.SetStatus(t.Context(), "p", s.ID, status)
				require.NoError(t, err)
				w.pass(t, time.Minute)
			}
			for _, disabled := range []bool{true, false} {
				w.disabled.Store(disabled)
				w.pass(t, time.Minute)
			}
			w.pass(t, 24*time.Hour)
			w.assertCalled(t, began, 0, 15*time.Minute, 75*time.Minute)
		})
	})
}

func TestSlotsOfASubscription(t *testing.T) {
	t.Run("are released after each call", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWebhooks(t, always(notification.OutcomeAcknowledged, time.Second))
			w.subscribe(t)
			for n := range 3 * notification.InitialLimit {
				w.emit(t)
				time.Sleep(2 * time.Second)
				synctest.Wait()
				assert.Len(t, w.receivers.Calls(), n+1, "at once")
			}
		})
	})

	t.Run("limit concurrent calls; a delivery without one waits, with one message", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWebhooks(t, always(notification.OutcomeAcknowledged, 50*time.Second))
			w.subscribe(t)
			began := time.Now()
			for range 5 * notification.InitialLimit {
				w.emit(t)
			}
			time.Sleep(49 * time.Second)
			assert.Len(t, w.receivers.Calls(), notification.InitialLimit)
			w.pass(t, time.Hour)
			for i, at := range w.calledAt(began) {
				if i < notification.InitialLimit {
					assert.Zero(t, at)
				} else {
					assert.GreaterOrEqual(t, at, 50*time.Second)
					assert.Less(t, at, 20*time.Minute)
				}
			}
			assert.Len(t, w.receivers.Calls(), 5*notification.InitialLimit)
			assert.Len(t, w.queue.Delays(), 5*notification.InitialLimit, "housekeeping wakes no waiting delivery")
		})
	})

	t.Run("an attempt that was interrupted twice counts as failed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			w := newWebhooks(t, func(notification.Call) (notification.Outcome, time.Duration) {
				if calls++; calls <= 2 {
					runtime.Goexit()
				}
				return notification.OutcomeAcknowledged, 0
			})
			s := w.subscribe(t)
			w.emit(t)
			w.pass(t, time.Hour)
			tried := w.tried(t, s)
			require.Len(t, tried, 2)
			assert.Equal(t, notification.OutcomeConnectionError, tried[0].Outcome)
			assert.Contains(t, tried[0].Detail, "on our side")
			assert.Equal(t, notification.OutcomeAcknowledged, tried[1].Outcome)
			assert.Len(t, w.receivers.Calls(), 3)
		})
	})
}

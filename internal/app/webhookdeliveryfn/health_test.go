package webhookdeliveryfn

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/notification"
)

func TestSecretsOfAnAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWebhooks(t, always(notification.OutcomeHTTPError, 0))
		s := w.subscribe(t)
		signedBy := func() []notification.Key {
			w.emit(t)
			synctest.Wait()
			calls := w.receivers.Calls()
			return calls[len(calls)-1].Keys
		}
		secrets, err := w.subscriptions.Secrets(t.Context(), "p", s.ID)
		require.NoError(t, err)
		first := secrets[0]
		assert.Equal(t, []notification.Key{first.Key}, signedBy())
		second, err := w.subscriptions.AddSecret(t.Context(), "p", s.ID, nil)
		require.NoError(t, err)
		assert.ElementsMatch(t, []notification.Key{first.Key, second.Key}, signedBy())

		time.Sleep(15*time.Minute + time.Second)
		synctest.Wait()
		calls := w.receivers.Calls()
		require.Len(t, calls, 4)
		for _, c := range calls[2:] {
			assert.ElementsMatch(t, []notification.Key{first.Key, second.Key}, c.Keys, "each attempt is signed separately")
			assert.False(t, c.At.Before(clock.Real(time.Now().Add(-2*time.Second))))
		}

		time.Sleep(24*time.Hour - 15*time.Minute - 2*time.Second)
		assert.ElementsMatch(t, []notification.Key{first.Key, second.Key}, signedBy(), "a second before the day is over")
		time.Sleep(time.Second)
		assert.Equal(t, []notification.Key{second.Key}, signedBy(), "when the day is over")

		third, err := w.subscriptions.AddSecret(t.Context(), "p", s.ID, nil)
		require.NoError(t, err)
		require.NoError(t, w.subscriptions.RevokeSecret(t.Context(), "p", s.ID, second.ID))
		assert.Equal(t, []notification.Key{third.Key}, signedBy(), "revoked at once")
	})
}

func TestHealthOfASubscription(t *testing.T) {
	const day = 24 * time.Hour
	// exhaust emits n events whose last attempt fails 75 minutes later.
	exhaust := func(t *testing.T, w *webhooks, n int) {
		t.Helper()
		for range n {
			w.emit(t)
		}
		time.Sleep(2 * time.Hour)
		synctest.Wait()
	}
	state := func(t *testing.T, w *webhooks, s notification.Subscription) (notification.SubscriptionStatus,
		notification.SubscriptionReason) {
		t.Helper()
		s, err := w.Subscription(t.Context(), "p", s.ID)
		require.NoError(t, err)
		return s.Status, s.Reason
	}
	active := func(t *testing.T, w *webhooks, s notification.Subscription) {
		t.Helper()
		status, _ := state(t, w, s)
		require.Equal(t, notification.SubscriptionActive, status)
	}
	disabled := func(t *testing.T, w *webhooks, s notification.Subscription) {
		t.Helper()
		status, reason := state(t, w, s)
		assert.Equal(t, notification.SubscriptionDisabled, status)
		assert.Equal(t, notification.ReasonTooManyFailures, reason)
	}

	t.Run("many failures within five days do not disable it, one after them does", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWebhooks(t, always(notification.OutcomeHTTPError, 0))
			s := w.subscribe(t)
			exhaust(t, w, 25)
			time.Sleep(5*day - 2*time.Hour - 76*time.Minute) // so that the last attempt falls a minute short
			exhaust(t, w, 1)
			active(t, w, s)
			exhaust(t, w, 1)
			disabled(t, w, s)
			calls := len(w.receivers.Calls())
			w.emit(t)
			synctest.Wait()
			assert.Len(t, w.receivers.Calls(), calls)
		})
	})

	t.Run("nineteen do not disable it, the twentieth does", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWebhooks(t, always(notification.OutcomeHTTPError, 0))
			s := w.subscribe(t)
			time.Sleep(30 * day)
			exhaust(t, w, 19)
			active(t, w, s)
			exhaust(t, w, 1)
			disabled(t, w, s)
		})
	})

	t.Run("an acknowledgement resets both", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			outcome := notification.OutcomeHTTPError
			w := newWebhooks(t, func(notification.Call) (notification.Outcome, time.Duration) { return outcome, 0 })
			s := w.subscribe(t)
			time.Sleep(4 * day)
			exhaust(t, w, 19)
			outcome = notification.OutcomeAcknowledged
			w.emit(t)
			synctest.Wait()
			outcome = notification.OutcomeHTTPError
			exhaust(t, w, 30)
			time.Sleep(4 * day) // eight since it was made, four since the acknowledgement
			exhaust(t, w, 1)
			active(t, w, s)
			time.Sleep(day)
			exhaust(t, w, 1)
			disabled(t, w, s)
		})
	})

	t.Run("a pause does not count", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWebhooks(t, always(notification.OutcomeHTTPError, 0))
			s := w.subscribe(t)
			exhaust(t, w, 20)
			for _, status := range []notification.SubscriptionStatus{notification.SubscriptionPaused, notification.SubscriptionActive} {
				_, err := w.subscriptions.SetStatus(t.Context(), "p", s.ID, status)
				require.NoError(t, err)
				time.Sleep(4 * day)
			}
			exhaust(t, w, 1)
			active(t, w, s)
		})
	})

	t.Run("the partner enables it again", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWebhooks(t, always(notification.OutcomeHTTPError, 0))
			s := w.subscribe(t)
			time.Sleep(6 * day)
			exhaust(t, w, 20)
			disabled(t, w, s)
			_, err := w.subscriptions.SetStatus(t.Context(), "p", s.ID, notification.SubscriptionActive)
			require.NoError(t, err)
			calls := len(w.receivers.Calls())
			exhaust(t, w, 1)
			assert.Greater(t, len(w.receivers.Calls()), calls)
			active(t, w, s)
			time.Sleep(5 * day)
			exhaust(t, w, 1)
			disabled(t, w, s)
		})
	})
}

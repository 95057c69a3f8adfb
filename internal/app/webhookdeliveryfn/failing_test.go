package webhookdeliveryfn

import (
	"encoding/json"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/notification"
)

// failing is the data of an event subscription.failing.
type failing struct {
	SubscriptionID string    `json:"subscriptionId"`
	Status         string    `json:"status"`
	StatusReason   string    `json:"statusReason"`
	FailingSince   time.Time `json:"failingSince"`
	FailingReason  string    `json:"failingReason"`
	FailingDetail  string    `json:"failingDetail"`
}

// told returns the data of the events about failing subscriptions, all of which are well-formed.
func (w *webhooks) told(t *testing.T) []failing {
	t.Helper()
	var all []failing
	for _, e := range w.Events() {
		require.Equal(t, "subscription.failing", e.Type)
		require.NoError(t, notification.ValidateData(e.Type, e.Data))
		assert.Empty(t, e.User)
		assert.EqualValues(t, "p", e.Partner)
		var data failing
		require.NoError(t, json.Unmarshal(e.Data, &data))
		assert.Equal(t, data.SubscriptionID, e.ExceptSubscriptionID)
		all = append(all, data)
	}
	return all
}

// flaky answers with what the test sets.
type flaky struct{ outcome notification.Outcome }

func (f *flaky) answer(notification.Call) (notification.Outcome, time.Duration) { return f.outcome, 0 }

func TestASubscriptionThatFails(t *testing.T) {
	failingNow := func(t *testing.T, w *webhooks, s notification.Subscription) notification.Subscription {
		t.Helper()
		s, err := w.Subscription(t.Context(), "p", s.ID)
		require.NoError(t, err)
		return s
	}

	t.Run("is told of with the first delivery that is given up, once, until it acknowledges", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			f := &flaky{outcome: notification.OutcomeHTTPError}
			w := newWebhooks(t, f.answer)
			s := w.subscribe(t)
			began := time.Now()
			w.emit(t)
			w.pass(t, 74*time.Minute)
			assert.Empty(t, w.told(t), "two attempts have failed, the third has not")
			assert.Zero(t, failingNow(t, w, s).FailingSince)
			w.pass(t, 2*time.Minute)
			since := began.Add(75 * time.Minute).UTC()
			first := failing{
				SubscriptionID: s.ID, Status: "Active", FailingSince: since, FailingReason: "HttpError",
			}
			assert.Equal(t, []failing{first}, w.told(t))
			got := failingNow(t, w, s)
			assert.WithinDuration(t, since, got.FailingSince.Time(), 0)
			assert.Equal(t, notification.OutcomeHTTPError, got.FailingReason)
			assert.Equal(t, 1, got.Exhausted)

			f.outcome = notification.OutcomeDNSError
			w.emit(t)
			w.emit(t)
			w.pass(t, 2*time.Hour)
			assert.Len(t, w.told(t), 1, "it still fails")
			got = failingNow(t, w, s)
			assert.WithinDuration(t, since, got.FailingSince.Time(), 0)
			assert.Equal(t, notification.OutcomeDNSError, got.FailingReason, "the latest reason")
			assert.Equal(t, 3, got.Exhausted)

			f.outcome = notification.OutcomeAcknowledged
			w.emit(t)
			w.pass(t, time.Minute)
			got = failingNow(t, w, s)
			assert.Zero(t, got.FailingSince)
			assert.Empty(t, got.FailingReason)
			f.outcome = notification.OutcomeTimeout
			w.emit(t)
			w.pass(t, 2*time.Hour)
			require.Len(t, w.told(t), 2, "it fails again")
			assert.Equal(t, "Timeout", w.told(t)[1].FailingReason)
		})
	})

	t.Run("is told of again when it is disabled", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWebhooks(t, always(notification.OutcomeHTTPError, 0))
			s := w.subscribe(t)
			for range 6 * 4 {
				w.emit(t)
				w.pass(t, 6*time.Hour)
			}
			assert.Equal(t, notification.SubscriptionDisabled, failingNow(t, w, s).Status)
			told := w.told(t)
			require.Len(t, told, 2)
			assert.Equal(t, "Disabled", told[1].Status)
			assert.Equal(t, "TooManyFailures", told[1].StatusReason)
			assert.Equal(t, told[0].FailingSince, told[1].FailingSince)
		})
	})

	t.Run("is told of once if many deliveries are given up at once", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWebhooks(t, always(notification.OutcomeTLSError, time.Second))
			s := w.subscribe(t)
			for range notification.InitialLimit {
				w.emit(t)
			}
			w.pass(t, 2*time.Hour)
			assert.Len(t, w.told(t), 1)
			assert.Equal(t, notification.InitialLimit, failingNow(t, w, s).Exhausted, "all count")
		})
	})

	t.Run("is told of once if the function crashes right before or after it is written", func(t *testing.T) {
		for _, at := range []string{"save attempt", "after save attempt"} {
			synctest.Test(t, func(t *testing.T) {
				w := newWebhooks(t, always(notification.OutcomeHTTPError, 0))
				s := w.subscribe(t)
				saves := 0
				w.Fail = func(call string) error {
					if call == at {
						if saves++; saves == 3 {
							runtime.Goexit()
						}
					}
					return nil
				}
				w.emit(t)
				w.pass(t, 6*time.Hour)
				assert.GreaterOrEqual(t, saves, 3)
				assert.Len(t, w.told(t), 1, at)
				assert.Equal(t, 1, failingNow(t, w, s).Exhausted, at)
			})
		}
	})

	t.Run("is not told of if it is deleted meanwhile", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWebhooks(t, always(notification.OutcomeHTTPError, 30*time.Second))
			s := w.subscribe(t)
			w.emit(t)
			w.pass(t, 76*time.Minute+15*time.Second) // in the middle of the last call
			require.Len(t, w.receivers.Calls(), 3)
			require.NoError(t, w.subscriptions.Delete(t.Context(), "p", s.ID))
			w.pass(t, time.Hour)
			assert.Empty(t, w.told(t))
			assert.Equal(t, notification.DeliveryExhausted, w.only(t).Status)
		})
	})

	t.Run("tells the partner's other subscriptions only", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWebhooks(t, always(notification.OutcomeAcknowledged, 0))
			s, other := w.subscribe(t), w.subscribe(t)
			w.receivers.Answer = func(c notification.Call) (notification.Outcome, time.Duration) {
				if c.URL == s.ServerURL {
					return notification.OutcomeHTTPError, 0
				}
				return notification.OutcomeAcknowledged, 0
			}
			w.emit(t)
			w.pass(t, 2*time.Hour)
			events := w.Events()
			require.Len(t, events, 1)
			before := len(w.receivers.Calls())
			require.NoError(t, w.dispatch(t.Context(), events[0]))
			w.pass(t, time.Minute)
			require.NoError(t, w.dispatch(t.Context(), events[0]), "a duplicate")
			w.pass(t, 2*time.Hour)
			calls := w.receivers.Calls()[before:]
			require.Len(t, calls, 1)
			assert.Equal(t, other.ServerURL, calls[0].URL)
			assert.Contains(t, string(calls[0].Body), `"eventType":"subscription.failing"`)
			assert.Contains(t, string(calls[0].Body), `"userId":""`)
		})
	})
}

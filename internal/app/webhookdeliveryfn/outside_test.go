package webhookdeliveryfn

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/notification"
)

// What users of other senders of webhooks have reported, and what AWS says of its queues.

// reapit/foundations 10832: a batch that outlasted the queue's visibility was sent twice, under different IDs.
func TestAMessageThatComesAgainIsTheSameEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWebhooks(t, always(notification.OutcomeAcknowledged, 50*time.Second))
		w.queue.Copies = func() []time.Duration { return []time.Duration{0, time.Second} }
		w.subscribe(t)
		e := w.emit(t)
		w.pass(t, 20*time.Minute)
		calls := w.receivers.Calls()
		assert.LessOrEqual(t, len(calls), 2)
		for _, c := range calls {
			assert.Equal(t, e.ID, c.EventID)
		}
	})
}

// hookdeck/outpost 1000: after a failed attempt whose record could not be written, the record was lost for good.
func TestAFailedAttemptThatCannotBeRecordedIsMadeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWebhooks(t, always(notification.OutcomeHTTPError, 0))
		broken := 1
		w.Fail = func(call string) error {
			if call == "save attempt" && broken > 0 {
				broken--
				return errors.New("the table is away")
			}
			return nil
		}
		s := w.subscribe(t)
		w.emit(t)
		w.pass(t, 2*time.Hour)
		tried := w.tried(t, s)
		require.Len(t, tried, 3)
		for i, a := range tried {
			assert.Equal(t, i+1, a.Number)
		}
	})
}

// hookdeck/outpost 571: what a receiver refuses ended among the dead letters.
func TestARefusalIsNoDeadLetter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWebhooks(t, always(notification.OutcomeHTTPError, 0))
		w.subscribe(t)
		w.emit(t)
		w.pass(t, time.Second)
		assert.Zero(t, w.queue.Pending(), "its message is done")
		w.pass(t, 2*time.Hour)
		assert.Zero(t, w.retries.Pending())
	})
}

// frain-dev/convoy 1833: a receiver that always answered 403 was called for ever, and no attempt was counted.
func TestARefusalEndsAfterThreeAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWebhooks(t, always(notification.OutcomeHTTPError, 0))
		s := w.subscribe(t)
		w.emit(t)
		w.pass(t, 24*time.Hour)
		assert.Len(t, w.receivers.Calls(), 3)
		assert.Len(t, w.tried(t, s), 3)
		assert.Equal(t, notification.DeliveryExhausted, w.only(t).Status)
	})
}

// frain-dev/convoy 1977: deliveries whose message was lost stayed for ever.
func TestAnEventWhoseMessageIsLostIsSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWebhooks(t, always(notification.OutcomeAcknowledged, 0))
		lost := 2
		w.queue.Copies = func() []time.Duration {
			if lost--; lost >= 0 {
				return nil
			}
			return []time.Duration{0}
		}
		w.subscribe(t)
		w.subscribe(t)
		w.emit(t)
		w.pass(t, 10*time.Minute)
		assert.Len(t, w.receivers.Calls(), 2)
		for _, d := range w.Deliveries(t) {
			assert.Equal(t, notification.DeliveryAcknowledged, d.Status)
		}
	})
}

// Vexa-ai/vexa 520: what came during 75 minutes without storage was never sent.
func TestAnEventOutlivesAnOutageOfTheTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWebhooks(t, always(notification.OutcomeAcknowledged, 0))
		s := w.subscribe(t)
		e := anEvent()
		require.NoError(t, w.dispatch(t.Context(), e))
		w.Fail = func(string) error { return errors.New("the table is away") }
		time.Sleep(75 * time.Minute) // five receives: the message is a dead letter
		synctest.Wait()
		require.Empty(t, w.receivers.Calls())
		w.Fail = func(string) error { return nil }
		w.pass(t, 10*time.Minute)
		assert.Len(t, w.receivers.Calls(), 1)
		assert.Len(t, w.tried(t, s), 1)
	})
}

// celery/celery 3270: work that was due after the queue's visibility was done by several workers.
func TestARetryAfterAnHourIsMadeOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWebhooks(t, always(notification.OutcomeTimeout, notification.CallTimeout))
		w.subscribe(t)
		w.emit(t)
		w.pass(t, 3*time.Hour)
		assert.Len(t, w.receivers.Calls(), 3)
	})
}

// sendgrid/docs 2933: one event came 46 times in 29 hours, although each was acknowledged.
func TestAnAcknowledgedEventDoesNotComeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWebhooks(t, always(notification.OutcomeAcknowledged, 0))
		w.queue.Copies = func() []time.Duration { return []time.Duration{0, time.Minute, time.Hour, 29 * time.Hour} }
		s := w.subscribe(t)
		e := w.emit(t)
		w.pass(t, time.Hour)
		for range 5 { // and its stream record comes again
			require.NoError(t, w.dispatch(t.Context(), e))
		}
		w.pass(t, 30*time.Hour)
		assert.Len(t, w.receivers.Calls(), 1)
		assert.Len(t, w.tried(t, s), 1)
	})
}

// alexfrmn/murmur 141: a retry under the ID of its event was taken for a duplicate, and reached nobody.
func TestARetryHasTheIDOfItsEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWebhooks(t, always(notification.OutcomeConnectionError, 0))
		w.subscribe(t)
		e := w.emit(t)
		w.pass(t, 2*time.Hour)
		calls := w.receivers.Calls()
		require.Len(t, calls, 3)
		for _, c := range calls {
			assert.Equal(t, e.ID, c.EventID)
		}
	})
}

// AWS, "Lambda with SQS": a function that is killed, or runs out of time, leaves its batch to be received again.
func TestAWorkerThatIsKilledInEveryFirstCallEndsTheAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent := 0
		w := newWebhooks(t, func(notification.Call) (notification.Outcome, time.Duration) {
			if sent++; sent <= 2 {
				runtime.Goexit()
			}
			return notification.OutcomeAcknowledged, 0
		})
		s := w.subscribe(t)
		w.emit(t)
		w.pass(t, time.Hour)
		assert.LessOrEqual(t, sent, 3)
		tried := w.tried(t, s)
		require.Len(t, tried, 2)
		assert.Equal(t, notification.OutcomeConnectionError, tried[0].Outcome)
		assert.Equal(t, notification.OutcomeAcknowledged, tried[1].Outcome)
	})
}

// SQS takes no U+FFFE and no U+FFFF in a message, and JSON of an event may have both.
func TestAnEventWithCharactersThatSQSRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWebhooks(t, always(notification.OutcomeAcknowledged, 0))
		w.subscribe(t)
		e := anEvent()
		e.Data = []byte("{\"message\":\"\uFFFE\uFFFF\"}")
		require.NoError(t, w.dispatch(t.Context(), e))
		w.pass(t, time.Minute)
		calls := w.receivers.Calls()
		require.Len(t, calls, 1)
		assert.Contains(t, string(calls[0].Body), "\uFFFE\uFFFF")
		assert.False(t, strings.ContainsAny(w.queue.last, "\uFFFE\uFFFF"))
	})
}

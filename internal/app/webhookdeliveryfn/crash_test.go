package webhookdeliveryfn

import (
	"context"
	"errors"
	"runtime"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/messaging/queue"
	"aviso/internal/notification"
)

// crashAfter ends the function right after it has saved the n-th attempt, before
// the message is sent to RetryQueue. It reports whether that has happened.
func (w *webhooks) crashAfter(n int) (crashed func() bool) {
	saved := 0
	w.Fail = func(call string) error {
		if call == "after save attempt" {
			if saved++; saved == n {
				runtime.Goexit()
			}
		}
		return nil
	}
	return func() bool { return saved >= n }
}

// loseAfter loses the message that SQS delivers again after the crash.
func (w *webhooks) loseAfter(crashed func() bool) {
	lost := false
	fate := func() []time.Duration {
		if crashed() && !lost {
			lost = true
			return nil
		}
		return []time.Duration{0}
	}
	w.queue.Copies, w.retries.Copies = fate, fate
}

// A retry waits as the message that its function is processing. A crash between the
// write and the send must neither lose the retry nor double it.
func TestRetryAfterACrash(t *testing.T) {
	const minute = time.Minute
	for n := 1; n <= 3; n++ {
		t.Run("SQS delivers the message again, crash after attempt "+strconv.Itoa(n), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWebhooks(t, always(notification.OutcomeHTTPError, 0))
				crashed := w.crashAfter(n)
				s := w.subscribe(t)
				began := time.Now()
				w.emit(t)
				w.pass(t, 24*time.Hour)
				assert.True(t, crashed())
				w.assertCalled(t, began, 0, 15*minute, 75*minute)
				assert.Len(t, w.tried(t, s), 3)
				assert.Equal(t, notification.DeliveryExhausted, w.only(t).Status)
			})
		})
	}

	for n, want := range [][]time.Duration{{0, 17 * minute, 77 * minute}, {0, 15 * minute, 77 * minute}} {
		t.Run("housekeeping finds the delivery, crash after attempt "+strconv.Itoa(n+1), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWebhooks(t, always(notification.OutcomeHTTPError, 0))
				w.loseAfter(w.crashAfter(n + 1))
				s := w.subscribe(t)
				began := time.Now()
				w.emit(t)
				w.pass(t, want[n+1]-time.Second)
				assert.Len(t, w.receivers.Calls(), n+1)
				assert.Zero(t, w.queue.Pending()+w.retries.Pending(), "no message is left")
				w.pass(t, time.Second)
				w.pass(t, 24*time.Hour)
				w.assertCalled(t, began, want...)
				assert.Len(t, w.tried(t, s), 3)
				assert.Equal(t, notification.DeliveryExhausted, w.only(t).Status)
			})
		})
	}

	t.Run("RetryQueue rejects the message once", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWebhooks(t, always(notification.OutcomeHTTPError, 0))
			refusals := 0
			send := func(ctx context.Context, name string, body any, after time.Duration) error {
				if refusals++; refusals == 1 {
					return errors.New("SQS is away")
				}
				return w.retries.SendJSON(ctx, name, body, after)
			}
			w.queue.Work = queue.Again(w.deliverer.Deliver, RetryQueue, send)
			s := w.subscribe(t)
			began := time.Now()
			w.emit(t)
			w.pass(t, 24*time.Hour)
			require.Positive(t, refusals)
			w.assertCalled(t, began, 0, 15*minute, 75*minute)
			assert.Len(t, w.tried(t, s), 3)
		})
	})

	t.Run("a slot that cannot be released expires", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := newWebhooks(t, always(notification.OutcomeHTTPError, 0))
			refusals := 0
			w.Fail = func(call string) error {
				if call == "release slot" {
					refusals++
					return errBusy
				}
				return nil
			}
			s := w.subscribe(t)
			began := time.Now()
			w.emit(t)
			w.pass(t, 24*time.Hour)
			assert.Equal(t, 3, refusals)
			w.assertCalled(t, began, 0, 15*minute, 75*minute)
			assert.Len(t, w.tried(t, s), 3)
		})
	})
}

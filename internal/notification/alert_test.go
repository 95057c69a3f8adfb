package notification_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/notificationtest"
)

// alerting is a subscription that begins to fail, and the mail that its partner gets.
type alerting struct {
	*store
	t      *testing.T
	sub    notification.Subscription
	now    time.Time
	to     string
	mu     sync.Mutex
	mailed []notification.Subscription
	fails  error
	alerts *notification.Alerts
}

func newAlerting(t *testing.T) *alerting {
	t.Helper()
	a := &alerting{
		t: t, sub: notificationtest.SampleSubscription(), now: notificationtest.Noon(), to: "on-call@partner.example",
	}
	clock := func() time.Time { return a.now }
	a.store = newStore(t, clock)
	require.NoError(t, a.CreateSubscription(t.Context(), a.sub, notificationtest.SampleSecret(a.now), nil))
	address := func(context.Context, owner.PartnerID) (string, error) { return a.to, nil }
	mail := func(_ context.Context, to string, s notification.Subscription) error {
		a.mu.Lock()
		defer a.mu.Unlock()
		assert.Equal(t, a.to, to)
		a.mailed = append(a.mailed, s)
		return a.fails
	}
	a.alerts = notification.NewAlerts(a.store, address, mail, clock)
	return a
}

// fail lets the subscription begin to fail, and returns the message.
func (a *alerting) fail() notification.Alert {
	a.t.Helper()
	d, err := notificationtest.Create(a.t.Context(), a, notificationtest.SampleDelivery(a.sub))
	require.NoError(a.t, err)
	failing := a.sub
	failing.FailingSince, failing.FailingReason = clock.Real(a.now), notification.OutcomeTimeout
	require.NoError(a.t, a.SaveFailing(a.t.Context(), failing, d, notification.Attempt{}, outbox.Event{ID: uuid.NewString()}))
	return notification.Alert{Partner: "p", SubscriptionID: a.sub.ID, FailingSince: clock.Real(a.now)}
}

func (a *alerting) recover() {
	a.t.Helper()
	require.NoError(a.t, a.NoteAcknowledged(a.t.Context(), "p", a.sub.ID, clock.Real(a.now)))
}

// send delivers the message, and returns how many mails there were by then.
func (a *alerting) send(message notification.Alert) int {
	a.t.Helper()
	require.NoError(a.t, a.alerts.Send(a.t.Context(), message))
	return len(a.mailed)
}

func TestAPartnerGetsAMail(t *testing.T) {
	t.Run("once for each failure", func(t *testing.T) {
		a := newAlerting(t)
		first := a.fail()
		assert.Equal(t, 1, a.send(first))
		assert.Equal(t, notification.OutcomeTimeout, a.mailed[0].FailingReason)
		assert.Equal(t, 1, a.send(first), "a duplicate")
		a.now = a.now.Add(48 * time.Hour)
		assert.Equal(t, 1, a.send(first), "a late duplicate")
		a.recover()
		second := a.fail()
		assert.Equal(t, 2, a.send(second))
		assert.Equal(t, 2, a.send(first), "of a failure that has ended")
	})

	t.Run("once an hour", func(t *testing.T) {
		a := newAlerting(t)
		assert.Equal(t, 1, a.send(a.fail()))
		a.now = a.now.Add(59 * time.Minute)
		a.recover()
		assert.Equal(t, 1, a.send(a.fail()))
		a.now = a.now.Add(time.Minute)
		a.recover()
		assert.Equal(t, 2, a.send(a.fail()))
	})

	t.Run("not if it acknowledges meanwhile, is deleted, or there is no address", func(t *testing.T) {
		a := newAlerting(t)
		message := a.fail()
		a.to = ""
		assert.Zero(t, a.send(message))
		a.to = "on-call@partner.example"
		a.recover()
		assert.Zero(t, a.send(message))
		message = a.fail()
		require.NoError(t, a.DeleteSubscription(t.Context(), a.sub))
		assert.Zero(t, a.send(message))
	})

	t.Run("once from many calls at the same time", func(t *testing.T) {
		a := newAlerting(t)
		message := a.fail()
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				var later *outcome.Later
				if err := a.alerts.Send(t.Context(), message); err != nil {
					assert.ErrorAs(t, err, &later)
				}
			})
		}
		all.Wait()
		assert.Len(t, a.mailed, 1)
	})

	t.Run("after a call that was refused, when its lease has ended", func(t *testing.T) {
		a := newAlerting(t)
		message := a.fail()
		a.fails = errors.New("SES is away")
		require.ErrorIs(t, a.alerts.Send(t.Context(), message), a.fails)
		a.fails = nil
		var later *outcome.Later
		require.ErrorAs(t, a.alerts.Send(t.Context(), message), &later)
		assert.Equal(t, time.Minute, later.After)
		a.now = a.now.Add(later.After)
		assert.Equal(t, 2, a.send(message))
		assert.Equal(t, 2, a.send(message))
	})
}

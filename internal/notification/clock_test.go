package notification_test

import (
	"context"
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
	"aviso/localstack/tests/clocktest"
	"aviso/localstack/tests/notificationtest"
)

// ahead is the setting of every user's clock.
type ahead time.Duration

func (a ahead) Setting(context.Context, owner.User) (clock.Setting, error) {
	return clock.Setting{Ahead: time.Duration(a)}, nil
}

// aheadBy is a stack where the user's clock is 30 days ahead and the receiver answers nothing.
type aheadBy struct {
	*clocktest.Clock
	store     *store
	sub       notification.Subscription
	deliverer *notification.Deliverer
}

func newAheadBy(t *testing.T, delays ...time.Duration) aheadBy {
	s := aheadBy{Clock: clocktest.New(), sub: notificationtest.SampleSubscription()}
	s.store = newStore(t, s.Now)
	require.NoError(t, s.store.CreateSubscription(t.Context(), s.sub, notificationtest.SampleSecret(s.Now()), nil))
	receivers := &notificationtest.Receivers{Now: s.Now, Answer: func(notification.Call) (notification.Outcome, time.Duration) {
		return notification.OutcomeConnectionError, 0
	}}
	s.deliverer = notification.NewDeliverer(s.store, s.store, receivers.Call, delays, s.Now, func() string {
		return uuid.Must(uuid.NewV7()).String() // attempts are listed in the order of their IDs
	})
	s.deliverer.Clocks = ahead(30 * 24 * time.Hour)
	return s
}

// dispatch creates a delivery of an event about the user.
func (s aheadBy) dispatch(t *testing.T) notification.DeliveryKey {
	ctx, err := clock.For(t.Context(), s.deliverer.Clocks, owner.User{Partner: s.sub.Partner, ID: "u"})
	require.NoError(t, err)
	wake, err := notificationtest.Dispatch(ctx, notification.NewFanOut(s.store, "test", nil, s.Now), outbox.Event{
		ID: uuid.NewString(), Type: "cancellation.created", Partner: s.sub.Partner, User: "u", OccurredAt: clock.UserNow(ctx, s.Now),
	})
	require.NoError(t, err)
	require.Len(t, wake, 1)
	return wake[0]
}

// A subscription is shared by all users, so nothing about it follows one user's clock.
func TestAUsersClockDoesNotDisableASubscription(t *testing.T) {
	s := newAheadBy(t)
	for range 25 {
		require.NoError(t, s.deliverer.Deliver(t.Context(), s.dispatch(t), 1))
	}
	sub, err := s.store.Subscription(t.Context(), s.sub.Partner, s.sub.ID)
	require.NoError(t, err)
	assert.Equal(t, notification.SubscriptionActive, sub.Status, "five days have not passed")
	assert.Equal(t, s.Now(), sub.FailingSince.Time())
	attempts, _, err := s.store.Attempts(t.Context(), sub, 1, "")
	require.NoError(t, err)
	assert.Equal(t, s.Now(), attempts[0].StartedAt.Time())
}

// Housekeeping wakes a delivery in real time: nobody's clock moves the loss of a message.
func TestALostMessageOfAUserWhoseClockIsAhead(t *testing.T) {
	s := newAheadBy(t, 15*time.Minute)
	housekeeping := notification.NewHousekeeping(s.store, s.Now)
	woken := func(after time.Duration) int {
		s.Advance(after)
		n, err := housekeeping.Run(t.Context())
		require.NoError(t, err)
		return n
	}
	key := s.dispatch(t)
	assert.Equal(t, 0, woken(time.Minute))
	assert.Equal(t, 1, woken(time.Minute), "the first attempt")
	var later *outcome.Later
	require.ErrorAs(t, s.deliverer.Deliver(t.Context(), key, 1), &later)
	assert.Equal(t, 15*time.Minute, later.After)
	assert.Equal(t, 0, woken(16*time.Minute))
	assert.Equal(t, 1, woken(time.Minute), "the second attempt")
	assert.Equal(t, 1, woken(2*time.Minute), "its message was lost, too")
}

// A partner's request may name a user whose clock was moved. What it changes is shared by all users.
func TestARequestForAUserWhoseClockIsAhead(t *testing.T) {
	s := newAheadBy(t)
	ctx := clock.With(t.Context(), clock.Setting{Ahead: 2 * 366 * 24 * time.Hour})
	subscriptions := notification.NewSubscriptions(s.store, func(string) error { return nil }, s.Now, uuid.NewString)
	url := "https://partner.example/hook"
	made, first, err := subscriptions.Create(ctx, "p", notification.SubscriptionInput{ServerURL: &url, Events: []string{"*"}}, nil)
	require.NoError(t, err)
	assert.Equal(t, s.Now(), first.CreatedAt.Time())
	s.Advance(time.Hour)
	for _, status := range []notification.SubscriptionStatus{notification.SubscriptionPaused, notification.SubscriptionActive} {
		made, err = subscriptions.SetStatus(ctx, "p", made.ID, status)
		require.NoError(t, err)
	}
	now := clock.Real(s.Now())
	assert.Equal(t, []clock.Real{now.Add(-time.Hour), now, now}, []clock.Real{made.CreatedAt, made.UpdatedAt, made.ActiveSince})
	added, err := subscriptions.AddSecret(ctx, "p", made.ID, nil)
	require.NoError(t, err)
	assert.Equal(t, s.Now(), added.CreatedAt.Time())
	secrets, err := subscriptions.Secrets(ctx, "p", made.ID)
	require.NoError(t, err)
	assert.Equal(t, s.Now().Add(24*time.Hour), secrets[1].ExpiresAt.Time())
}

// An attempt says when the next one is. If the user's clock then moves, the next one is at once, and that is what the
// attempt before it says.
func TestNextAttemptAtIsWhatHappens(t *testing.T) {
	s := newAheadBy(t, 15*time.Minute, time.Hour)
	key := s.dispatch(t)
	var later *outcome.Later
	require.ErrorAs(t, s.deliverer.Deliver(t.Context(), key, 1), &later)
	first := s.Now()
	s.Advance(time.Minute)
	s.deliverer.Clocks = ahead(60 * 24 * time.Hour)
	moved := s.Now()
	require.ErrorAs(t, s.deliverer.Deliver(t.Context(), key, 1), &later)

	attempts, _, err := s.store.Attempts(t.Context(), s.sub, 10, "")
	require.NoError(t, err)
	require.Len(t, attempts, 2)
	assert.Equal(t, moved, attempts[0].StartedAt.Time())
	assert.Equal(t, moved.Add(time.Hour), attempts[0].NextAttemptAt.Time())
	assert.Equal(t, first, attempts[1].StartedAt.Time())
	assert.Equal(t, moved, attempts[1].NextAttemptAt.Time())
	d, err := s.store.Delivery(t.Context(), key)
	require.NoError(t, err)
	assert.Equal(t, moved, d.Attempts[0].NextAttemptAt.Time())
}

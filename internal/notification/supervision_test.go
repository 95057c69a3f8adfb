package notification_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/clock"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/outcome"
	"aviso/localstack/tests/notificationtest"
)

func (s service) supervision() *notification.Supervision {
	return notification.NewSupervision(s.store, s.clock.Now)
}

func TestTheOperatorDisablesSubscriptions(t *testing.T) {
	t.Run("and the partner cannot undo it", func(t *testing.T) {
		s := newService(t)
		sub, _ := s.subscribe(t)
		s.clock.Advance(time.Minute)
		for range 2 { // a second call changes nothing
			got, err := s.supervision().Disable(t.Context(), "p", sub.ID)
			require.NoError(t, err)
			assert.Equal(t, notification.SubscriptionDisabled, got.Status)
			assert.Equal(t, notification.ReasonByOperator, got.Reason)
			assert.Equal(t, s.clock.Now(), got.UpdatedAt.Time())
		}
		_, err := s.SetStatus(t.Context(), "p", sub.ID, notification.SubscriptionActive)
		requireFault(t, err, apierror.Conflict)
	})

	t.Run("and reactivates them", func(t *testing.T) {
		s := newService(t)
		sub, _ := s.subscribe(t)
		_, err := s.supervision().Disable(t.Context(), "p", sub.ID)
		require.NoError(t, err)
		s.clock.Advance(time.Hour)
		got, err := s.supervision().Enable(t.Context(), "p", sub.ID)
		require.NoError(t, err)
		assert.Equal(t, notification.SubscriptionActive, got.Status)
		assert.Empty(t, got.Reason)
		assert.Equal(t, s.clock.Now(), got.ActiveSince.Time())
		s.clock.Advance(time.Hour)
		again, err := s.supervision().Enable(t.Context(), "p", sub.ID)
		require.NoError(t, err)
		assert.Equal(t, got.ActiveSince, again.ActiveSince, "it never stopped being active")
	})

	t.Run("and counts their silence again from when the partner is enabled", func(t *testing.T) {
		s := newService(t)
		active, _ := s.subscribe(t)
		paused, _ := s.subscribe(t)
		_, err := s.SetStatus(t.Context(), "p", paused.ID, notification.SubscriptionPaused)
		require.NoError(t, err)
		s.clock.Advance(time.Hour)
		require.NoError(t, s.supervision().Resume(t.Context(), "p"))
		active, err = s.Get(t.Context(), "p", active.ID)
		require.NoError(t, err)
		assert.Equal(t, s.clock.Now(), active.ActiveSince.Time())
		again, err := s.Get(t.Context(), "p", paused.ID)
		require.NoError(t, err)
		assert.Equal(t, paused.ActiveSince, again.ActiveSince)
		assert.Equal(t, notification.SubscriptionPaused, again.Status)
	})

	t.Run("but cannot end a pause", func(t *testing.T) {
		s := newService(t)
		sub, _ := s.subscribe(t)
		_, err := s.SetStatus(t.Context(), "p", sub.ID, notification.SubscriptionPaused)
		require.NoError(t, err)
		_, err = s.supervision().Enable(t.Context(), "p", sub.ID)
		requireFault(t, err, apierror.Conflict)
	})

	t.Run("only if they exist", func(t *testing.T) {
		s := newService(t)
		sub, _ := s.subscribe(t)
		for _, do := range []func(*notification.Supervision) error{
			func(v *notification.Supervision) error { _, err := v.Disable(t.Context(), "q", sub.ID); return err },
			func(v *notification.Supervision) error { _, err := v.Enable(t.Context(), "q", sub.ID); return err },
		} {
			requireFault(t, do(s.supervision()), apierror.NotFound)
		}
	})
}

func TestTheOperatorInspectsDeliveries(t *testing.T) {
	s := newService(t)
	sub, _ := s.subscribe(t)
	fanOut := notification.NewFanOut(s.store, "test", nil, s.clock.Now)
	hand := func(id string) notification.Delivery {
		_, err := notificationtest.Dispatch(t.Context(), fanOut, outbox.Event{
			ID: id, Type: "webhook.ping", OccurredAt: clock.OfUser(s.clock.Now()), Partner: "p", Data: []byte(`{"message":"m"}`),
		})
		require.NoError(t, err)
		d, err := s.store.Delivery(t.Context(), notification.DeliveryKey{
			Partner: "p", SubscriptionID: sub.ID, DeliveryID: notification.DeliveryID(sub.ID, id),
		})
		require.NoError(t, err)
		return d
	}
	one, other := hand("one"), hand("other")
	ids := 0
	try := func(d notification.Delivery, number int) notification.Delivery {
		ids++
		s.clock.Advance(time.Second)
		a := notification.Attempt{
			ID: fmt.Sprintf("%06d", ids), EventID: d.EventID, EventType: d.EventType, Number: number,
			StartedAt: clock.Real(s.clock.Now()),
		}
		d.Attempt, d.Attempts = number+1, append(d.Attempts, a)
		require.NoError(t, s.store.SaveAttempt(t.Context(), notification.Subscription{Partner: d.Partner, ID: d.SubscriptionID}, d, a))
		d.Version++
		return d
	}
	one = try(one, 1)
	try(other, 1)
	try(one, 2)

	got, err := s.supervision().Delivery(t.Context(), "p", sub.ID, "one")
	require.NoError(t, err)
	attempts := got.Attempts
	assert.Equal(t, one.DeliveryKey, got.DeliveryKey)
	require.Len(t, attempts, 2)
	assert.Equal(t, []int{1, 2}, []int{attempts[0].Number, attempts[1].Number})
	same, err := s.supervision().Inspect(t.Context(), one.DeliveryKey)
	require.NoError(t, err)
	assert.Equal(t, got, same)
	second, err := s.Attempt(t.Context(), "p", sub.ID, attempts[1].ID)
	require.NoError(t, err)
	assert.Equal(t, attempts[1], second)
	_, err = s.Attempt(t.Context(), "p", sub.ID, attempts[1].ID+"0")
	requireFault(t, err, apierror.NotFound)

	none, err := s.supervision().Inspect(t.Context(), hand("untried").DeliveryKey)
	require.NoError(t, err)
	assert.Empty(t, none.Attempts)
	_, err = s.supervision().Delivery(t.Context(), "p", sub.ID, uuid.NewString())
	requireFault(t, err, apierror.NotFound)
}

func TestAnAttemptIsMadeNow(t *testing.T) {
	s := newService(t)
	sub, _ := s.subscribe(t)
	e := outbox.Event{ID: uuid.NewString(), Type: "webhook.ping", OccurredAt: clock.OfUser(s.clock.Now()), Partner: "p", Data: []byte(`{}`)}
	_, err := notificationtest.Dispatch(t.Context(), notification.NewFanOut(s.store, "test", nil, s.clock.Now), e)
	require.NoError(t, err)
	k := notification.DeliveryKey{Partner: "p", SubscriptionID: sub.ID, DeliveryID: notification.DeliveryID(sub.ID, e.ID)}
	end := notification.OutcomeTimeout
	post := func(context.Context, notification.Call) notification.Result { return notification.Result{Outcome: end} }
	deliver := func() {
		d := notification.NewDeliverer(s.store, s.store, post, []time.Duration{15 * time.Minute, time.Hour}, s.clock.Now, uuid.NewString)
		var later *outcome.Later
		if err := d.Deliver(t.Context(), k, 1); !errors.As(err, &later) {
			require.NoError(t, err)
		}
	}
	retry := func() error { return s.supervision().RetryNow(t.Context(), "p", sub.ID, e.ID) }
	attempt := func() int {
		d, err := s.store.Delivery(t.Context(), k)
		require.NoError(t, err)
		return d.Attempt
	}
	deliver()
	deliver()
	require.Equal(t, 2, attempt(), "the second waits for its time")
	_, err = s.SetStatus(t.Context(), "p", sub.ID, notification.SubscriptionPaused)
	require.NoError(t, err)
	requireFault(t, retry(), apierror.Conflict)
	_, err = s.SetStatus(t.Context(), "p", sub.ID, notification.SubscriptionActive)
	require.NoError(t, err)
	require.NoError(t, retry())
	deliver()
	require.Equal(t, 3, attempt(), "it was made")
	require.NoError(t, retry())
	deliver()
	requireFault(t, retry(), apierror.Conflict) // given up
	requireFault(t, s.supervision().RetryNow(t.Context(), "p", sub.ID, uuid.NewString()), apierror.NotFound)
	requireFault(t, s.supervision().RetryNow(t.Context(), "p", uuid.NewString(), e.ID), apierror.NotFound)
}

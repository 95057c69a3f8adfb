package notificationdb_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/notificationtest"
)

// The store keeps what notification.Store and AlertStore promise.
func TestStore(t *testing.T) {
	for name, test := range map[string]func(*testing.T, *notificationdb.Store){
		"subscriptions": subscriptions, "secrets": secrets, "limits": limits, "deliveries": deliveries, "batches": batches,
		"due deliveries and pending deliveries of a user": dueAndPending, "erasure": erasure, "attempts": attempts,
		"slots": slots, "the number of slots": numberOfSlots, "health": health, "failing": failing, "alerts": alerts,
	} {
		t.Run(name, func(t *testing.T) {
			s, _, _, _ := newStore(t)
			test(t, s)
		})
	}
}

func subscriptions(t *testing.T, s *notificationdb.Store) {
	sub := notificationtest.SampleSubscription()
	require.NoError(t, s.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(notificationtest.Noon()), nil))
	got, err := s.Subscription(t.Context(), "p", sub.ID)
	require.NoError(t, err)
	assert.Equal(t, sub, got)
	_, err = s.Subscription(t.Context(), "q", sub.ID)
	require.ErrorIs(t, err, outcome.ErrNotFound, "another partner does not see it")
	others, err := s.Subscriptions(t.Context(), "q")
	require.NoError(t, err)
	assert.Empty(t, others)

	changed := got
	changed.Status, changed.Events = notification.SubscriptionPaused, []string{"webhook.ping"}
	changed.ActiveSince = realNoon().Add(time.Hour)
	require.NoError(t, s.SaveSubscription(t.Context(), changed))
	require.ErrorIs(t, s.SaveSubscription(t.Context(), changed), outcome.ErrChanged)
	got, err = s.Subscription(t.Context(), "p", sub.ID)
	require.NoError(t, err)
	assert.Equal(t, notification.SubscriptionPaused, got.Status)
	assert.Equal(t, []string{"webhook.ping"}, got.Events)
	assert.Equal(t, notificationtest.Noon().Add(time.Hour), got.ActiveSince.Time())

	require.NoError(t, s.DeleteSubscription(t.Context(), got))
	require.NoError(t, s.DeleteSubscription(t.Context(), got), "deleting it again is not an error")
	_, err = s.Subscription(t.Context(), "p", sub.ID)
	require.ErrorIs(t, err, outcome.ErrNotFound)
	_, err = s.Target(t.Context(), "p", sub.ID)
	require.ErrorIs(t, err, outcome.ErrNotFound)
	require.ErrorIs(t, s.SaveSubscription(t.Context(), got), outcome.ErrChanged)
	require.ErrorIs(t, s.SaveSecrets(t.Context(), got, nil, notificationtest.SampleSecret(notificationtest.Noon())), outcome.ErrChanged)
}

func secrets(t *testing.T, s *notificationdb.Store) {
	sub, noon := notificationtest.SampleSubscription(), notificationtest.Noon()
	first, second := notificationtest.SampleSecret(noon), notificationtest.SampleSecret(noon.Add(time.Hour))
	require.NoError(t, s.CreateSubscription(t.Context(), sub, first, nil))
	first.ExpiresAt = realNoon().Add(25 * time.Hour)
	require.NoError(t, s.SaveSecrets(t.Context(), sub, nil, second, first))
	to, err := s.Target(t.Context(), "p", sub.ID)
	require.NoError(t, err)
	got := sub
	got.SecretsVersion = 1
	assert.Equal(t, notification.Target{Subscription: got, Secrets: []notification.Secret{second, first}}, to)

	third := notificationtest.SampleSecret(notificationtest.Noon().Add(2 * time.Hour))
	require.ErrorIs(t, s.SaveSecrets(t.Context(), sub, nil, third), outcome.ErrChanged, "secrets were written since")
	require.ErrorIs(t, s.DeleteSubscription(t.Context(), sub), outcome.ErrChanged, "secrets were written since")
	_, err = s.NoteExhausted(t.Context(), "p", sub.ID, givenUp())
	require.NoError(t, err)
	got.Description = "changed"
	require.NoError(t, s.SaveSubscription(t.Context(), got))
	require.NoError(t, s.SaveSecrets(t.Context(), got, nil, third), "other writes of the subscription do not matter")
	to, err = s.Target(t.Context(), "p", sub.ID)
	require.NoError(t, err)
	got = to.Subscription
	assert.EqualValues(t, 2, got.SecretsVersion)
	assert.Equal(t, []notification.Secret{third, second, first}, to.Secrets)
	require.NoError(t, s.DeleteSubscription(t.Context(), got))
	require.NoError(t, s.DeleteSubscription(t.Context(), got), "deleting it again is not an error")
	list, err := s.Secrets(t.Context(), "p", sub.ID)
	require.NoError(t, err)
	assert.Empty(t, list)
}

func deliveries(t *testing.T, s *notificationdb.Store) {
	sub := notificationtest.SampleSubscription()
	d := notificationtest.SampleDelivery(sub)
	oneDelivery(t, s, sub, d)
	d.DeliveryID = uuid.NewString() // as before deliveries had partitions of their own
	oneDelivery(t, s, sub, d)
}

func oneDelivery(t *testing.T, s *notificationdb.Store, sub notification.Subscription, d notification.Delivery) {
	_, err := s.Delivery(t.Context(), d.DeliveryKey)
	require.ErrorIs(t, err, outcome.ErrNotFound)
	created, err := notificationtest.Create(t.Context(), s, d)
	require.NoError(t, err)
	assert.Equal(t, d, created)
	created.Sends, created.LeaseUntil = 1, realNoon().Add(time.Minute)
	saved, err := s.SaveDelivery(t.Context(), created, true)
	require.NoError(t, err)
	_, err = s.SaveDelivery(t.Context(), created, false)
	require.ErrorIs(t, err, outcome.ErrChanged)
	again, err := notificationtest.Create(t.Context(), s, d)
	require.NoError(t, err)
	assert.Equal(t, saved, again, "an existing delivery does not change")
	require.ErrorIs(t, s.SaveAttempt(t.Context(), sub, created, notification.Attempt{ID: "a"}), outcome.ErrChanged)
	require.NoError(t, s.DeleteDelivery(t.Context(), d.DeliveryKey))
	require.NoError(t, s.DeleteDelivery(t.Context(), d.DeliveryKey))
	_, err = s.SaveDelivery(t.Context(), saved, false)
	require.ErrorIs(t, err, outcome.ErrChanged)
}

func dueAndPending(t *testing.T, s *notificationdb.Store) {
	sub := notificationtest.SampleSubscription()
	d, ended, userless := notificationtest.SampleDelivery(sub), notificationtest.SampleDelivery(sub), notificationtest.SampleDelivery(sub)
	user := owner.User{Partner: "p", ID: "whose"}
	d.User, ended.User, userless.User = user.ID, user.ID, ""
	for _, x := range []notification.Delivery{d, ended, userless} {
		_, err := notificationtest.Create(t.Context(), s, x)
		require.NoError(t, err)
	}
	ended.Status, ended.Payload, ended.WakeAt = notification.DeliveryExhausted, nil, clock.Real(time.Time{})
	_, err := s.SaveDelivery(t.Context(), ended, false)
	require.NoError(t, err)
	ids := func(at time.Time) (ids []string) {
		for shard := range s.DueShards() {
			for x, err := range s.DueDeliveries(t.Context(), shard, at) {
				require.NoError(t, err)
				ids = append(ids, x.DeliveryID)
			}
		}
		return ids
	}
	assert.NotContains(t, ids(d.WakeAt.Add(-time.Millisecond).Time()), d.DeliveryID)
	assert.Contains(t, ids(d.WakeAt.Time()), d.DeliveryID)
	assert.NotContains(t, ids(d.WakeAt.Add(time.Hour).Time()), ended.DeliveryID)
	pending, err := s.PendingDeliveries(t.Context(), user)
	require.NoError(t, err)
	assert.Equal(t, []notification.DeliveryKey{d.DeliveryKey}, pending)
	pending, err = s.PendingDeliveries(t.Context(), owner.User{Partner: "q", ID: user.ID})
	require.NoError(t, err)
	assert.Empty(t, pending)
}

func erasure(t *testing.T, s *notificationdb.Store) {
	erika, max := owner.User{Partner: "p", ID: "erika"}, owner.User{Partner: "p", ID: "max"}
	sub := notificationtest.SampleSubscription()
	sub.PeakLimit = 100
	var want []notification.Attempt
	for n, user := range []owner.UserID{erika.ID, max.ID, ""} {
		d := notificationtest.SampleDelivery(sub)
		d.User = user
		d, err := notificationtest.Create(t.Context(), s, d)
		require.NoError(t, err)
		a := notification.Attempt{ID: fmt.Sprint(n), EventID: d.EventID, StartedAt: realNoon(), Payload: []byte(`{"n":1}`), User: user}
		require.NoError(t, s.SaveAttempt(t.Context(), sub, d, a))
		want = append([]notification.Attempt{a}, want...)
	}
	read := func() []notification.Attempt {
		all, _, err := s.Attempts(t.Context(), sub, 10, "")
		require.NoError(t, err)
		return all
	}
	erase := func(user owner.User) int {
		found, err := s.EraseUser(t.Context(), user)
		require.NoError(t, err)
		return found
	}
	assert.Equal(t, want, read())
	assert.Zero(t, erase(owner.User{Partner: "q", ID: erika.ID}))
	assert.Equal(t, 2, erase(erika), "a delivery and an attempt")
	want[2].Payload, want[2].User = nil, ""
	assert.Equal(t, want, read())
	assert.Zero(t, erase(erika))
	for user, left := range map[owner.User]int{erika: 0, max: 1} {
		pending, err := s.PendingDeliveries(t.Context(), user)
		require.NoError(t, err)
		assert.Len(t, pending, left)
	}
}

func attempts(t *testing.T, s *notificationdb.Store) {
	pagesOfAttempts(t, s, notificationtest.SampleSubscription(), 7)
	busy := notificationtest.SampleSubscription()
	busy.PeakLimit = 100
	pagesOfAttempts(t, s, busy, 30)
}

// pagesOfAttempts saves n attempts of a subscription, of which every third is from before it
// had many slots, and reads them page by page.
func pagesOfAttempts(t *testing.T, s *notificationdb.Store, sub notification.Subscription, n int) {
	d, err := notificationtest.Create(t.Context(), s, notificationtest.SampleDelivery(sub))
	require.NoError(t, err)
	var want []notification.Attempt
	for n := range n {
		a := notification.Attempt{
			ID: fmt.Sprintf("0196f1de-00%02d-7c55-9a0e-3d5c7a1f2b44", n), EventID: d.EventID, EventType: d.EventType,
			Number: 1 + n%3, StartedAt: realNoon(), NextAttemptAt: realNoon().Add(time.Hour),
			Result: notification.Result{
				Outcome: notification.OutcomeHTTPError, HTTPStatus: 500, Detail: "x", Milliseconds: 1000,
			},
		}
		at := sub
		if n%3 == 0 {
			at.PeakLimit = 0
		}
		require.NoError(t, s.SaveAttempt(t.Context(), at, d, a))
		d.Version++
		want = append([]notification.Attempt{a}, want...)
	}
	for _, limit := range []int{1, 3, n, 50} {
		var all []notification.Attempt
		position := ""
		for range n + 1 {
			page, next, err := s.Attempts(t.Context(), sub, limit, position)
			require.NoError(t, err)
			assert.LessOrEqual(t, len(page), limit)
			all = append(all, page...)
			if position = next; next == "" {
				break
			}
		}
		assert.Equal(t, want, all)
	}
	for _, a := range want {
		one, _, err := s.Attempts(t.Context(), sub, 1, a.ID+"~")
		require.NoError(t, err)
		assert.Equal(t, []notification.Attempt{a}, one, "the newest before a position between two IDs")
	}
	sub.Partner = "q"
	none, _, err := s.Attempts(t.Context(), sub, 10, "")
	require.NoError(t, err)
	assert.Empty(t, none)
}

func slots(t *testing.T, s *notificationdb.Store) {
	sub, until := notificationtest.SampleSubscription(), notificationtest.Noon().Add(time.Minute)
	take := func(now time.Time) (int, error) {
		slot, err := s.AcquireSlot(t.Context(), sub, 2, clock.Real(now), clock.Real(now.Add(time.Minute)))
		return slot.Number, err
	}
	first, err := take(notificationtest.Noon())
	require.NoError(t, err)
	second, err := take(notificationtest.Noon())
	require.NoError(t, err)
	assert.NotEqual(t, first, second)
	_, err = take(notificationtest.Noon())
	require.ErrorIs(t, err, outcome.ErrChanged)
	require.NoError(t, s.ReleaseSlot(t.Context(), sub, first, clock.Real(until)))
	_, err = take(notificationtest.Noon().Add(time.Second))
	require.NoError(t, err)
	require.NoError(t, s.ReleaseSlot(t.Context(), sub, first, clock.Real(until)), "somebody else has it by now")
	_, err = take(notificationtest.Noon().Add(time.Second))
	require.ErrorIs(t, err, outcome.ErrChanged)
	_, err = take(until)
	require.NoError(t, err, "an expired slot is free")
	_, err = s.AcquireSlot(t.Context(), notification.Subscription{Partner: "p", ID: uuid.NewString()}, 2, realNoon(), clock.Real(until))
	require.NoError(t, err, "each subscription has its own slots")

	var busy []bool
	for range 5 {
		slot, err := s.AcquireSlot(t.Context(), notification.Subscription{Partner: "q", ID: sub.ID}, 5, realNoon(), clock.Real(until))
		require.NoError(t, err)
		busy = append(busy, slot.Busy)
	}
	assert.Equal(t, []bool{false, false, true, true, true}, busy, "from half on, the new call included")
}

// numberOfSlots checks that the number of slots changes only if nobody has changed it since
// it was read, and together with the peak.
func numberOfSlots(t *testing.T, s *notificationdb.Store) {
	sub := notificationtest.SampleSubscription()
	require.NoError(t, s.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(notificationtest.Noon()), nil))
	numbers := func() []int {
		got, err := s.Subscription(t.Context(), "p", sub.ID)
		require.NoError(t, err)
		changed := got
		changed.Limit, changed.PeakLimit = 0, 0
		require.Equal(t, sub, changed, "nothing else changes")
		return []int{got.Limit, got.PeakLimit}
	}
	assert.Equal(t, []int{0, 0}, numbers())
	require.NoError(t, s.SetLimit(t.Context(), sub, 40))
	require.ErrorIs(t, s.SetLimit(t.Context(), sub, 5), outcome.ErrChanged)
	assert.Equal(t, []int{40, 40}, numbers())
	read := sub
	read.Limit, read.PeakLimit = 40, 40
	require.NoError(t, s.SetLimit(t.Context(), read, 20))
	require.ErrorIs(t, s.SetLimit(t.Context(), read, 50), outcome.ErrChanged)
	assert.Equal(t, []int{20, 40}, numbers())

	changed := sub
	changed.Description = "another"
	require.NoError(t, s.SaveSubscription(t.Context(), changed), "the partner's own changes do not matter")
	sub.Description, sub.Version = "another", sub.Version+1
	assert.Equal(t, []int{20, 40}, numbers(), "and leave the slots as they are")

	require.NoError(t, s.DeleteSubscription(t.Context(), sub))
	require.ErrorIs(t, s.SetLimit(t.Context(), sub, 5), outcome.ErrChanged)
	_, err := s.Subscription(t.Context(), "p", sub.ID)
	require.ErrorIs(t, err, outcome.ErrNotFound, "it does not come back")
}

// givenUp is the result of a last attempt.
func givenUp() notification.Result {
	return notification.Result{Outcome: notification.OutcomeHTTPError, HTTPStatus: 502, Detail: "the status is 502, not 200"}
}

func health(t *testing.T, s *notificationdb.Store) {
	sub := notificationtest.SampleSubscription()
	require.NoError(t, s.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(notificationtest.Noon()), nil))
	for n := range 3 {
		got, err := s.NoteExhausted(t.Context(), "p", sub.ID, givenUp())
		require.NoError(t, err)
		assert.Equal(t, n+1, got.Exhausted)
	}
	require.NoError(t, s.SaveSubscription(t.Context(), sub), "counting does not change the version")
	require.NoError(t, s.NoteAcknowledged(t.Context(), "p", sub.ID, realNoon().Add(time.Minute)))
	got, err := s.Subscription(t.Context(), "p", sub.ID)
	require.NoError(t, err)
	assert.Zero(t, got.Exhausted)
	assert.Equal(t, notificationtest.Noon().Add(time.Minute), got.AcknowledgedAt.Time())
	got.Status = notification.SubscriptionDisabled
	require.NoError(t, s.NoteAcknowledged(t.Context(), "p", sub.ID, realNoon().Add(2*time.Hour)))
	require.ErrorIs(t, s.SaveSubscription(t.Context(), got), outcome.ErrChanged, "a receiver that answers again is not disabled")
	healthy := notificationtest.SampleSubscription()
	require.NoError(t, s.CreateSubscription(t.Context(), healthy, notificationtest.SampleSecret(notificationtest.Noon()), nil))
	require.NoError(t, s.NoteAcknowledged(t.Context(), "p", healthy.ID, realNoon().Add(time.Minute)))
	got, err = s.Subscription(t.Context(), "p", healthy.ID)
	require.NoError(t, err)
	assert.Equal(t, realNoon().Add(time.Minute), got.AcknowledgedAt, "the first acknowledgement of a healthy subscription")
	_, err = s.NoteExhausted(t.Context(), "p", uuid.NewString(), givenUp())
	require.ErrorIs(t, err, outcome.ErrNotFound)
	require.NoError(t, s.NoteAcknowledged(t.Context(), "p", uuid.NewString(), realNoon()))
}

// failing checks that a subscription begins to fail once, together with the delivery that is
// given up, until an acknowledgement.
func failing(t *testing.T, s *notificationdb.Store) {
	sub, gone := notificationtest.SampleSubscription(), notificationtest.SampleSubscription()
	require.NoError(t, s.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(notificationtest.Noon()), nil))
	want := sub
	want.FailingSince, want.FailingReason, want.FailingDetail = realNoon(), notification.OutcomeTimeout, "timed out"
	give := func(sub notification.Subscription) (notification.Delivery, error) {
		d, err := notificationtest.Create(t.Context(), s, notificationtest.SampleDelivery(sub))
		require.NoError(t, err)
		ended := d
		ended.Status = notification.DeliveryExhausted
		id := uuid.Must(uuid.NewV7()).String()
		err = s.SaveFailing(t.Context(), sub, ended, notification.Attempt{ID: id, StartedAt: realNoon()}, outbox.Event{ID: id})
		return d, err
	}
	saved := func(d notification.Delivery) (notification.DeliveryStatus, notification.Subscription) {
		d, err := s.Delivery(t.Context(), d.DeliveryKey)
		require.NoError(t, err)
		sub, err := s.Subscription(t.Context(), "p", sub.ID)
		require.NoError(t, err)
		return d.Status, sub
	}
	d, err := give(want)
	require.NoError(t, err)
	status, got := saved(d)
	assert.Equal(t, notification.DeliveryExhausted, status)
	want.Exhausted = 1
	assert.Equal(t, want, got, "nothing else changes")
	stale := want
	stale.FailingSince = realNoon().Add(time.Hour)
	d, err = give(stale)
	require.ErrorIs(t, err, notification.ErrNotWell)
	status, got = saved(d)
	assert.Equal(t, notification.DeliveryPending, status, "nothing is saved")
	assert.Equal(t, want, got)
	_, err = give(gone)
	require.ErrorIs(t, err, notification.ErrNotWell)

	got, err = s.NoteExhausted(t.Context(), "p", sub.ID, givenUp())
	require.NoError(t, err)
	want.Exhausted, want.FailingReason, want.FailingDetail = 2, givenUp().Outcome, givenUp().Detail
	assert.Equal(t, want, got, "it fails since then, for the latest reason")
	want.Status, want.Reason = notification.SubscriptionDisabled, notification.ReasonTooManyFailures
	require.NoError(t, s.SaveSubscription(t.Context(), want, outbox.Event{ID: uuid.NewString()}))
	require.ErrorIs(t, s.SaveSubscription(t.Context(), want, outbox.Event{ID: uuid.NewString()}), outcome.ErrChanged)
	want.Version++
	_, got = saved(d)
	assert.Equal(t, want, got)

	require.NoError(t, s.NoteAcknowledged(t.Context(), "p", sub.ID, realNoon()))
	_, got = saved(d)
	assert.Zero(t, got.FailingSince)
	assert.Empty(t, got.FailingReason+notification.Outcome(got.FailingDetail))
	assert.Zero(t, got.Exhausted)
	_, err = give(stale)
	require.NoError(t, err, "it fails again")
}

// alerts checks that one caller leases the mail about a failure, and that it is noted.
func alerts(t *testing.T, s *notificationdb.Store) {
	sub := notificationtest.SampleSubscription()
	require.NoError(t, s.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(notificationtest.Noon()), nil))
	read := func() notification.Subscription {
		got, err := s.Subscription(t.Context(), "p", sub.ID)
		require.NoError(t, err)
		return got
	}
	failing := sub
	failing.FailingSince = realNoon()
	require.ErrorIs(t, s.LeaseAlert(t.Context(), failing, realNoon()), outcome.ErrChanged, "it does not fail")
	d, err := notificationtest.Create(t.Context(), s, notificationtest.SampleDelivery(sub))
	require.NoError(t, err)
	require.NoError(t, s.SaveFailing(t.Context(), failing, d, notification.Attempt{ID: "a"}, outbox.Event{ID: uuid.NewString()}))

	first := read()
	require.NoError(t, s.LeaseAlert(t.Context(), first, realNoon().Add(time.Minute)))
	require.ErrorIs(t, s.LeaseAlert(t.Context(), first, realNoon().Add(time.Minute)), outcome.ErrChanged, "it is leased")
	leased := read()
	assert.Equal(t, notificationtest.Noon().Add(time.Minute), leased.AlertLease.Time())
	require.NoError(t, s.LeaseAlert(t.Context(), leased, realNoon().Add(time.Hour)), "by somebody who knows of the lease")
	require.NoError(t, s.NoteAlerted(t.Context(), leased, realNoon()))
	want := first
	want.AlertedAt, want.AlertLease = realNoon(), realNoon().Add(time.Hour)
	assert.Equal(t, want, read(), "nothing else changes")
	require.ErrorIs(t, s.LeaseAlert(t.Context(), first, realNoon()), outcome.ErrChanged, "by somebody who read it before")
	require.NoError(t, s.DeleteSubscription(t.Context(), want))
	require.ErrorIs(t, s.LeaseAlert(t.Context(), want, realNoon()), outcome.ErrChanged)
	require.NoError(t, s.NoteAlerted(t.Context(), want, realNoon()))
	_, err = s.Subscription(t.Context(), "p", sub.ID)
	require.ErrorIs(t, err, outcome.ErrNotFound, "it does not come back")
}

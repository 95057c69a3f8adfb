package notificationdb_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/notificationtest"
	"aviso/localstack/tests/testenv"
)

// The golden items are built from the values below; see testenv.Golden.

// openSealer seals with the binding only, so that its output never varies.
type openSealer struct{}

func (openSealer) Seal(plain []byte, binding string) []byte {
	return append([]byte("sealed for "+binding+": "), plain...)
}

func (openSealer) Open(sealed []byte, binding string) ([]byte, error) {
	plain, ok := bytes.CutPrefix(sealed, []byte("sealed for "+binding+": "))
	if !ok {
		return nil, errors.New("sealed for something else")
	}
	return plain, nil
}

// Reseal leaves everything as it is.
func (s openSealer) Reseal(sealed []byte, binding string) ([]byte, error) {
	_, err := s.Open(sealed, binding)
	return nil, err
}

func realNoon() clock.Real { return clock.Real(notificationtest.Noon()) }

func later(minutes int) clock.Real { return realNoon().Add(time.Duration(minutes) * time.Minute) }

// goldenSubscriptions returns one with every member set, one that is saved after it
// was created, and one without optional members.
func goldenSubscriptions() (full, saved, bare notification.Subscription) {
	full = notification.Subscription{
		ID: "full", Partner: "p", ServerURL: "https://partner.example/hook",
		Events: []string{"webhook.ping", "user.erased"}, Description: "d",
		Status: notification.SubscriptionDisabled, Reason: notification.ReasonTooManyFailures, CreatedAt: later(1),
		UpdatedAt:   later(2),
		ActiveSince: later(3), Exhausted: 20, AcknowledgedAt: later(4), Version: 5, KeepsAnswers: true,
	}
	saved = full
	saved.ID, saved.Description, saved.Reason = "saved", "", ""
	saved.FailingSince, saved.FailingReason, saved.FailingDetail = later(6), notification.OutcomeHTTPError, "status 500"
	saved.AlertedAt, saved.AlertLease = later(7), later(8)
	bare = notification.Subscription{
		ID: "bare", Partner: "p", Status: notification.SubscriptionActive, CreatedAt: later(1),
	}
	return full, saved, bare
}

// goldenSecrets returns the secrets of the full subscription, newest first.
func goldenSecrets() []notification.Secret {
	return []notification.Secret{
		{ID: "newest", Key: "whsec_b", CreatedAt: later(2)},
		{ID: "full", Key: "whsec_a", CreatedAt: later(1), ExpiresAt: later(60), Revoked: true},
	}
}

// goldenDeliveries returns one with every member set, one without optional members,
// and one that was given up.
func goldenDeliveries() (full, bare, ended notification.Delivery) {
	key := func(id string) notification.DeliveryKey {
		return notification.DeliveryKey{Partner: "p", SubscriptionID: "full", DeliveryID: id}
	}
	full = notification.Delivery{
		DeliveryKey: key("full"), User: "u", EventID: "e", EventType: "webhook.ping", Payload: []byte(`{"a":1}`),
		Status:    notification.DeliveryPending,
		CreatedAt: later(1), Attempt: 2, NextAttemptAt: clock.OfUser(later(2)), Sends: 1, LeaseUntil: later(3), WakeAt: later(4),
		Attempts: goldenAttempts()[1:], Version: 1,
	}
	bare = notification.Delivery{DeliveryKey: key("bare"), Status: notification.DeliveryPending, CreatedAt: later(1)}
	ended = notification.Delivery{
		DeliveryKey: key("ended"), User: "u", EventID: "e", EventType: "webhook.ping",
		Status: notification.DeliveryExhausted,
		Reason: notification.ReasonAttemptsUsed, CreatedAt: later(1), Attempt: 9,
	}
	return full, bare, ended
}

// goldenBusy returns the bare subscription when it has many slots, and a delivery to it.
func goldenBusy() (busy notification.Subscription, own notification.Delivery) {
	_, _, busy = goldenSubscriptions()
	busy.Limit, busy.PeakLimit = 40, 40
	_, own, _ = goldenDeliveries()
	own.SubscriptionID, own.DeliveryID, own.Peers = busy.ID, notification.DeliveryID(busy.ID, "e"), 3
	return busy, own
}

// goldenAttempts returns attempts, newest first.
func goldenAttempts() []notification.Attempt {
	return []notification.Attempt{
		{ID: "2", StartedAt: later(2)},
		{
			ID: "1", EventID: "e", EventType: "webhook.ping", Number: 1, StartedAt: later(1), NextAttemptAt: later(5),
			Result: notification.Result{
				Outcome: notification.OutcomeHTTPError, HTTPStatus: 500, Detail: "status 500", Milliseconds: 120,
			},
		},
	}
}

// goldenKept returns an attempt of the full subscription that keeps what was sent.
func goldenKept() notification.Attempt {
	return notification.Attempt{ID: "3", StartedAt: later(3), Payload: []byte(`{"a":1}`), User: "w"}
}

func TestGoldenItemsAreWritten(t *testing.T) {
	ctx, table, outboxTable := t.Context(), testenv.Table(t, "NotificationTable"), testenv.Table(t, "OutboxTable")
	ids := []string{"alert", "wake", "wake"}
	newID := func() string {
		defer func() { ids = ids[1:] }()
		return ids[0]
	}
	store := notificationdb.New(testenv.DynamoDB(t), table, outboxTable, openSealer{}, notificationtest.Noon, newID)

	full, saved, bare := goldenSubscriptions()
	secrets := goldenSecrets()
	require.NoError(t, store.CreateSubscription(ctx, full, secrets[1], nil))
	require.NoError(t, store.SaveSecrets(ctx, full, nil, secrets[0]))
	require.NoError(t, store.CreateSubscription(ctx, bare, secrets[0], nil))
	saved.Version, saved.AcknowledgedAt = 4, clock.Real{}
	first := notification.Subscription{ID: saved.ID, Partner: "p", Exhausted: 18, CreatedAt: later(1), Version: 4}
	require.NoError(t, store.CreateSubscription(ctx, first, secrets[0], nil))
	require.NoError(t, store.SaveSubscription(ctx, saved))
	require.NoError(t, store.NoteAcknowledged(ctx, "p", saved.ID, later(4)))
	_, _, given := goldenDeliveries()
	given.SubscriptionID, given.DeliveryID = saved.ID, "given"
	_, err := notificationtest.Create(ctx, store, given)
	require.NoError(t, err)
	last := goldenAttempts()[1]
	require.NoError(t, store.SaveFailing(ctx, saved, given, last, outbox.Event{
		ID: "failing", Type: notification.EventSubscriptionFailing, OccurredAt: clock.OfUser(later(6)), Partner: "p",
		Data: []byte(`{"a":1}`), ExceptSubscriptionID: saved.ID,
	}))
	require.NoError(t, store.NoteAlerted(ctx, saved, later(7)))
	require.NoError(t, store.LeaseAlert(ctx, notification.Subscription{
		Partner: "p", ID: saved.ID, FailingSince: saved.FailingSince,
	}, later(8)))
	for range 19 {
		_, err := store.NoteExhausted(ctx, "p", saved.ID, last.Result)
		require.NoError(t, err)
	}

	pending, waiting, ended := goldenDeliveries()
	pending.Version = -1 // two writes follow
	for _, d := range []notification.Delivery{pending, waiting, ended} {
		_, err := notificationtest.Create(ctx, store, d)
		require.NoError(t, err)
	}
	attempts := goldenAttempts()
	require.NoError(t, store.SaveAttempt(ctx, full, pending, attempts[1]))
	pending.Version++
	_, err = store.SaveDelivery(ctx, pending, true)
	require.NoError(t, err)
	other := waiting
	other.DeliveryID, other.Status = "acknowledged", notification.DeliveryAcknowledged
	_, err = notificationtest.Create(ctx, store, other)
	require.NoError(t, err)
	require.NoError(t, store.SaveAttempt(ctx, full, other, attempts[0]))
	other.DeliveryID = "kept"
	_, err = notificationtest.Create(ctx, store, other)
	require.NoError(t, err)
	require.NoError(t, store.SaveAttempt(ctx, full, other, goldenKept()))

	busy, own := goldenBusy()
	require.NoError(t, store.SetLimit(ctx, bare, busy.Limit))
	_, err = notificationtest.Create(ctx, store, own)
	require.NoError(t, err)
	for _, a := range attempts { // one in each of two shards
		require.NoError(t, store.SaveAttempt(ctx, busy, own, a))
		own.Version++
	}

	for range 2 {
		_, err := store.AcquireSlot(ctx, full, 2, later(0), later(1))
		require.NoError(t, err)
	}
	require.NoError(t, store.PutEvent(ctx, outbox.Event{
		ID: "event", Type: "webhook.ping", OccurredAt: clock.OfUser(later(1)), Partner: "p", User: "u", Data: []byte(`{"a":1}`),
		IsSimulated: true, SubscriptionID: full.ID,
	}, nil))
	testenv.Golden(t, map[string]string{"NotificationTable": table, "OutboxTable": outboxTable})
}

func TestGoldenItemsAreRead(t *testing.T) {
	ctx := t.Context()
	store := notificationdb.New(testenv.DynamoDB(t), testenv.GoldenTable(t, "NotificationTable"), "no outbox",
		openSealer{}, notificationtest.Noon, nil)

	full, saved, _ := goldenSubscriptions()
	busy, own := goldenBusy()
	full.SecretsVersion = 1
	to, err := store.Target(ctx, "p", full.ID)
	require.NoError(t, err)
	assert.Equal(t, notification.Target{Subscription: full, Secrets: goldenSecrets()}, to)
	all, err := store.Subscriptions(ctx, "p")
	require.NoError(t, err)
	assert.Equal(t, []notification.Subscription{busy, full, saved}, all)
	resealed, err := store.ResealSecrets(ctx, openSealer{})
	require.NoError(t, err)
	assert.Equal(t, notificationdb.Resealed{Secrets: 4}, resealed)

	pending, waiting, ended := goldenDeliveries()
	own.Version = 2
	for _, want := range []notification.Delivery{pending, waiting, ended, own} {
		got, err := store.Delivery(ctx, want.DeliveryKey)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	assert.ElementsMatch(t, []notification.Delivery{waiting, pending, own}, dueDeliveries(t, store, later(4).Time()))
	keys, err := store.PendingDeliveries(ctx, owner.User{Partner: "p", ID: "u"})
	require.NoError(t, err)
	assert.Equal(t, []notification.DeliveryKey{pending.DeliveryKey}, keys)
	for _, s := range []notification.Subscription{full, busy} {
		want := goldenAttempts()
		if s.ID == full.ID {
			want = append([]notification.Attempt{goldenKept()}, want...)
		}
		attempts, _, err := store.Attempts(ctx, s, 10, "")
		require.NoError(t, err)
		assert.Equal(t, want, attempts)
	}
	for _, user := range []owner.UserID{pending.User, goldenKept().User} {
		found, err := store.EraseUser(ctx, owner.User{Partner: "p", ID: user})
		require.NoError(t, err)
		assert.Equal(t, 1, found)
	}

	_, err = store.AcquireSlot(ctx, full, 2, later(0), later(1))
	require.ErrorIs(t, err, outcome.ErrChanged, "both are taken")
	require.NoError(t, store.ReleaseSlot(ctx, full, 1, later(1)))
	slot, err := store.AcquireSlot(ctx, full, 2, later(0), later(1))
	require.NoError(t, err)
	assert.Equal(t, 1, slot.Number)
}

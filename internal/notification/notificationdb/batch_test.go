package notificationdb_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/outcome"
	"aviso/localstack/tests/notificationtest"
	"aviso/localstack/tests/testenv"
)

// Deliveries are read and acknowledged together, and each as if it were alone.
func batches(t *testing.T, s *notificationdb.Store) {
	sub := notificationtest.SampleSubscription()
	created := make([]notification.Delivery, 80)
	for i := range created {
		d := notificationtest.SampleDelivery(sub)
		d.User, d.Payload = "", make([]byte, 30_000)
		var err error
		created[i], err = notificationtest.Create(t.Context(), s, d)
		require.NoError(t, err)
	}
	missing := notificationtest.SampleDelivery(sub)
	together(t, len(created)+1, func(i int) error {
		if i == len(created) {
			_, err := s.FetchDelivery(t.Context(), notification.Delivery{DeliveryKey: missing.DeliveryKey})
			assert.ErrorIs(t, err, outcome.ErrNotFound)
			return nil
		}
		m := created[i]
		m.Payload = []byte("of the message")
		d, err := s.FetchDelivery(t.Context(), m)
		assert.Equal(t, created[i], d, "what is stored counts")
		return err
	})

	together(t, len(created), func(i int) error { // and each by two workers
		for range 2 {
			d := created[i]
			d.Status, d.Payload, d.User = notification.DeliveryAcknowledged, nil, ""
			a := notification.Attempt{ID: uuid.NewString(), EventID: d.EventID, StartedAt: realNoon()}
			if err := s.SaveAcknowledged(t.Context(), sub, d, a); err != nil {
				return err
			}
		}
		return nil
	})
	attempts, _, err := s.Attempts(t.Context(), sub, 1000, "")
	require.NoError(t, err)
	assert.Len(t, attempts, 2*len(created))
	for _, d := range created {
		_, err := s.SaveDelivery(t.Context(), d, false)
		require.ErrorIs(t, err, outcome.ErrChanged, "the acknowledgement stands")
	}
}

// A worker that has read what another one wrote meanwhile cannot undo an acknowledgement either.
func TestAnAcknowledgementStands(t *testing.T) {
	s, _, _, _ := newStore(t)
	sub := notificationtest.SampleSubscription()
	first := notificationtest.SampleDelivery(sub)
	first.User = ""
	waiting, err := notificationtest.Create(t.Context(), s, first)
	require.NoError(t, err)
	acknowledged := first
	acknowledged.Status = notification.DeliveryAcknowledged
	require.NoError(t, s.SaveAcknowledged(t.Context(), sub, acknowledged, notification.Attempt{ID: "a", StartedAt: realNoon()}))
	_, err = s.SaveDelivery(t.Context(), waiting, false)
	require.ErrorIs(t, err, outcome.ErrChanged)
	got, err := s.FetchDelivery(t.Context(), first)
	require.NoError(t, err)
	assert.Equal(t, notification.DeliveryAcknowledged, got.Status, "of a message that comes again")
}

// The message of a first attempt has the delivery, unless its user has been erased.
func TestAFirstMessageOfAnErasedUser(t *testing.T) {
	s, db, table, _ := newStore(t)
	identity := testenv.Table(t, "IdentityTable")
	s.RequireUsers(identity)
	there, erased := notificationtest.SampleDelivery(notificationtest.SampleSubscription()), notificationtest.SampleDelivery(
		notificationtest.SampleSubscription())
	erased.User = "erased"
	require.NoError(t, dynamo.NewTable(db, identity).Put(t.Context(), dynamo.UserKey(there.Owner()), struct{}{}))
	got, err := s.FetchDelivery(t.Context(), there)
	require.NoError(t, err)
	assert.Equal(t, there, got)
	_, err = s.FetchDelivery(t.Context(), erased)
	require.ErrorIs(t, err, outcome.ErrNotFound)

	// The erasure may also come later.
	require.ErrorIs(t, s.CreateDelivery(t.Context(), erased), outcome.ErrChanged)
	require.ErrorIs(t, s.SaveAttempt(t.Context(), notification.Subscription{}, erased, notification.Attempt{ID: "a"}), outcome.ErrChanged)
	a := notification.Attempt{ID: "a", User: erased.User, Payload: erased.Payload}
	erased.User = ""
	require.ErrorIs(t, s.SaveAttempt(t.Context(), notification.Subscription{}, erased, a), outcome.ErrChanged)
	rows, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	require.NoError(t, err)
	assert.Empty(t, rows.Items)
}

// An event leaves the outbox with the last of its deliveries that is stored.
func TestAnEventIsKeptUntilItsDeliveriesAreStored(t *testing.T) {
	s, db, _, table := newStore(t)
	one, other := notificationtest.SampleSubscription(), notificationtest.SampleSubscription()
	require.NoError(t, s.PutEvent(t.Context(), outbox.Event{ID: "event", Type: "webhook.ping", Partner: "p"}, nil))
	kept := func() int {
		rows, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
		require.NoError(t, err)
		return len(rows.Items)
	}
	var messages []notification.Delivery
	for _, to := range [][]notification.Subscription{{one, other}, {other, one}} {
		d := notificationtest.SampleDelivery(to[0])
		d.User, d.EventID, d.DeliveryID, d.Others = "", "event", notification.DeliveryID(to[0].ID, "event"), []string{to[1].ID}
		messages = append(messages, d)
	}
	require.NoError(t, s.Settle(t.Context(), notification.Delivery{DeliveryKey: messages[0].DeliveryKey}))
	require.NoError(t, s.CreateDelivery(t.Context(), messages[0]))
	require.NoError(t, s.Settle(t.Context(), messages[0]))
	assert.Equal(t, 1, kept())
	require.NoError(t, s.CreateDelivery(t.Context(), messages[1]))
	together(t, 2, func(i int) error { return s.Settle(t.Context(), messages[i]) })
	assert.Zero(t, kept())
}

package notificationdb_test

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/outcome"
	"aviso/localstack/stack/memdb"
	"aviso/localstack/tests/notificationtest"
)

// A lease whose answer is lost is tried again, and must not be taken for another worker's: the delivery
// would wait until it ends.
func TestLeaseThatIsTriedAgain(t *testing.T) {
	s, db, table, outbox := newStore(t)
	d, err := s.CreateDelivery(t.Context(), notificationtest.SampleDelivery(notificationtest.SampleSubscription()))
	require.NoError(t, err)
	again := memdb.Intercept(func(ctx context.Context, _ any, next func(context.Context) (any, error)) (any, error) {
		if _, err := next(ctx); err != nil {
			return nil, err
		}
		return next(ctx)
	})
	db = dynamodb.New(db.Options(), func(o *dynamodb.Options) { o.APIOptions = append(o.APIOptions, again) })
	s = notificationdb.New(db, table, outbox, openSealer{}, notificationtest.Noon, uuid.NewString)
	until := realNoon().Add(time.Minute)
	got, leased, err := s.LeaseDelivery(t.Context(), d.DeliveryKey, realNoon(), until)
	require.NoError(t, err)
	assert.True(t, leased)
	assert.Equal(t, until, got.LeaseUntil)
	_, leased, err = s.LeaseDelivery(t.Context(), d.DeliveryKey, realNoon(), until)
	require.NoError(t, err)
	assert.False(t, leased, "another worker's of the same moment")
}

// leases checks that a lease is taken once, and only for a first start that is due and for which
// nobody is to be woken before it ends.
func leases(t *testing.T, s *notificationdb.Store) {
	sub, until := notificationtest.SampleSubscription(), notificationtest.Noon().Add(time.Minute)
	create := func(change func(*notification.Delivery)) notification.Delivery {
		d := notificationtest.SampleDelivery(sub)
		change(&d)
		d, err := s.CreateDelivery(t.Context(), d)
		require.NoError(t, err)
		return d
	}
	d := create(func(*notification.Delivery) {})
	want := d
	want.Sends, want.LeaseUntil, want.Version = 1, clock.Real(until), d.Version+1
	for _, leases := range []bool{true, false} {
		got, leased, err := s.LeaseDelivery(t.Context(), d.DeliveryKey, realNoon(), clock.Real(until))
		require.NoError(t, err)
		assert.Equal(t, leases, leased)
		assert.Equal(t, want, got)
	}
	read, err := s.Delivery(t.Context(), d.DeliveryKey)
	require.NoError(t, err)
	assert.Equal(t, want, read)

	for name, change := range map[string]func(*notification.Delivery){
		"is not due": func(d *notification.Delivery) {
			d.NextAttemptAt = clock.OfUser(notificationtest.Noon().Add(time.Millisecond))
		},
		"is over":             func(d *notification.Delivery) { d.Status = notification.DeliveryAcknowledged },
		"was started before":  func(d *notification.Delivery) { d.Sends = 1 },
		"is to be woken soon": func(d *notification.Delivery) { d.WakeAt = clock.Real(until.Add(-time.Millisecond)) },
	} {
		d := create(change)
		got, leased, err := s.LeaseDelivery(t.Context(), d.DeliveryKey, realNoon(), clock.Real(until))
		require.NoError(t, err, name)
		assert.False(t, leased, name)
		assert.Equal(t, d, got, name)
	}
	_, _, err = s.LeaseDelivery(t.Context(), notificationtest.SampleDelivery(sub).DeliveryKey, realNoon(), clock.Real(until))
	require.ErrorIs(t, err, outcome.ErrNotFound)
}

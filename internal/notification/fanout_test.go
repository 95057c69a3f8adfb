package notification_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationtest"
)

// Deliveries had UUIDs of version 5 while they shared the partition of their subscription.
func TestEventThatWasFannedOutBeforeDeliveriesHadPartitions(t *testing.T) {
	for name, test := range map[string]struct {
		status notification.DeliveryStatus
		wakes  int
	}{
		"the old delivery is woken":                   {notification.DeliveryPending, 1},
		"nothing happens if it has been acknowledged": {notification.DeliveryAcknowledged, 0},
	} {
		t.Run(name, func(t *testing.T) {
			soon := func() time.Time { return notificationtest.Noon().Add(2 * time.Minute) }
			store, sub := newStore(t, soon), notificationtest.SampleSubscription()
			require.NoError(t, store.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(notificationtest.Noon())))
			e := outbox.Event{ID: uuid.NewString(), Type: "webhook.ping", Partner: "p", OccurredAt: clock.OfUser(notificationtest.Noon())}
			old := notificationtest.SampleDelivery(sub)
			old.EventID, old.Status = e.ID, test.status
			old.DeliveryID = uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://aviso.example/deliveries/"+sub.ID+"/"+e.ID)).String()
			_, err := store.CreateDelivery(t.Context(), old)
			require.NoError(t, err)

			woken, err := notification.NewFanOut(store, "test", soon).Dispatch(t.Context(), e)
			require.NoError(t, err)
			second := old.DeliveryKey
			second.DeliveryID = notification.DeliveryID(sub.ID, e.ID)
			_, err = store.Delivery(t.Context(), second)
			require.ErrorIs(t, err, outcome.ErrNotFound)
			assert.Len(t, woken, test.wakes)
			for _, k := range woken {
				assert.Equal(t, old.DeliveryKey, k)
			}
			found, err := notification.NewSupervision(store, soon).Delivery(t.Context(), "p", sub.ID, e.ID)
			require.NoError(t, err)
			assert.Equal(t, old.DeliveryID, found.DeliveryID)
		})
	}
}

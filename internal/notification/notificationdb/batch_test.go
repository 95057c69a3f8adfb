package notificationdb_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/outcome"
	"aviso/localstack/tests/notificationtest"
)

// Deliveries are created, read and acknowledged together, and each as if it were alone.
func batches(t *testing.T, s *notificationdb.Store) {
	sub := notificationtest.SampleSubscription()
	all := make([]notification.Delivery, 80)
	for i := range all {
		all[i] = notificationtest.SampleDelivery(sub)
		all[i].Payload = make([]byte, 30_000)
	}
	known, err := notificationtest.Create(t.Context(), s, all[7])
	require.NoError(t, err)
	known.Payload = []byte("{}")
	known, err = s.SaveDelivery(t.Context(), known, false)
	require.NoError(t, err)
	created, errs := s.CreateDeliveries(t.Context(), all)
	for i := range all {
		require.NoError(t, errs[i])
		if i == 7 {
			assert.Equal(t, known, created[i], "an existing delivery does not change")
		} else {
			assert.Equal(t, all[i], created[i])
		}
	}

	missing := notificationtest.SampleDelivery(sub)
	together(t, len(all)+1, func(i int) error {
		if i == len(all) {
			_, err := s.FetchDelivery(t.Context(), missing.DeliveryKey)
			assert.ErrorIs(t, err, outcome.ErrNotFound)
			return nil
		}
		d, err := s.FetchDelivery(t.Context(), all[i].DeliveryKey)
		assert.Equal(t, created[i], d)
		return err
	})

	together(t, len(all), func(i int) error { // and each by two workers
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
	assert.Len(t, attempts, 2*len(all))
	for _, d := range created {
		_, err := s.SaveDelivery(t.Context(), d, false)
		require.ErrorIs(t, err, outcome.ErrChanged, "the acknowledgement stands")
	}
}

package notificationdb_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/keyring"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/notification/notificationtest"
	"aviso/localstack/testenv"
)

func newStore(t *testing.T) (s *notificationdb.Store, db *dynamodb.Client, table, outbox string) {
	t.Helper()
	keys, err := keyring.Root{Current: "root of the sealing keys of the tests"}.Sealer("webhook")
	require.NoError(t, err)
	db, table, outbox = testenv.DynamoDB(t), testenv.Table(t, "NotificationTable"), testenv.Table(t, "OutboxTable")
	return notificationdb.New(db, table, outbox, keys, notificationtest.Noon, uuid.NewString), db, table, outbox
}

func TestStore(t *testing.T) {
	s, _, _, _ := newStore(t)
	notificationtest.Contract(t, s)
}

func TestKeysAreSealed(t *testing.T) {
	s, db, table, _ := newStore(t)
	sub, secret := notificationtest.SampleSubscription(), notificationtest.SampleSecret(notificationtest.Noon())
	require.NoError(t, s.CreateSubscription(t.Context(), sub, secret))
	out, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	require.NoError(t, err)
	require.Len(t, out.Items, 2)
	for _, item := range out.Items {
		for name, value := range item {
			if b, ok := bytesOf(value); ok {
				assert.NotContains(t, string(b), "MDEyMzQ1", name)
			}
		}
	}
}

func TestWakeIsPartOfTheTransaction(t *testing.T) {
	s, db, _, outbox := newStore(t)
	d, err := s.CreateDelivery(t.Context(), notificationtest.SampleDelivery(notificationtest.SampleSubscription()))
	require.NoError(t, err)
	count := func() int {
		out, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: &outbox})
		require.NoError(t, err)
		return len(out.Items)
	}
	saved, err := s.SaveDelivery(t.Context(), d, true)
	require.NoError(t, err)
	assert.Equal(t, 1, count())
	_, err = s.SaveDelivery(t.Context(), d, true)
	require.Error(t, err)
	assert.Equal(t, 1, count(), "a refused write wakes nothing")
	_, err = s.SaveDelivery(t.Context(), saved, false)
	require.NoError(t, err)
	assert.Equal(t, 1, count())
}

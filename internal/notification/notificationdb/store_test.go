package notificationdb_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/notification/notificationdb"
	"aviso/internal/outcome"
	"aviso/internal/secret/keyring"
	"aviso/localstack/tests/notificationtest"
	"aviso/localstack/tests/testenv"
)

func newStore(t *testing.T) (s *notificationdb.Store, db *dynamodb.Client, table, outbox string) {
	t.Helper()
	keys, err := keyring.Root{Current: "root of the sealing keys of the tests"}.Sealer("webhook")
	require.NoError(t, err)
	db, table, outbox = testenv.DynamoDB(t), testenv.Table(t, "NotificationTable"), testenv.Table(t, "OutboxTable")
	return notificationdb.New(db, table, outbox, keys, notificationtest.Noon, uuid.NewString), db, table, outbox
}

func TestKeysAreSealed(t *testing.T) {
	s, db, table, _ := newStore(t)
	sub, secret := notificationtest.SampleSubscription(), notificationtest.SampleSecret(notificationtest.Noon())
	require.NoError(t, s.CreateSubscription(t.Context(), sub, secret, nil))
	out, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	require.NoError(t, err)
	require.Len(t, out.Items, 3)
	for _, item := range out.Items {
		for name, value := range item {
			if b, ok := bytesOf(value); ok {
				assert.NotContains(t, string(b), "MDEyMzQ1", name)
			}
		}
	}
}

// Tables in memory never let transactions conflict; AWS does.
func TestConflictingTransactionsAreLostRaces(t *testing.T) {
	sub, secret := notificationtest.SampleSubscription(), notificationtest.SampleSecret(notificationtest.Noon())
	s, db, table, outbox := newStore(t)
	require.NoError(t, s.CreateSubscription(t.Context(), sub, secret, nil))
	d, err := notificationtest.Create(t.Context(), s, notificationtest.SampleDelivery(sub))
	require.NoError(t, err)
	db = dynamodb.New(db.Options(), testenv.Around(func(call any, next func() (any, error)) (any, error) {
		switch call.(type) {
		case *dynamodb.UpdateItemInput, *dynamodb.PutItemInput:
			return nil, &types.TransactionConflictException{}
		case *dynamodb.TransactWriteItemsInput:
			return nil, &types.TransactionCanceledException{
				CancellationReasons: []types.CancellationReason{{Code: aws.String("TransactionConflict")}},
			}
		}
		return next()
	}))
	s = notificationdb.New(db, table, outbox, openSealer{}, notificationtest.Noon, uuid.NewString)
	require.ErrorIs(t, s.CreateSubscription(t.Context(), notificationtest.SampleSubscription(), secret, nil), outcome.ErrChanged)
	require.ErrorIs(t, s.SaveSubscription(t.Context(), sub), outcome.ErrChanged)
	require.ErrorIs(t, s.SaveSecrets(t.Context(), sub, nil, secret), outcome.ErrChanged)
	require.ErrorIs(t, s.DeleteSubscription(t.Context(), sub), outcome.ErrChanged)
	_, err = s.SaveDelivery(t.Context(), d, false)
	require.ErrorIs(t, err, outcome.ErrChanged)
}

// A row of slots that DynamoDB throttles is as full as one without a free slot. The message must not count as failed.
func TestAThrottledRowHasNoFreeSlot(t *testing.T) {
	_, db, table, outbox := newStore(t)
	for _, refusal := range []error{
		&types.ProvisionedThroughputExceededException{}, &types.ThrottlingException{}, &types.RequestLimitExceeded{},
	} {
		throttled := dynamodb.New(db.Options(), testenv.Around(func(any, func() (any, error)) (any, error) {
			return nil, refusal
		}))
		s := notificationdb.New(throttled, table, outbox, openSealer{}, notificationtest.Noon, uuid.NewString)
		_, err := s.AcquireSlot(t.Context(), notificationtest.SampleSubscription(), 4, realNoon(), realNoon())
		require.ErrorIs(t, err, outcome.ErrChanged)
	}
}

func TestOldSecretsOfADeletedSubscriptionGoToo(t *testing.T) {
	s, db, table, _ := newStore(t)
	sub := notificationtest.SampleSubscription()
	require.NoError(t, s.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(notificationtest.Noon()), nil))
	for range 150 {
		secret := notificationtest.SampleSecret(notificationtest.Noon())
		secret.Revoked, secret.ExpiresAt = true, realNoon()
		require.NoError(t, s.SaveSecrets(t.Context(), sub, nil, secret))
		sub.SecretsVersion++
	}
	_, err := s.AcquireSlot(t.Context(), sub, 4, realNoon(), realNoon())
	require.NoError(t, err)
	require.NoError(t, s.DeleteSubscription(t.Context(), sub))
	out, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	require.NoError(t, err)
	require.Len(t, out.Items, 1, "only the version of the list is left")
}

func TestWakeIsPartOfTheTransaction(t *testing.T) {
	s, db, _, outbox := newStore(t)
	d, err := notificationtest.Create(t.Context(), s, notificationtest.SampleDelivery(notificationtest.SampleSubscription()))
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

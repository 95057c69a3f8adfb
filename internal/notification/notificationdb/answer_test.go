package notificationdb_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/outcome"
	"aviso/internal/secret/keyring"
	"aviso/localstack/tests/notificationtest"
	"aviso/localstack/tests/testenv"
)

func TestAnswersOfProduction(t *testing.T) {
	keys, err := keyring.Root{Current: "root of the sealing keys of the tests"}.Sealer("webhook")
	require.NoError(t, err)
	now := notificationtest.Noon()
	db, table := testenv.DynamoDB(t), testenv.Table(t, "NotificationTable")
	s := notificationdb.New(
		db, table, testenv.Table(t, "OutboxTable"), keys, func() time.Time { return now }, uuid.NewString)
	sub := notificationtest.SampleSubscription()
	d, err := notificationtest.Create(t.Context(), s, notificationtest.SampleDelivery(sub))
	require.NoError(t, err)
	require.NotEmpty(t, d.User, "the delivery is about a user")
	const answer = "HTTP/1.1 500 Oh\n\nno disk"
	a := notification.Attempt{ID: uuid.NewString(), StartedAt: realNoon(), Kept: answer}
	require.NoError(t, s.SaveAttempt(t.Context(), sub, d, a))

	got, err := s.KeptAnswer(t.Context(), sub, a.ID)
	require.NoError(t, err)
	assert.Equal(t, answer, got)
	out, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	require.NoError(t, err)
	for _, item := range out.Items {
		for name, value := range item {
			if b, ok := bytesOf(value); ok {
				assert.NotContains(t, string(b), "no disk", name)
			}
		}
	}
	_, err = s.KeptAnswer(t.Context(), sub, uuid.NewString())
	require.ErrorIs(t, err, outcome.ErrNotFound)

	now = now.Add(notification.KeepAnswer - time.Second)
	_, err = s.KeptAnswer(t.Context(), sub, a.ID)
	require.NoError(t, err)
	now = now.Add(time.Second)
	_, err = s.KeptAnswer(t.Context(), sub, a.ID)
	require.ErrorIs(t, err, outcome.ErrNotFound, "7 days are over")

	now = notificationtest.Noon()
	_, err = s.EraseUser(t.Context(), d.Owner())
	require.NoError(t, err)
	_, err = s.KeptAnswer(t.Context(), sub, a.ID)
	require.ErrorIs(t, err, outcome.ErrNotFound, "it may quote the user's data")
}

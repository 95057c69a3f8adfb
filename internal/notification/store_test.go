package notification_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification/notificationdb"
	"aviso/localstack/stack/memdb"
	"aviso/localstack/tests/notificationtest"
	"aviso/localstack/tests/testenv"
)

// store is a store on tables in memory.
type store struct {
	*notificationdb.Store
	// intercept answers a call of DynamoDB, with what call returns or otherwise. It may be nil.
	intercept func(in any, call func() (any, error)) (any, error)

	db     *dynamodb.Client
	outbox string
}

func newStore(t *testing.T, now func() time.Time) *store {
	t.Helper()
	s := &store{db: testenv.DynamoDB(t), outbox: testenv.Table(t, "OutboxTable")}
	db := dynamodb.New(s.db.Options(), func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, memdb.Intercept(
			func(ctx context.Context, in any, next func(context.Context) (any, error)) (any, error) {
				if s.intercept == nil {
					return next(ctx)
				}
				return s.intercept(in, func() (any, error) { return next(ctx) })
			}))
	})
	s.Store = notificationdb.New(db, testenv.Table(t, "NotificationTable"), s.outbox, notificationtest.Sealer{}, now, uuid.NewString)
	return s
}

// events returns what is in the outbox.
func (s *store) events(t *testing.T) (all []outbox.Event) {
	t.Helper()
	out, err := s.db.Scan(t.Context(), &dynamodb.ScanInput{TableName: &s.outbox})
	require.NoError(t, err)
	for _, row := range out.Items {
		var e outbox.Event
		require.NoError(t, json.Unmarshal([]byte(dynamo.Text(row, "body")), &e))
		all = append(all, e)
	}
	return all
}

// onceBefore does something right before the first transaction.
func (s *store) onceBefore(do func()) {
	done := false
	s.intercept = func(in any, call func() (any, error)) (any, error) {
		if _, ok := in.(*dynamodb.TransactWriteItemsInput); ok && !done {
			done = true
			do()
		}
		return call()
	}
}

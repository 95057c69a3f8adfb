package mailroom_test

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/mailroom/mailroomtest"
	"aviso/internal/sandbox/sandboxdb"
	"aviso/localstack/tests/testenv"
)

// newEnv returns the carriers with an empty table.
func newEnv(t *testing.T) *mailroomtest.Env {
	t.Helper()
	return mailroomtest.New(testenv.DynamoDB(t), testenv.Table(t, "SandboxTable"))
}

func TestStoreInDynamoDB(t *testing.T) {
	now := mailroomtest.Start()
	rows := sandboxdb.New(testenv.DynamoDB(t), testenv.Table(t, "SandboxTable"), func() time.Time { return now })
	contract(t, mailroom.Store{Store: rows}, now)
}

// DynamoDB deletes rows hours after they expire.
func TestExpiredRowsAreNotFound(t *testing.T) {
	now := mailroomtest.Start()
	store := mailroom.Store{Store: sandboxdb.New(testenv.DynamoDB(t), testenv.Table(t, "SandboxTable"), func() time.Time { return now })}
	l := mailroom.Letter{ID: uuid.Must(uuid.NewV7()).String(), CreatedAt: now}
	require.NoError(t, store.Save(t.Context(), l, mailroom.Answer{ID: "key", Request: "one", Forget: now.Add(time.Hour)}))

	now = l.KeepUntil().Add(time.Second)
	_, err := store.Letter(t.Context(), l.ID)
	require.ErrorIs(t, err, outcome.ErrNotFound)
	_, err = sandboxdb.Get(t.Context(), store.Store, mailroom.Answer{ID: "key"})
	require.ErrorIs(t, err, outcome.ErrNotFound)
	all, err := store.Letters(t.Context(), "", 10, nil)
	require.NoError(t, err)
	assert.Empty(t, all)
	assert.NoError(
		t,
		store.Save(t.Context(), mailroom.Answer{ID: "key", Request: "two", Forget: now.Add(time.Hour)}),
		"a new answer takes the place of the expired one",
	)
}

func TestEveryRowExpires(t *testing.T) {
	db, table, now := testenv.DynamoDB(t), testenv.Table(t, "SandboxTable"), mailroomtest.Start()
	store := mailroom.Store{Store: sandboxdb.New(db, table, func() time.Time { return now })}
	require.NoError(t, store.Save(t.Context(),
		mailroom.Letter{ID: "l", CreatedAt: now}, mailroom.Document{LetterID: "l", Forget: now},
		mailroom.Answer{ID: "a", Forget: now}, mailroom.Setting{Carrier: mailroom.Fax, Until: now}))
	all, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	require.NoError(t, err)
	require.Len(t, all.Items, 4)
	for _, item := range all.Items {
		assert.Contains(t, item, "expiresAt")
	}
}

// A query page ends after 1 MB and may contain no letter of the carrier.
func TestListReadsSeveralQueryPages(t *testing.T) {
	now := mailroomtest.Start()
	store := mailroom.Store{Store: sandboxdb.New(testenv.DynamoDB(t), testenv.Table(t, "SandboxTable"), func() time.Time { return now })}
	big := map[string]string{"big": string(make([]byte, 300<<10))}
	fax := mailroom.Letter{ID: uuid.Must(uuid.NewV7()).String(), Carrier: mailroom.Fax, CreatedAt: now}
	require.NoError(t, store.Save(t.Context(), fax))
	for range 5 {
		l := mailroom.Letter{
			ID:        uuid.Must(uuid.NewV7()).String(),
			Carrier:   mailroom.Post,
			CreatedAt: now,
			Faxed:     mailroom.Faxed{Labels: big},
		}
		require.NoError(t, store.Save(t.Context(), l))
	}
	got, err := store.Letters(t.Context(), "", 10, func(l mailroom.Letter) bool { return l.Carrier == mailroom.Fax })
	require.NoError(t, err)
	require.Len(t, got, 1)
	assert.Equal(t, fax.ID, got[0].ID)
}

// Tables in memory never let transactions conflict; AWS does.
func TestConcurrentTransactionsConflict(t *testing.T) {
	meet := middleware.InitializeMiddlewareFunc(
		"meet",
		func(context.Context, middleware.InitializeInput,
			middleware.InitializeHandler) (out middleware.InitializeOutput, meta middleware.Metadata, err error) {
			return out, meta, &types.TransactionCanceledException{
				CancellationReasons: []types.CancellationReason{{Code: aws.String("None")}, {Code: aws.String("TransactionConflict")}},
			}
		},
	)
	db := dynamodb.New(testenv.DynamoDB(t).Options(), func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error { return s.Initialize.Add(meet, middleware.Before) })
	})
	store := mailroom.Store{Store: sandboxdb.New(db, "any", time.Now)}
	require.ErrorIs(t, store.Save(t.Context(), mailroom.Letter{ID: "l"}), outcome.ErrChanged)
	assert.ErrorIs(t, store.Delete(t.Context(), mailroom.Letter{ID: "l"}), outcome.ErrChanged)
}

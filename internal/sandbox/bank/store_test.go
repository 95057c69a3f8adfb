package bank_test

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/persona"
	"aviso/internal/sandbox/sandboxdb"
	"aviso/localstack/tests/testenv"
)

func TestStoreInDynamoDB(t *testing.T) {
	db, table := testenv.DynamoDB(t), testenv.Table(t, "SandboxTable")
	contract(t, sandboxdb.New(db, table, func() time.Time { return noon }), noon)
}

// DynamoDB deletes rows hours after they expire.
func TestExpiredRowsAreNotFound(t *testing.T) {
	now := noon
	store := sandboxdb.New(testenv.DynamoDB(t), testenv.Table(t, "SandboxTable"), func() time.Time { return now })
	customer := bank.Customer{Bank: "lindenmark", ID: "anna/", ConsentID: "c1", Forget: noon.Add(time.Hour)}
	require.NoError(t, store.Save(t.Context(), customer))

	now = noon.Add(2 * time.Hour)
	_, err := sandboxdb.Get(t.Context(), store, bank.Customer{Bank: "lindenmark", ID: "anna/"})
	assert.ErrorIs(t, err, outcome.ErrNotFound)

	customer.Forget = now.Add(time.Hour)
	require.NoError(t, store.Save(t.Context(), customer), "a new record replaces the expired one")
	_, err = sandboxdb.Get(t.Context(), store, bank.Customer{Bank: "lindenmark", ID: "anna/"})
	assert.NoError(t, err)
}

func TestExpiredApprovalsAreNotListed(t *testing.T) {
	now := noon
	store := sandboxdb.New(testenv.DynamoDB(t), testenv.Table(t, "SandboxTable"), func() time.Time { return now })
	older, newer := bank.Approval{ID: "1", At: noon}, bank.Approval{ID: "2", At: noon.Add(48 * time.Hour)}
	require.NoError(t, store.Save(t.Context(), older, newer))
	now = older.KeepUntil().Add(time.Second)
	got, err := sandboxdb.List[bank.Approval](t.Context(), store, bank.Approval{}.Key().PK, "", 10, nil)
	require.NoError(t, err)
	require.Len(t, got, 1)
	assert.Equal(t, "2", got[0].ID)
	_, err = sandboxdb.Get(t.Context(), store, bank.Approval{ID: "1"})
	assert.ErrorIs(t, err, outcome.ErrNotFound)
}

func TestEveryRowExpires(t *testing.T) {
	db, table := testenv.DynamoDB(t), testenv.Table(t, "SandboxTable")
	store := sandboxdb.New(db, table, func() time.Time { return noon })
	require.NoError(t, store.Save(t.Context(),
		bank.Consent{Bank: "b", ID: "c", ValidUntil: persona.DayOf(noon)},
		bank.Authorisation{Bank: "b", ID: "a", ExpiresAt: noon},
		bank.Customer{Bank: "b", ID: "k", Forget: noon.Add(time.Hour)},
		bank.Approval{ID: "a", At: noon}))
	_, err := store.Count(t.Context(), bank.Consent{Bank: "b", ID: "c"}.CallKey("", "", ""), noon.Add(time.Hour))
	require.NoError(t, err)
	all, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
	require.NoError(t, err)
	require.Len(t, all.Items, 5)
	for _, item := range all.Items {
		assert.Contains(t, item, "expiresAt")
	}
}

// Tables in memory never let transactions conflict; AWS does. conflicting returns a client whose
// transactions do, while now says so.
func conflicting(t *testing.T, now func() bool) *dynamodb.Client {
	t.Helper()
	meet := middleware.InitializeMiddlewareFunc("meet", func(ctx context.Context, in middleware.InitializeInput,
		next middleware.InitializeHandler) (out middleware.InitializeOutput, meta middleware.Metadata, err error) {
		if _, writes := in.Parameters.(*dynamodb.TransactWriteItemsInput); !writes || !now() {
			return next.HandleInitialize(ctx, in)
		}
		return out, meta, &types.TransactionCanceledException{
			CancellationReasons: []types.CancellationReason{{Code: aws.String("None")}, {Code: aws.String("TransactionConflict")}},
		}
	})
	return dynamodb.New(testenv.DynamoDB(t).Options(), func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error { return s.Initialize.Add(meet, middleware.Before) })
	})
}

func TestConcurrentTransactionsConflict(t *testing.T) {
	db := conflicting(t, func() bool { return true })
	store := sandboxdb.New(db, "any", func() time.Time { return noon })
	assert.ErrorIs(t, store.Save(t.Context(), bank.Customer{Bank: "b", ID: "k"}), outcome.ErrChanged)
}

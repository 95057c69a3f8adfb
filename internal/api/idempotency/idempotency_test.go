package idempotency_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/idempotency"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/testenv"
)

func erika() owner.User { return owner.User{Partner: "acme", ID: "1"} }

func now() time.Time { return time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC) }

// bench is a store and its table.
type bench struct {
	*idempotency.Store
	t     *testing.T
	table string
}

func newBench(t *testing.T) bench {
	t.Helper()
	t.Parallel()
	table := testenv.Table(t, "IdempotencyTable")
	return bench{idempotency.New(testenv.DynamoDB(t), table), t, table}
}

func answer(request string) idempotency.Answer {
	return idempotency.Answer{Request: request, Sealed: []byte("answer to " + request)}
}

// effect stores the answer to a request in a transaction with another row.
func (b bench) effect(user owner.User, key, request string, at time.Time) (committed bool, err error) {
	p, table := b.Begin(user, key, request, at), dynamo.NewTable(testenv.DynamoDB(b.t), b.table)
	also := idempotency.EffectOf(p, func(struct{}) ([]byte, error) { return answer(request).Sealed, nil })
	var x dynamo.Transaction
	x.Put(table, dynamo.Key{PK: "made", SK: request}, dynamo.Item{})
	also.Put(&x, struct{}{})
	err = x.Commit(b.t.Context())
	return p.Committed(), err
}

func (b bench) finds(user owner.User, key string, at time.Time, want idempotency.Answer) {
	b.t.Helper()
	got, err := b.Find(b.t.Context(), user, key, at)
	require.NoError(b.t, err)
	got.ExpiresAt = 0
	assert.Equal(b.t, want, got)
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	for name, keep := range map[string]func(b bench, user owner.User, key, request string, at time.Time) error{
		"alone": func(b bench, user owner.User, key, request string, at time.Time) error {
			return b.Keep(b.t.Context(), user, key, answer(request), at)
		},
		"in a transaction": func(b bench, user owner.User, key, request string, at time.Time) error {
			committed, err := b.effect(user, key, request, at)
			assert.Equal(b.t, err == nil, committed)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			require.NoError(t, keep(b, erika(), "k", "a", now()))
			b.finds(erika(), "k", now(), answer("a"))
			last := now().Add(24 * time.Hour)
			require.Error(t, keep(b, erika(), "k", "b", last), "a key has one answer")
			b.finds(erika(), "k", last, answer("a"))
			_, err := b.Find(t.Context(), erika(), "k", last.Add(time.Second))
			require.ErrorIs(t, err, outcome.ErrNotFound, "although its row remains")
			require.NoError(t, keep(b, erika(), "k", "b", last.Add(time.Second)))
			b.finds(erika(), "k", last, answer("b"))

			for _, other := range []owner.User{{Partner: "acme", ID: "2"}, {Partner: "acme"}, {Partner: "globex", ID: "1"}} {
				require.NoError(t, keep(b, other, "k", "c", now()))
			}
			require.NoError(t, keep(b, erika(), "K", "d", now()))
		})
	}
}

func TestEffectIsNotWrittenTwice(t *testing.T) {
	b := newBench(t)
	_, err := b.effect(erika(), "k", "a", now())
	require.NoError(t, err)
	_, err = b.effect(erika(), "k", "b", now())
	require.ErrorIs(t, err, idempotency.ErrAnswered)
	_, err = dynamo.NewTable(testenv.DynamoDB(t), b.table).Row(t.Context(), dynamo.Key{PK: "made", SK: "b"})
	require.ErrorIs(t, err, outcome.ErrNotFound)
}

func TestStoreWithoutATable(t *testing.T) {
	t.Parallel()
	s := idempotency.New(testenv.DynamoDB(t), "nowhere")
	_, err := s.Find(t.Context(), erika(), "k", now())
	require.Error(t, err)
	require.Error(t, s.Keep(t.Context(), erika(), "k", answer("a"), now()))
}

func TestRowsExpireAndAreInTheUsersPartition(t *testing.T) {
	b := newBench(t)
	require.NoError(t, b.Keep(t.Context(), erika(), "k", answer("a"), now()))
	out, err := testenv.DynamoDB(t).Scan(t.Context(), &dynamodb.ScanInput{TableName: &b.table})
	require.NoError(t, err)
	require.Len(t, out.Items, 1)
	assert.Equal(t, dynamo.S(erika().Key()), out.Items[0]["pk"], "an erasure finds all of a user's answers in one place")
	assert.Equal(t, dynamo.N(now().Add(24*time.Hour).Unix()), out.Items[0]["expiresAt"])
}

package dynamo_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/localstack/tests/testenv"
)

type note struct {
	Text  string `dynamodbav:"text"`
	Count int    `dynamodbav:"count,omitempty"`
}

// unwritable is a row that cannot be marshalled.
type unwritable struct{}

func (unwritable) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	return nil, errors.New("unwritable")
}

// newTable returns a table of its own for the test.
func newTable(t *testing.T, kind string) dynamo.Table {
	t.Helper()
	return dynamo.NewTable(testenv.DynamoDB(t), testenv.Table(t, kind))
}

func key(sk string) dynamo.Key { return dynamo.Key{PK: "p", SK: sk} }

func TestGet(t *testing.T) {
	t.Parallel()
	table := newTable(t, "IdentityTable")

	t.Run("reads what was written", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, table.Put(t.Context(), key("s"), note{Text: "hello", Count: 3}))
		for _, options := range [][]dynamo.ReadOption{nil, {dynamo.Eventual}} {
			n, err := dynamo.Get[note](t.Context(), table, key("s"), options...)
			require.NoError(t, err)
			assert.Equal(t, note{Text: "hello", Count: 3}, n)
		}
	})

	t.Run("returns only the requested attributes", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, table.Put(t.Context(), key("parts"), map[string]string{"a": "1", "b": "2"}))
		row, err := table.Row(t.Context(), key("parts"), dynamo.Attributes("a"))
		require.NoError(t, err)
		assert.Equal(t, dynamo.Item{"a": dynamo.S("1")}, row)
	})

	t.Run("reports that there is no such row", func(t *testing.T) {
		t.Parallel()
		_, err := dynamo.Get[note](t.Context(), table, key("nobody"))
		require.ErrorIs(t, err, outcome.ErrNotFound)
		_, err = table.Row(t.Context(), key("nobody"))
		require.ErrorIs(t, err, outcome.ErrNotFound)
	})

	t.Run("reports that there is no such table", func(t *testing.T) {
		t.Parallel()
		_, err := dynamo.Get[note](t.Context(), table.Sibling("nowhere"), key("s"))
		_, missing := errors.AsType[*types.ResourceNotFoundException](err)
		require.True(t, missing)
		require.NotErrorIs(t, err, outcome.ErrNotFound)
	})

	t.Run("fails on a row of another shape", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, table.Put(t.Context(), key("odd"), dynamo.Item{"count": dynamo.S("three")}))
		_, err := dynamo.Get[note](t.Context(), table, key("odd"))
		require.Error(t, err)
	})
}

func TestRows(t *testing.T) {
	t.Parallel()
	table := newTable(t, "IdentityTable")
	keys := []dynamo.Key{key("none")}
	for i := range 120 { // more than one BatchGetItem takes
		k := key(fmt.Sprintf("%03d", i))
		keys = append(keys, k)
		require.NoError(t, table.Put(t.Context(), k, note{Count: i + 1}))
	}
	rows, err := table.Rows(t.Context(), keys, dynamo.Eventual)
	require.NoError(t, err)
	var got []dynamo.Key
	for _, row := range rows {
		got = append(got, dynamo.KeyOf(row))
	}
	assert.ElementsMatch(t, keys[1:], got)
}

func TestPut(t *testing.T) {
	t.Parallel()
	table := newTable(t, "IdentityTable")
	require.NoError(t, table.Put(t.Context(), key("1"), note{Text: "first"}, dynamo.IfNew))

	err := table.Put(t.Context(), key("1"), note{Text: "second"}, dynamo.IfNew)
	require.ErrorIs(t, err, outcome.ErrChanged)
	refused, _ := errors.AsType[*dynamo.ConditionError](err)
	assert.Equal(t, "first", dynamo.Text(refused.Old, "text"), "the error has the row that was found")

	require.ErrorIs(t, table.Put(t.Context(), key("2"), note{}, dynamo.IfExists), outcome.ErrChanged)
	require.NoError(t, table.Put(t.Context(), key("1"), note{Text: "second"}, dynamo.IfExists, dynamo.Expr("#text = ?", "first")))
	require.Error(t, table.Put(t.Context(), key("1"), unwritable{}))
	for _, arguments := range [][]any{{}, {1, 2}} {
		assert.Panics(t, func() { _ = table.Put(t.Context(), key("1"), note{}, dynamo.Expr("a = ?", arguments...)) })
	}
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	table := newTable(t, "IdentityTable")

	row, err := table.Update(
		t.Context(),
		key("1"),
		dynamo.Expr("ADD #count ? SET #text = ?, ? = ?", 2, "a", dynamo.Name("x#y"), []byte("b")),
	)
	require.NoError(t, err)
	assert.Equal(t, "a", dynamo.Text(row, "text"))
	row, err = table.Update(
		t.Context(),
		key("1"),
		dynamo.Expr("ADD #count ?", int64(1)),
		dynamo.Expr("#count = ? AND ? = ?", 2, dynamo.Name("x#y"), []byte("b")),
	)
	require.NoError(t, err)
	assert.Equal(t, dynamo.N(3), row["count"])

	_, err = table.Update(t.Context(), key("1"), dynamo.Expr("SET #on = ?", true), dynamo.Expr("#count = ?", 2))
	require.ErrorIs(t, err, outcome.ErrChanged)
	refused, _ := errors.AsType[*dynamo.ConditionError](err)
	assert.Equal(t, dynamo.N(3), refused.Old["count"])

	_, err = table.Update(t.Context(), key("none"), dynamo.Expr("SET #on = ?", true), dynamo.IfExists)
	require.ErrorIs(t, err, outcome.ErrChanged)
	refused, _ = errors.AsType[*dynamo.ConditionError](err)
	assert.Nil(t, refused.Old)
}

func TestDelete(t *testing.T) {
	t.Parallel()
	table := newTable(t, "IdentityTable")
	require.NoError(t, table.Put(t.Context(), key("1"), note{Count: 1}))
	require.ErrorIs(t, table.Delete(t.Context(), key("1"), dynamo.Expr("#count = ?", 2)), outcome.ErrChanged)
	for range 2 { // a missing row is not an error
		require.NoError(t, table.Delete(t.Context(), key("1")))
	}
	_, err := table.Row(t.Context(), key("1"))
	require.ErrorIs(t, err, outcome.ErrNotFound)
}

func TestIfVersion(t *testing.T) {
	t.Parallel()
	table := newTable(t, "IdentityTable")
	write := func(was int64) error {
		return table.Put(t.Context(), key("1"), map[string]int64{"version": was + 1}, dynamo.IfVersion(was))
	}
	require.NoError(t, write(0))
	require.ErrorIs(t, write(0), outcome.ErrChanged)
	require.NoError(t, write(1))
	require.ErrorIs(t, write(1), outcome.ErrChanged)
}

func TestTransaction(t *testing.T) {
	t.Parallel()
	putNew := func(x *dynamo.Transaction, table dynamo.Table, sk string) int {
		return x.Put(table, key(sk), note{Text: sk}, dynamo.IfNew)
	}

	t.Run("writes all or nothing, and names the conditions that were not met", func(t *testing.T) {
		t.Parallel()
		table := newTable(t, "IdentityTable")
		var x dynamo.Transaction
		putNew(&x, table, "1")
		putNew(&x, table, "3")
		require.NoError(t, x.Commit(t.Context()))

		var y, more dynamo.Transaction
		for _, sk := range []string{"0", "1"} {
			putNew(&y, table, sk)
		}
		for _, sk := range []string{"2", "3"} {
			putNew(&more, table, sk)
		}
		y.Append(more)
		assert.Equal(t, 4, y.Len())
		err := y.Commit(t.Context())
		require.ErrorIs(t, err, outcome.ErrChanged)
		for i, want := range []bool{false, true, false, true} {
			assert.Equal(t, want, dynamo.Refused(err, i), i)
			assert.False(t, dynamo.OnlyRefused(err, i))
		}
		for _, sk := range []string{"0", "2"} {
			_, err := table.Row(t.Context(), key(sk))
			require.ErrorIs(t, err, outcome.ErrNotFound)
		}
	})

	t.Run("puts, updates, deletes and checks", func(t *testing.T) {
		t.Parallel()
		table := newTable(t, "IdentityTable")
		for _, sk := range []string{"updated", "deleted", "checked"} {
			require.NoError(t, table.Put(t.Context(), key(sk), note{Count: 1}))
		}
		write := func() error {
			var x dynamo.Transaction
			x.Put(table, key("put"), note{Text: "new"})
			x.Update(table, key("updated"), dynamo.Expr("SET #count = #count + ?", 1), dynamo.IfExists)
			deleted := x.Delete(table, key("deleted"), dynamo.IfExists)
			x.Check(table, key("checked"), dynamo.Expr("#count = ?", 1))
			err := x.Commit(t.Context())
			if err != nil {
				assert.True(t, dynamo.OnlyRefused(err, deleted))
			}
			return err
		}
		require.NoError(t, write())
		require.ErrorIs(t, write(), outcome.ErrChanged, "there is nothing left to delete")
		updated, err := dynamo.Get[note](t.Context(), table, key("updated"))
		require.NoError(t, err)
		assert.Equal(t, 2, updated.Count)
	})

	t.Run("accepts MaxTransaction actions", func(t *testing.T) {
		t.Parallel()
		table := newTable(t, "IdentityTable")
		var x dynamo.Transaction
		for i := range dynamo.MaxTransaction {
			putNew(&x, table, dynamo.Time(time.Unix(int64(i), 0)))
		}
		require.NoError(t, x.Commit(t.Context()))
	})

	t.Run("reports another failure as such", func(t *testing.T) {
		t.Parallel()
		table := newTable(t, "IdentityTable")
		var twice, nowhere, empty, broken, failed dynamo.Transaction
		putNew(&twice, table, "1")
		putNew(&twice, table, "1")
		putNew(&nowhere, table.Sibling("nowhere"), "1")
		broken.Put(table, key("1"), unwritable{})
		putNew(&failed, table, "1")
		failed.Fail(errors.New("the caller could not make its row"))
		for _, x := range []*dynamo.Transaction{&twice, &nowhere, &empty, &broken, &failed} {
			err := x.Commit(t.Context())
			require.Error(t, err)
			require.NotErrorIs(t, err, outcome.ErrChanged)
		}
	})
}

func TestTransactionsAreShared(t *testing.T) {
	t.Parallel()
	table := newTable(t, "IdentityTable")
	var x dynamo.Transaction
	assert.Zero(t, x.Size())
	for range x.Chunks(2) {
		t.Error("nothing is a chunk")
	}
	x.Put(table, key("1"), dynamo.Item{
		"text": dynamo.S("four"), "bytes": &types.AttributeValueMemberB{Value: []byte("four")}, "count": dynamo.N(1),
		"list": &types.AttributeValueMemberL{Value: []types.AttributeValue{dynamo.S("a"), dynamo.S("b")}},
		"map":  &types.AttributeValueMemberM{Value: dynamo.Item{"a": dynamo.S("b")}},
	})
	// As DynamoDB counts: pk, sk, text, bytes, count, list, map.
	assert.GreaterOrEqual(t, x.Size(), 6+6+11+12+16+15+11)
	one := x.Size()
	x.Put(table, key("2"), dynamo.Item{})
	assert.Greater(t, x.Size(), one)
	whole := x.Size()
	x.Delete(table, key("3"))
	x.Update(table, key("4"), dynamo.Expr("SET #count = ?", 1))
	x.Check(table, key("5"), dynamo.IfNew)
	assert.Equal(t, whole, x.Size(), "only rows that are put count")

	var lengths []int
	for chunk := range x.Chunks(2) {
		lengths = append(lengths, chunk.Len())
		require.NoError(t, chunk.Commit(t.Context()))
	}
	assert.Equal(t, []int{2, 2, 1}, lengths)
	rows, err := table.Rows(t.Context(), []dynamo.Key{key("1"), key("2"), key("3"), key("4"), key("5")})
	require.NoError(t, err)
	assert.Len(t, rows, 3)

	x.Fail(errors.New("the caller could not make its row"))
	for chunk := range x.Chunks(4) {
		require.Error(t, chunk.Commit(t.Context()))
		break
	}
}

func TestContended(t *testing.T) {
	t.Parallel()
	cancelled := func(codes ...string) error {
		var reasons []types.CancellationReason
		for _, code := range codes {
			reasons = append(reasons, types.CancellationReason{Code: &code})
		}
		return fmt.Errorf("transact: %w", &types.TransactionCanceledException{CancellationReasons: reasons})
	}
	assert.True(t, dynamo.Contended(cancelled("None", "TransactionConflict")))
	assert.False(t, dynamo.Contended(cancelled("ConditionalCheckFailed")))
	assert.False(t, dynamo.Contended(errors.New("other")))
}

// A transaction that meets another one tries again, a few times.
func TestCommitTriesAgainAfterAConflict(t *testing.T) {
	t.Parallel()
	name := testenv.Table(t, "IdentityTable")
	for conflicts, succeeds := range map[int]bool{0: true, 2: true, 5: true, 6: false} {
		calls := 0
		conflict := func(stack *middleware.Stack) error {
			return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("Conflict", func(
				ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
			) (middleware.InitializeOutput, middleware.Metadata, error) {
				if calls++; calls <= conflicts {
					reasons := []types.CancellationReason{{Code: new("TransactionConflict")}}
					return middleware.InitializeOutput{}, middleware.Metadata{},
						&types.TransactionCanceledException{CancellationReasons: reasons}
				}
				return next.HandleInitialize(ctx, in)
			}), middleware.Before)
		}
		db := dynamodb.New(testenv.DynamoDB(t).Options(), func(o *dynamodb.Options) {
			o.APIOptions = append(o.APIOptions, conflict)
		})
		var x dynamo.Transaction
		x.Put(dynamo.NewTable(db, name), key("row"), note{})
		err := x.Commit(t.Context())
		assert.Equal(t, succeeds, err == nil, "%d conflicts: %v", conflicts, err)
		assert.Equal(t, !succeeds, dynamo.Contended(err))
	}
}

func TestTimeKeepsItsOrderAsText(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "2026-03-02T09:30:00.000000001Z", dynamo.Time(time.Date(2026, 3, 2, 10, 30, 0, 1, time.FixedZone("", 3600))))
	instant := rapid.Custom(func(t *rapid.T) time.Time {
		at := time.Unix(rapid.Int64Range(-62135596800, 253402300799).Draw(t, "s"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns"))
		return at.In(time.FixedZone("", rapid.IntRange(-50_000, 50_000).Draw(t, "zone")))
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := instant.Draw(t, "a"), instant.Draw(t, "b")
		assert.Equal(t, a.Compare(b), strings.Compare(dynamo.Time(a), dynamo.Time(b)))
		back, err := time.Parse(time.RFC3339Nano, dynamo.Time(a))
		require.NoError(t, err)
		assert.True(t, back.Equal(a))
	})
}

func TestPosition(t *testing.T) {
	t.Parallel()

	t.Run("round-trips", func(t *testing.T) {
		t.Parallel()
		keys := rapid.MapOf(rapid.StringMatching(`[A-Za-z]+`), rapid.Map(rapid.String(), dynamo.S))
		rapid.Check(t, func(t *rapid.T) {
			key := keys.Draw(t, "key")
			text, err := dynamo.Position(key)
			require.NoError(t, err)
			back, err := dynamo.StartKey(text)
			require.NoError(t, err)
			if len(key) == 0 {
				assert.Empty(t, text)
				assert.Nil(t, back)
				return
			}
			assert.Equal(t, key, back)
		})
	})

	t.Run("rejects numbers and invalid text", func(t *testing.T) {
		t.Parallel()
		_, err := dynamo.Position(dynamo.Item{"pk": dynamo.N(1)})
		require.Error(t, err)
		for _, text := range []string{"x", "[]", `{"pk":1}`, "{"} {
			_, err := dynamo.StartKey(text)
			require.Error(t, err, text)
		}
	})

	t.Run("pages through a table and its indexes without losing or repeating rows", func(t *testing.T) {
		t.Parallel()
		table := newTable(t, "PfmTable")
		var want []string
		for i := range 7 {
			sk := dynamo.Time(time.Unix(int64(i), 0))
			require.NoError(t, table.Put(t.Context(), key(sk), map[string]string{"accountSort": "a" + sk}))
			want = append(want, sk)
		}
		for _, index := range []dynamo.Index{{}, {Name: "byAccount", Partition: "pk", Sort: "accountSort"}} {
			var got []string
			for position := ""; ; {
				start, err := dynamo.StartKey(position)
				require.NoError(t, err)
				page, err := table.Page(t.Context(), dynamo.Query{Index: index, Partition: "p", Limit: 3, Start: start})
				require.NoError(t, err)
				for _, row := range page.Items {
					got = append(got, dynamo.Text(row, "sk"))
				}
				position, err = dynamo.Position(page.Last)
				require.NoError(t, err)
				if position == "" {
					break
				}
			}
			assert.Equal(t, want, got)
			assert.True(t, slices.IsSorted(got))
		}
	})
}

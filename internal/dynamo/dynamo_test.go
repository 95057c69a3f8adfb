package dynamo_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/localstack/testenv"
)

type note struct {
	Text  string `dynamodbav:"text"`
	Count int    `dynamodbav:"count,omitempty"`
}

// putNew writes a row that must not be there yet.
func putNew(t *testing.T, table, pk, sk string) types.TransactWriteItem {
	t.Helper()
	item, err := dynamo.Marshal(pk, sk, note{Text: sk})
	require.NoError(t, err)
	return types.TransactWriteItem{Put: &types.Put{TableName: &table, Item: item, ConditionExpression: aws.String("attribute_not_exists(pk)")}}
}

func TestGet(t *testing.T) {
	t.Parallel()
	db, table := testenv.DynamoDB(t), testenv.Table(t, "IdentityTable")

	t.Run("reads what was written", func(t *testing.T) {
		t.Parallel()
		item, err := dynamo.Marshal("p", "s", note{Text: "hello", Count: 3})
		require.NoError(t, err)
		_, err = db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
		require.NoError(t, err)
		for _, consistent := range []bool{true, false} {
			var n note
			require.NoError(t, dynamo.LegacyGet(t.Context(), db, table, "p", "s", consistent, &n))
			assert.Equal(t, note{Text: "hello", Count: 3}, n)
		}
	})

	t.Run("tells that there is no such row", func(t *testing.T) {
		t.Parallel()
		err := dynamo.LegacyGet(t.Context(), db, table, "p", "nobody", true, &note{})
		require.ErrorIs(t, err, outcome.ErrNotFound)
	})

	t.Run("tells that there is no such table", func(t *testing.T) {
		t.Parallel()
		err := dynamo.LegacyGet(t.Context(), db, "nowhere", "p", "s", true, &note{})
		var missing *types.ResourceNotFoundException
		require.ErrorAs(t, err, &missing)
		require.NotErrorIs(t, err, outcome.ErrNotFound)
	})

	t.Run("fails on a row of another shape", func(t *testing.T) {
		t.Parallel()
		item := dynamo.LegacyKey("p", "odd")
		item["count"] = dynamo.S("three")
		_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
		require.NoError(t, err)
		require.Error(t, dynamo.LegacyGet(t.Context(), db, table, "p", "odd", true, &note{}))
	})
}

func TestMarshal(t *testing.T) {
	t.Parallel()
	item, err := dynamo.Marshal("p", "", note{Text: "a"})
	require.NoError(t, err)
	assert.Equal(t, dynamo.Item{"pk": dynamo.S("p"), "text": dynamo.S("a")}, item, "no sk in tables without one")
}

func TestTransact(t *testing.T) {
	t.Parallel()

	t.Run("writes all or nothing, and names the conditions that refused", func(t *testing.T) {
		t.Parallel()
		db, table := testenv.DynamoDB(t), testenv.Table(t, "IdentityTable")
		require.NoError(t, dynamo.LegacyTransact(t.Context(), db, []types.TransactWriteItem{putNew(t, table, "p", "1"), putNew(t, table, "p", "3")}))
		err := dynamo.LegacyTransact(t.Context(), db, []types.TransactWriteItem{
			putNew(t, table, "p", "0"), putNew(t, table, "p", "1"), putNew(t, table, "p", "2"), putNew(t, table, "p", "3"),
		})
		require.ErrorIs(t, err, outcome.ErrChanged)
		var refused *dynamo.ConditionError
		require.ErrorAs(t, err, &refused)
		assert.Equal(t, []int{1, 3}, refused.Actions)
		for i, want := range []bool{false, true, false, true} {
			assert.Equal(t, want, refused.Failed(i), i)
		}
		require.ErrorIs(t, dynamo.LegacyGet(t.Context(), db, table, "p", "0", true, &note{}), outcome.ErrNotFound)
		require.ErrorIs(t, dynamo.LegacyGet(t.Context(), db, table, "p", "2", true, &note{}), outcome.ErrNotFound)
	})

	t.Run("takes as many actions as it says", func(t *testing.T) {
		t.Parallel()
		db, table := testenv.DynamoDB(t), testenv.Table(t, "IdentityTable")
		var actions []types.TransactWriteItem
		for i := range dynamo.MaxTransaction {
			actions = append(actions, putNew(t, table, "p", dynamo.Time(time.Unix(int64(i), 0))))
		}
		require.NoError(t, dynamo.LegacyTransact(t.Context(), db, actions))
	})

	t.Run("that is refused for another reason is no failed condition", func(t *testing.T) {
		t.Parallel()
		db, table := testenv.DynamoDB(t), testenv.Table(t, "IdentityTable")
		for _, actions := range [][]types.TransactWriteItem{
			{putNew(t, table, "p", "1"), putNew(t, table, "p", "1")}, {putNew(t, "nowhere", "p", "1")}, {},
		} {
			err := dynamo.LegacyTransact(t.Context(), db, actions)
			require.Error(t, err)
			require.NotErrorIs(t, err, outcome.ErrChanged)
		}
	})
}

func TestConditional(t *testing.T) {
	t.Parallel()
	db, table := testenv.DynamoDB(t), testenv.Table(t, "IdentityTable")
	put := putNew(t, table, "p", "1").Put
	write := func() error {
		_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: put.Item, ConditionExpression: put.ConditionExpression})
		return dynamo.Conditional(err)
	}
	require.NoError(t, write())
	require.ErrorIs(t, write(), outcome.ErrChanged)
	other := errors.New("other")
	require.ErrorIs(t, dynamo.Conditional(other), other)
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

	t.Run("comes back as the key it was", func(t *testing.T) {
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

	t.Run("is not made of numbers, and not read from other text", func(t *testing.T) {
		t.Parallel()
		_, err := dynamo.Position(dynamo.Item{"pk": dynamo.N(1)})
		require.Error(t, err)
		for _, text := range []string{"x", "[]", `{"pk":1}`, "{"} {
			_, err := dynamo.StartKey(text)
			require.Error(t, err, text)
		}
	})

	t.Run("leads through a table and its indexes, no row lost or doubled", func(t *testing.T) {
		t.Parallel()
		db, table := testenv.DynamoDB(t), testenv.Table(t, "PfmTable")
		var want []string
		for i := range 7 {
			sk := dynamo.Time(time.Unix(int64(i), 0))
			item, err := dynamo.Marshal("p", sk, map[string]string{"accountSort": "a" + sk})
			require.NoError(t, err)
			_, err = db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
			require.NoError(t, err)
			want = append(want, sk)
		}
		for _, index := range []*string{nil, aws.String("byAccount")} {
			var got []string
			for position := ""; ; {
				start, err := dynamo.StartKey(position)
				require.NoError(t, err)
				out, err := db.Query(t.Context(), &dynamodb.QueryInput{
					TableName: &table, IndexName: index, KeyConditionExpression: aws.String("pk = :p"), Limit: aws.Int32(3),
					ExpressionAttributeValues: dynamo.Item{":p": dynamo.S("p")}, ExclusiveStartKey: start,
				})
				require.NoError(t, err)
				for _, item := range out.Items {
					var r struct {
						SK string `dynamodbav:"sk"`
					}
					require.NoError(t, dynamo.Unmarshal(item, &r))
					got = append(got, r.SK)
				}
				position, err = dynamo.Position(out.LastEvaluatedKey)
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

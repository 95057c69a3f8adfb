package memdb_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/localstack/memdb"
	"aviso/localstack/template"
	"aviso/localstack/testenv"
)

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
func number(n int) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.Itoa(n)}
}

// pair performs each call on the emulator and in memory.
type pair struct {
	real, memory *dynamodb.Client
	table        string
}

// newPair returns a pair with an empty PfmTable, which has both kinds of indexes.
func newPair(t testing.TB) pair {
	p := pair{real: testenv.DynamoDB(t), table: testenv.Table(t, "PfmTable")}
	definition, ok := testenv.Template(t).Table("PfmTable")
	require.True(t, ok)
	definition.ID = p.table
	p.memory = client(memdb.New([]template.Table{definition}))
	return p
}

func client(db *memdb.DB) *dynamodb.Client {
	call := func(_ context.Context, in any, _ func(context.Context) (any, error)) (any, error) { return db.Call(in) }
	return dynamodb.New(dynamodb.Options{
		Region: "eu-central-1", APIOptions: []func(*middleware.Stack) error{memdb.Intercept(call)},
	})
}

// seen is what a caller sees of an answer.
type seen struct {
	Rows      []memdb.Item
	Last, Old memdb.Item
	Count     int32
	Codes     []string
}

// see performs a call and returns what the caller sees.
func see(db *dynamodb.Client, in any) (s seen) {
	var err error
	ctx := context.Background()
	switch in := in.(type) {
	case *dynamodb.PutItemInput:
		_, err = db.PutItem(ctx, in)
	case *dynamodb.UpdateItemInput:
		var out *dynamodb.UpdateItemOutput
		if out, err = db.UpdateItem(ctx, in); err == nil {
			s.Rows = append(s.Rows, out.Attributes)
		}
	case *dynamodb.DeleteItemInput:
		_, err = db.DeleteItem(ctx, in)
	case *dynamodb.TransactWriteItemsInput:
		_, err = db.TransactWriteItems(ctx, in)
	case *dynamodb.BatchWriteItemInput:
		_, err = db.BatchWriteItem(ctx, in)
	case *dynamodb.GetItemInput:
		var out *dynamodb.GetItemOutput
		if out, err = db.GetItem(ctx, in); err == nil {
			s.Rows = append(s.Rows, out.Item)
		}
	case *dynamodb.BatchGetItemInput:
		var out *dynamodb.BatchGetItemOutput
		if out, err = db.BatchGetItem(ctx, in); err == nil {
			for _, rows := range out.Responses {
				s.Rows = rows
			}
			slices.SortFunc(s.Rows, func(a, b memdb.Item) int { return compareText(a["sk"], b["sk"]) })
		}
	case *dynamodb.QueryInput:
		var out *dynamodb.QueryOutput
		if out, err = db.Query(ctx, in); err == nil {
			s.Rows, s.Last, s.Count = out.Items, out.LastEvaluatedKey, out.Count
		}
	case *dynamodb.ScanInput:
		var out *dynamodb.ScanOutput
		if out, err = db.Scan(ctx, in); err == nil {
			s.Rows, s.Count = out.Items, out.Count
		}
	default:
		err = fmt.Errorf("unknown call %T", in)
	}
	s.refused(err)
	s.Rows = slices.DeleteFunc(s.Rows, func(row memdb.Item) bool { return len(row) == 0 })
	if len(s.Rows) == 0 {
		s.Rows = nil
	}
	return s
}

// refused notes what a caller sees of an error.
func (s *seen) refused(err error) {
	if err == nil {
		return
	}
	if refused, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok && len(refused.Item) > 0 {
		s.Old = refused.Item
	}
	if cancelled, ok := errors.AsType[*types.TransactionCanceledException](err); ok {
		for _, reason := range cancelled.CancellationReasons {
			s.Codes = append(s.Codes, aws.ToString(reason.Code))
		}
	}
	code := err.Error()
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		code = api.ErrorCode()
	}
	s.Codes = append(s.Codes, code)
}

func compareText(a, b types.AttributeValue) int {
	x, _ := a.(*types.AttributeValueMemberS)
	y, _ := b.(*types.AttributeValueMemberS)
	if x == nil || y == nil {
		return 0
	}
	return len(x.Value) - len(y.Value)
}

// conditions are those that the service uses, and the rest of the language that memdb has.
func conditions() []string {
	return []string{
		"attribute_not_exists(pk)", "attribute_exists(pk)", "#version = :one", "#version <> :one",
		"attribute_not_exists(pk) OR #version < :two", "attribute_exists(pk) AND #version <= :two AND kind <> :a",
		"attribute_not_exists(#version) OR (#version BETWEEN :one AND :two)", "size(members) = :one",
		"members.#m = :one", "attribute_not_exists(members.#m)", "NOT (#version > :one)", "kind IN (:a, :b)",
		"begins_with(kind, :a) OR contains(kind, :b)", "#version >= :one AND (attribute_not_exists(gone) OR gone = :a)",
		"kind = :one", "sk = :a OR nothing = :a", "members = :members",
	}
}

func updates() []string {
	return []string{
		"SET #version = :two, kind = :b", "ADD #version :one", "REMOVE kind, dueAt", "SET #version = #version + :one",
		"SET members.#m = if_not_exists(members.#m, :one)", "SET members = :members REMOVE gone",
		"SET kind = if_not_exists(gone, :a) ADD calls :one", "SET gone = kind, kind = :b", "SET #version = :two - :one",
		"SET dueAt = :b, dueKind = :a",
	}
}

// used returns those placeholders that an expression uses: DynamoDB refuses others.
func used[V any](expressions []*string, all map[string]V) map[string]V {
	some := map[string]V{}
	for name, v := range all {
		for _, e := range expressions {
			if e != nil && slices.Contains(words(*e), name) {
				some[name] = v
			}
		}
	}
	if len(some) == 0 {
		return nil
	}
	return some
}

func words(expression string) []string {
	return slices.Collect(func(yield func(string) bool) {
		start := -1
		for i, c := range expression + " " {
			word := c == '#' || c == ':' || c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
			if word && start < 0 {
				start = i
			}
			if !word && start >= 0 {
				if !yield(expression[start:i]) {
					return
				}
				start = -1
			}
		}
	})
}

func names(expressions ...*string) map[string]string {
	return used(expressions, map[string]string{"#version": "version", "#m": "m"})
}

func values(expressions ...*string) memdb.Item {
	return used(expressions, memdb.Item{
		":one": number(1), ":two": number(2), ":a": text("a"), ":b": text("b"), ":pk": text("p"),
		":members": &types.AttributeValueMemberM{Value: memdb.Item{"m": number(1)}},
	})
}

// calls draws calls about a few rows, so that they meet.
type calls struct {
	*rapid.T
	table string
}

func (c calls) optional(of []string, label string) *string {
	if i := rapid.IntRange(-1, len(of)-1).Draw(c.T, label); i >= 0 {
		return &of[i]
	}
	return nil
}

func (c calls) key() memdb.Item {
	return memdb.Item{"pk": text("p"), "sk": text(rapid.SampledFrom([]string{"1", "22", "333", "4444"}).Draw(c.T, "sk"))}
}

func (c calls) row() memdb.Item {
	row := c.key()
	for _, a := range []struct {
		name   string
		values []types.AttributeValue
	}{
		{"version", []types.AttributeValue{number(1), number(2), number(10)}},
		{"kind", []types.AttributeValue{text("a"), text("b"), text("ab")}},
		{"members", []types.AttributeValue{&types.AttributeValueMemberM{Value: memdb.Item{"m": number(1)}}}},
		{"accountSort", []types.AttributeValue{text("x"), text("y")}},
		{"dueKind", []types.AttributeValue{text("a")}},
		{"dueAt", []types.AttributeValue{text("b"), text("c")}},
	} {
		if i := rapid.IntRange(-1, len(a.values)-1).Draw(c.T, a.name); i >= 0 {
			row[a.name] = a.values[i]
		}
	}
	return row
}

func (c calls) draw() any {
	condition := c.optional(conditions(), "condition")
	onRefusal := types.ReturnValuesOnConditionCheckFailureAllOld
	if condition == nil {
		onRefusal = ""
	}
	switch rapid.IntRange(0, 9).Draw(c.T, "operation") {
	case 0, 1:
		return &dynamodb.PutItemInput{
			TableName: &c.table, Item: c.row(), ConditionExpression: condition, ReturnValuesOnConditionCheckFailure: onRefusal,
			ExpressionAttributeNames: names(condition), ExpressionAttributeValues: values(condition),
		}
	case 2, 3:
		update := rapid.SampledFrom(updates()).Draw(c.T, "update")
		return &dynamodb.UpdateItemInput{
			TableName: &c.table, Key: c.key(), UpdateExpression: &update, ConditionExpression: condition,
			ReturnValues: types.ReturnValueAllNew, ReturnValuesOnConditionCheckFailure: onRefusal,
			ExpressionAttributeNames: names(&update, condition), ExpressionAttributeValues: values(&update, condition),
		}
	case 4:
		return &dynamodb.DeleteItemInput{
			TableName: &c.table, Key: c.key(), ConditionExpression: condition, ReturnValuesOnConditionCheckFailure: onRefusal,
			ExpressionAttributeNames: names(condition), ExpressionAttributeValues: values(condition),
		}
	case 5:
		return c.transaction()
	case 6:
		return &dynamodb.GetItemInput{
			TableName: &c.table, Key: c.key(), ConsistentRead: aws.Bool(true),
			ProjectionExpression: c.optional([]string{"pk, kind, members"}, "projection"),
		}
	case 7:
		keys := []memdb.Item{
			{"pk": text("p"), "sk": text("1")}, {"pk": text("p"), "sk": text("22")}, {"pk": text("p"), "sk": text("none")},
		}
		return &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{c.table: {Keys: keys}}}
	case 8:
		return &dynamodb.ScanInput{
			TableName: &c.table, FilterExpression: condition,
			ExpressionAttributeNames: names(condition), ExpressionAttributeValues: values(condition),
		}
	default:
		return c.query()
	}
}

func (c calls) query() any {
	in := &dynamodb.QueryInput{
		TableName: &c.table, ScanIndexForward: aws.Bool(rapid.Bool().Draw(c.T, "forward")),
		FilterExpression: c.optional([]string{"#version = :one", "attribute_exists(kind)"}, "filter"),
	}
	if n := rapid.Int32Range(0, 3).Draw(c.T, "limit"); n > 0 {
		in.Limit = &n
	}
	switch rapid.IntRange(0, 2).Draw(c.T, "index") {
	case 0:
		in.KeyConditionExpression = aws.String(rapid.SampledFrom([]string{
			"pk = :pk", "pk = :pk AND begins_with(sk, :a)", "pk = :pk AND sk < :a", "pk = :pk AND sk BETWEEN :a AND :b",
		}).Draw(c.T, "key"))
	case 1:
		in.IndexName, in.KeyConditionExpression = aws.String("byAccount"), aws.String("pk = :pk")
	default:
		in.IndexName = aws.String("due")
		in.KeyConditionExpression = aws.String("dueKind = :a AND dueAt <= :b")
	}
	in.ExpressionAttributeNames = names(in.FilterExpression, in.KeyConditionExpression)
	in.ExpressionAttributeValues = values(in.FilterExpression, in.KeyConditionExpression)
	return in
}

func (c calls) transaction() any {
	in := &dynamodb.TransactWriteItemsInput{}
	for range rapid.IntRange(1, 3).Draw(c.T, "actions") {
		condition := rapid.SampledFrom(conditions()).Draw(c.T, "condition")
		var a types.TransactWriteItem
		switch rapid.IntRange(0, 3).Draw(c.T, "action") {
		case 0:
			a.Put = &types.Put{
				TableName: &c.table, Item: c.row(), ConditionExpression: &condition,
				ExpressionAttributeNames: names(&condition), ExpressionAttributeValues: values(&condition),
			}
		case 1:
			update := rapid.SampledFrom(updates()).Draw(c.T, "update")
			a.Update = &types.Update{
				TableName: &c.table, Key: c.key(), UpdateExpression: &update, ConditionExpression: &condition,
				ExpressionAttributeNames: names(&update, &condition), ExpressionAttributeValues: values(&update, &condition),
			}
		case 2:
			a.Delete = &types.Delete{
				TableName: &c.table, Key: c.key(), ConditionExpression: &condition,
				ExpressionAttributeNames: names(&condition), ExpressionAttributeValues: values(&condition),
			}
		default:
			a.ConditionCheck = &types.ConditionCheck{
				TableName: &c.table, Key: c.key(), ConditionExpression: &condition,
				ExpressionAttributeNames: names(&condition), ExpressionAttributeValues: values(&condition),
			}
		}
		in.TransactItems = append(in.TransactItems, a)
	}
	return in
}

// Whatever is called, the database in memory answers like the emulator.
func TestAgreesWithTheEmulator(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		p := newPair(t)
		for range rapid.IntRange(5, 30).Draw(r, "calls") {
			in := calls{r, p.table}.draw()
			want, got := see(p.real, in), see(p.memory, in)
			require.Equal(r, want, got, "%T %s", in, shown(in))
		}
		rows := &dynamodb.ScanInput{TableName: &p.table}
		require.Equal(r, see(p.real, rows), see(p.memory, rows))
	})
}

// A page ends where the emulator's page ends, and the next one goes on there.
func TestPages(t *testing.T) {
	p := newPair(t)
	for i := range 7 {
		row := memdb.Item{"pk": text("p"), "sk": text(strconv.Itoa(i)), "accountSort": text(strconv.Itoa(i % 3))}
		row["dueKind"], row["dueAt"] = text("a"), text("b")
		in := &dynamodb.PutItemInput{TableName: &p.table, Item: row}
		require.Equal(t, see(p.real, in), see(p.memory, in))
	}
	for _, index := range []*string{nil, aws.String("byAccount"), aws.String("due")} {
		for _, forward := range []bool{true, false} {
			key := aws.String("pk = :pk")
			if aws.ToString(index) == "due" {
				key = aws.String("dueKind = :a AND dueAt <= :b")
			}
			in := &dynamodb.QueryInput{
				TableName: &p.table, IndexName: index, KeyConditionExpression: key, Limit: aws.Int32(2), ScanIndexForward: &forward,
				ExpressionAttributeValues: values(key),
			}
			for n := 0; ; n++ {
				want := see(p.real, in)
				require.Equal(t, want, see(p.memory, in))
				if in.ExclusiveStartKey = want.Last; len(want.Last) == 0 {
					assert.Equal(t, 3, n)
					break
				}
			}
		}
	}
}

func TestCopiesAreSeparate(t *testing.T) {
	definition, _ := testenv.Template(t).Table("PfmTable")
	db := memdb.New([]template.Table{definition})
	put := func(db *memdb.DB, sk string) {
		in := &dynamodb.PutItemInput{TableName: &definition.ID, Item: memdb.Item{"pk": text("p"), "sk": text(sk)}}
		require.Empty(t, see(client(db), in).Codes)
	}
	put(db, "1")
	other := db.Clone()
	put(other, "2")
	row := db.Items("PfmTable")[0]
	update := &dynamodb.UpdateItemInput{
		TableName: &definition.ID, Key: maps.Clone(row), UpdateExpression: aws.String("SET kind = :a"),
		ExpressionAttributeValues: memdb.Item{":a": text("a")},
	}
	require.Empty(t, see(client(other), update).Codes)
	assert.Len(t, db.Items("PfmTable"), 1)
	assert.NotContains(t, row, "kind")
	assert.Contains(t, other.Items("PfmTable")[0], "kind")
}

func TestRefusesWhatItDoesNotKnow(t *testing.T) {
	definition, _ := testenv.Template(t).Table("PfmTable")
	db := memdb.New([]template.Table{definition})
	key := memdb.Item{"pk": text("p"), "sk": text("1")}
	for _, in := range []any{
		&dynamodb.DescribeTableInput{},
		&dynamodb.GetItemInput{TableName: aws.String("other"), Key: key},
		&dynamodb.GetItemInput{TableName: &definition.ID, Key: memdb.Item{"pk": text("p")}},
		&dynamodb.QueryInput{TableName: &definition.ID, IndexName: aws.String("none")},
		&dynamodb.UpdateItemInput{TableName: &definition.ID, Key: key, UpdateExpression: aws.String("DELETE a :b")},
		&dynamodb.UpdateItemInput{TableName: &definition.ID, Key: key, UpdateExpression: aws.String("SET a = #b")},
		&dynamodb.DeleteItemInput{TableName: &definition.ID, Key: key, ConditionExpression: aws.String("a ~ b")},
		&dynamodb.DeleteItemInput{TableName: &definition.ID, Key: key, ConditionExpression: aws.String("a = :b")},
	} {
		_, err := db.Call(in)
		assert.Error(t, err, "%T", in)
	}
}

// shown returns the expressions of a call.
func shown(in any) string {
	switch in := in.(type) {
	case *dynamodb.PutItemInput:
		return aws.ToString(in.ConditionExpression)
	case *dynamodb.UpdateItemInput:
		return aws.ToString(in.UpdateExpression) + " if " + aws.ToString(in.ConditionExpression)
	case *dynamodb.DeleteItemInput:
		return aws.ToString(in.ConditionExpression)
	case *dynamodb.ScanInput:
		return aws.ToString(in.FilterExpression)
	case *dynamodb.QueryInput:
		return aws.ToString(in.KeyConditionExpression) + " and " + aws.ToString(in.FilterExpression)
	default:
		return ""
	}
}

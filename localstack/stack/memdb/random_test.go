package memdb_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"pgregory.net/rapid"

	"aviso/localstack/stack/memdb"
)

// Whatever is called, in whatever order, the database in memory answers like the emulator.
func TestRandomCalls(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	partitions := 0
	rapid.Check(t, func(r *rapid.T) {
		partitions++ // fewer tables: the emulator takes longer for each
		c := calls{T: r, pair: p, pk: fmt.Sprintf("p%d", partitions)}
		for range rapid.IntRange(5, 30).Draw(r, "calls") {
			p.both(r, c.draw())
			if r.Failed() {
				return
			}
		}
		p.both(r, query(p.rows, "pk = :pk", memdb.Item{":pk": text(c.pk)}))
	})
}

// calls draws calls about a few rows of a partition, so that they meet.
type calls struct {
	*rapid.T
	pair
	pk string
}

// conditions are those that the service uses, and the rest of the language that memdb has.
func conditions() []string {
	return []string{
		"attribute_not_exists(pk)", "attribute_exists(pk)", "version = :one", "version <> :one", "kind = :one",
		"attribute_not_exists(pk) OR version < :two", "attribute_exists(pk) AND version <= :two AND kind <> :a",
		"attribute_not_exists(version) OR (version BETWEEN :one AND :two)", "size(members) = :one", "members = :members",
		"members.m = :one", "attribute_not_exists(members.m)", "NOT (version > :one)", "made = :a",
		"begins_with(kind, :a) OR contains(kind, :b)", "version >= :one AND (attribute_not_exists(made) OR made = :a)",
	}
}

func updates() []string {
	return []string{
		"SET version = :two, kind = :b", "ADD version :one", "REMOVE kind, dueAt", "SET version = version + :one",
		"SET members.m = if_not_exists(members.m, :one)", "SET members = :members REMOVE made", "SET dueAt = :b, dueKind = :pk",
		"SET kind = if_not_exists(made, :a) ADD calls :one", "SET made = kind, kind = :b", "SET version = :two + :one",
		"SET members.n = :long", "SET accountSort = :b, kind = :long", "REMOVE rowId, accountSort",
	}
}

// values returns the values that expressions use: DynamoDB refuses others.
func (c calls) values(expressions ...*string) memdb.Item {
	values := memdb.Item{}
	for name, value := range map[string]types.AttributeValue{
		":one": number("1"), ":two": number("2"), ":a": text("a"), ":b": text("b"), ":pk": text(c.pk),
		":members": mapOf(memdb.Item{"m": number("1")}), ":long": text(strings.Repeat("long", 300)),
	} {
		if slices.ContainsFunc(expressions, func(e *string) bool { return e != nil && uses(*e, name) }) {
			values[name] = value
		}
	}
	if len(values) == 0 {
		return nil
	}
	return values
}

func uses(expression, name string) bool {
	_, after, found := strings.Cut(expression, name)
	return found && (after == "" || strings.ContainsRune(" ,)", rune(after[0])))
}

func (c calls) optional(of []string, label string) *string {
	if i := rapid.IntRange(-1, len(of)-1).Draw(c.T, label); i >= 0 {
		return &of[i]
	}
	return nil
}

func (c calls) key() memdb.Item {
	return key(c.pk, rapid.SampledFrom([]string{"1", "22", "333", "4444"}).Draw(c.T, "sk"))
}

func (c calls) row() memdb.Item {
	row := c.key()
	for _, a := range []struct {
		name   string
		values []types.AttributeValue
	}{
		{"version", []types.AttributeValue{number("1"), number("2"), number("10"), number("-1.50")}},
		{"kind", []types.AttributeValue{text("a"), text("b"), text("ab"), text(strings.Repeat("ab", 700))}},
		{"members", []types.AttributeValue{mapOf(memdb.Item{"m": number("1")})}},
		{"accountSort", []types.AttributeValue{text("x"), text("y")}},
		{"rowId", []types.AttributeValue{text("x")}},
		{"dueKind", []types.AttributeValue{text(c.pk)}},
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
			TableName: &c.rows, Item: c.row(), ConditionExpression: condition, ReturnValuesOnConditionCheckFailure: onRefusal,
			ExpressionAttributeValues: c.values(condition),
		}
	case 2, 3:
		update := rapid.SampledFrom(updates()).Draw(c.T, "update")
		return &dynamodb.UpdateItemInput{
			TableName: &c.rows, Key: c.key(), UpdateExpression: &update, ConditionExpression: condition,
			ReturnValues: types.ReturnValueAllNew, ReturnValuesOnConditionCheckFailure: onRefusal,
			ExpressionAttributeValues: c.values(&update, condition),
		}
	case 4:
		return &dynamodb.DeleteItemInput{
			TableName: &c.rows, Key: c.key(), ConditionExpression: condition, ReturnValuesOnConditionCheckFailure: onRefusal,
			ExpressionAttributeValues: c.values(condition),
		}
	case 5:
		return c.transaction()
	case 6:
		in := get(c.rows, c.key(), rapid.Bool().Draw(c.T, "consistent"))
		in.ProjectionExpression = c.optional([]string{"pk, kind, members"}, "projection")
		return in
	case 7:
		return batchGet(c.rows, key(c.pk, "1"), key(c.pk, "22"), key(c.pk, "none"))
	case 8:
		return batchWrite(c.rows, puts(key(c.pk, "1", memdb.Item{"kind": text("a")})), deletes(key(c.pk, "22")))
	default:
		return c.query()
	}
}

func (c calls) query() any {
	in := &dynamodb.QueryInput{
		TableName: &c.rows, ScanIndexForward: aws.Bool(rapid.Bool().Draw(c.T, "forward")),
		FilterExpression: c.optional([]string{"version = :one", "attribute_exists(kind)"}, "filter"),
	}
	if n := rapid.Int32Range(0, 3).Draw(c.T, "limit"); n > 0 {
		in.Limit = &n
	}
	switch rapid.IntRange(0, 3).Draw(c.T, "index") {
	case 0:
		in.KeyConditionExpression = aws.String(rapid.SampledFrom([]string{
			"pk = :pk", "pk = :pk AND begins_with(sk, :a)", "pk = :pk AND sk < :a", "pk = :pk AND sk BETWEEN :a AND :b",
		}).Draw(c.T, "key"))
	case 1:
		in.IndexName, in.KeyConditionExpression = aws.String("byAccount"), aws.String("pk = :pk")
	case 2:
		in.IndexName, in.KeyConditionExpression = aws.String("byId"), aws.String("pk = :pk AND rowId > :a")
	default:
		in.IndexName, in.KeyConditionExpression = aws.String("due"), aws.String("dueKind = :pk AND dueAt <= :b")
	}
	in.ExpressionAttributeValues = c.values(in.FilterExpression, in.KeyConditionExpression)
	return in
}

func (c calls) transaction() any {
	in := transaction()
	for range rapid.IntRange(1, 3).Draw(c.T, "actions") {
		condition := rapid.SampledFrom(conditions()).Draw(c.T, "condition")
		var a types.TransactWriteItem
		switch rapid.IntRange(0, 3).Draw(c.T, "action") {
		case 0:
			a = txPut(c.rows, c.row(), condition, c.values(&condition))
		case 1:
			update := rapid.SampledFrom(updates()).Draw(c.T, "update")
			a = txUpdate(c.rows, c.key(), update, condition, c.values(&update, &condition))
		case 2:
			a = txDelete(c.rows, c.key(), condition)
			a.Delete.ExpressionAttributeValues = c.values(&condition)
		default:
			a = txCheck(c.rows, c.key(), condition)
			a.ConditionCheck.ExpressionAttributeValues = c.values(&condition)
		}
		in.TransactItems = append(in.TransactItems, a)
	}
	return in
}

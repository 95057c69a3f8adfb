package memdb_test

import (
	"fmt"
	"maps"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/localstack/stack/memdb"
)

// contractCase is calls, one after the other, on a partition of their own.
type contractCase struct {
	name  string
	steps []step
}

// step is a call with the code of its error, if any, and the number of rows, if it counts them.
type step struct {
	code  string
	in    any
	count *int32
}

const (
	refusedByCondition = "ConditionalCheckFailedException"
	malformed          = "ValidationException"
	cancelled          = "TransactionCanceledException"
	missingTable       = "ResourceNotFoundException"
)

func ok(in any) step                        { return step{in: in} }
func fails(code string, in any) step        { return step{code: code, in: in} }
func finds(n int32, in any) step            { return step{in: in, count: &n} }
func text(s string) types.AttributeValue    { return &types.AttributeValueMemberS{Value: s} }
func number(n string) types.AttributeValue  { return &types.AttributeValueMemberN{Value: n} }
func bytesOf(s string) types.AttributeValue { return &types.AttributeValueMemberB{Value: []byte(s)} }
func mapOf(members memdb.Item) types.AttributeValue {
	return &types.AttributeValueMemberM{Value: members}
}
func listOf(elements ...types.AttributeValue) types.AttributeValue {
	return &types.AttributeValueMemberL{Value: elements}
}

// key returns a key with some attributes.
func key(pk, sk string, attributes ...memdb.Item) memdb.Item {
	row := memdb.Item{"pk": text(pk), "sk": text(sk)}
	for _, more := range attributes {
		maps.Copy(row, more)
	}
	return row
}

func put(table string, row memdb.Item) *dynamodb.PutItemInput {
	return &dynamodb.PutItemInput{TableName: &table, Item: row}
}

func putIf(table string, row memdb.Item, condition string, values memdb.Item) *dynamodb.PutItemInput {
	in := put(table, row)
	in.ConditionExpression, in.ExpressionAttributeValues = &condition, values
	in.ReturnValues = types.ReturnValueAllOld
	in.ReturnValuesOnConditionCheckFailure = types.ReturnValuesOnConditionCheckFailureAllOld
	return in
}

func update(table string, key memdb.Item, change, condition string, values memdb.Item) *dynamodb.UpdateItemInput {
	in := &dynamodb.UpdateItemInput{
		TableName: &table, Key: key, UpdateExpression: &change, ExpressionAttributeValues: values,
		ReturnValues: types.ReturnValueAllNew,
	}
	if condition != "" {
		in.ConditionExpression = &condition
	}
	for _, word := range strings.FieldsFunc(change+" "+condition, func(r rune) bool { return strings.ContainsRune(" ,.=()", r) }) {
		if name, ok := strings.CutPrefix(word, "#"); ok {
			if in.ExpressionAttributeNames == nil {
				in.ExpressionAttributeNames = map[string]string{}
			}
			in.ExpressionAttributeNames[word] = name
		}
	}
	return in
}

func get(table string, key memdb.Item, consistent bool) *dynamodb.GetItemInput {
	return &dynamodb.GetItemInput{TableName: &table, Key: key, ConsistentRead: &consistent}
}

func query(table, condition string, values memdb.Item) *dynamodb.QueryInput {
	return &dynamodb.QueryInput{TableName: &table, KeyConditionExpression: &condition, ExpressionAttributeValues: values}
}

func indexed(in *dynamodb.QueryInput, index string) *dynamodb.QueryInput {
	in.IndexName = &index
	return in
}

func filtered(in *dynamodb.QueryInput, filter string) *dynamodb.QueryInput {
	in.FilterExpression = &filter
	return in
}

func batchGet(table string, keys ...memdb.Item) *dynamodb.BatchGetItemInput {
	return &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
		table: {Keys: keys, ConsistentRead: aws.Bool(true)},
	}}
}

func batchWrite(table string, requests ...types.WriteRequest) *dynamodb.BatchWriteItemInput {
	return &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{table: requests}}
}

func puts(row memdb.Item) types.WriteRequest {
	return types.WriteRequest{PutRequest: &types.PutRequest{Item: row}}
}

func deletes(key memdb.Item) types.WriteRequest {
	return types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: key}}
}

func transaction(actions ...types.TransactWriteItem) *dynamodb.TransactWriteItemsInput {
	return &dynamodb.TransactWriteItemsInput{TransactItems: actions}
}

func txPut(table string, row memdb.Item, condition string, values memdb.Item) types.TransactWriteItem {
	a := &types.Put{
		TableName: &table, Item: row, ExpressionAttributeValues: values,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	if condition != "" {
		a.ConditionExpression = &condition
	}
	return types.TransactWriteItem{Put: a}
}

func txUpdate(table string, key memdb.Item, change, condition string, values memdb.Item) types.TransactWriteItem {
	in := update(table, key, change, condition, values)
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &table, Key: key, UpdateExpression: &change, ConditionExpression: in.ConditionExpression,
		ExpressionAttributeValues: values, ExpressionAttributeNames: in.ExpressionAttributeNames,
	}}
}

func txCheck(table string, key memdb.Item, condition string) types.TransactWriteItem {
	return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
		TableName: &table, Key: key, ConditionExpression: &condition,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}}
}

func txDelete(table string, key memdb.Item, condition string) types.TransactWriteItem {
	return types.TransactWriteItem{Delete: &types.Delete{TableName: &table, Key: key, ConditionExpression: &condition}}
}

func writes(p pair) []contractCase {
	k := func(sk string, attributes ...memdb.Item) memdb.Item { return key("writes", sk, attributes...) }
	a, one := memdb.Item{":a": text("a")}, memdb.Item{":one": number("1")}
	deleteAgain := &dynamodb.DeleteItemInput{TableName: &p.rows, Key: k("put"), ReturnValues: types.ReturnValueAllOld}
	deleteIf := &dynamodb.DeleteItemInput{
		TableName: &p.rows, Key: k("put"), ConditionExpression: aws.String("kind = :a"), ExpressionAttributeValues: a,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	u := func(sk, change, condition string, values memdb.Item) any {
		return update(p.rows, k(sk), change, condition, values)
	}
	return []contractCase{
		{"put and delete", []step{
			ok(putIf(p.rows, k("put", memdb.Item{"kind": text("b")}), "attribute_not_exists(pk)", nil)),
			fails(refusedByCondition, putIf(p.rows, k("put"), "attribute_not_exists(pk)", nil)),
			fails(refusedByCondition, putIf(p.rows, k("put"), "attribute_exists(pk) AND kind = :a", a)),
			ok(putIf(p.rows, k("put", memdb.Item{"empty": text(""), "none": &types.AttributeValueMemberNULL{Value: true}}),
				"attribute_exists(pk) AND kind <> :a", a)),
			ok(get(p.rows, k("put"), true)),
			fails(refusedByCondition, deleteIf), ok(deleteAgain), ok(deleteAgain), fails(refusedByCondition, deleteIf),
		}},
		{"updates", []step{
			ok(u("u", "SET kind = :a, made = :one", "attribute_not_exists(pk)", memdb.Item{":a": text("a"), ":one": number("1")})),
			ok(u("u", "ADD made :one SET kept = if_not_exists(kept, :a), #status = kind REMOVE kind", "",
				memdb.Item{":a": text("a"), ":one": number("1")})),
			ok(u("u", "SET kept = if_not_exists(kept, :b)", "", memdb.Item{":b": text("b")})),
			ok(u("u", "SET made = made + :one, another = made + :one", "made >= :one", one)),
			ok(u("u", "SET members = :m", "", memdb.Item{":m": mapOf(memdb.Item{"x": number("1")})})),
			ok(u("u", "SET members.#y = :a REMOVE members.x", "attribute_not_exists(members.#y)", a)),
			fails(refusedByCondition, u("u", "SET members.#y = :a", "attribute_not_exists(members.#y)", a)),
			ok(u("u", "SET many = :l", "", memdb.Item{":l": listOf(text("a"))})),
			ok(u("u", "SET many = :l", "size(members) = :one", memdb.Item{":l": listOf(text("b"), number("2")), ":one": number("1")})),
			ok(u("u", "REMOVE absent, members", "", nil)),
			ok(u("counted", "ADD made :minus", "", memdb.Item{":minus": number("-3")})),
			ok(u("bytes", "SET body = :b", "", memdb.Item{":b": bytesOf("\x00\xff")})),
			fails(refusedByCondition, u("absent", "SET kind = :a", "attribute_exists(pk)", a)),
			ok(u("indexed", "SET dueKind = :a, dueAt = :a", "", a)),
			ok(u("indexed", "REMOVE dueKind", "", nil)),
		}},
		{"batches", []step{
			ok(batchWrite(p.rows, puts(k("b1")), puts(k("b2", memdb.Item{"dueKind": text("a"), "dueAt": text("a")})),
				deletes(k("none")))),
			ok(batchWrite(p.rows, deletes(k("b1")), deletes(k("b2")))),
			ok(&dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{
				p.jobs: {puts(memdb.Item{"pk": text("batch")})}, p.rows: {puts(k("b3"))},
			}}),
		}},
	}
}

func transactions(p pair) []contractCase {
	k := func(sk string, attributes ...memdb.Item) memdb.Item { return key("transactions", sk, attributes...) }
	job := memdb.Item{"pk": text("transactions")}
	one := memdb.Item{":one": number("1")}
	return []contractCase{
		{"a transaction across tables", []step{
			ok(transaction(
				txPut(p.jobs, job, "attribute_not_exists(pk)", nil), txPut(p.rows, k("1", memdb.Item{"version": number("1")}), "", nil),
				txUpdate(p.rows, k("2"), "SET kind = :one", "", one), txCheck(p.rows, k("3"), "attribute_not_exists(pk)"),
			)),
			ok(transaction(txUpdate(p.rows, k("1"), "ADD version :one", "version = :one", one),
				txDelete(p.rows, k("2"), "attribute_exists(pk)"), txCheck(p.jobs, job, "attribute_exists(pk)"))),
			ok(get(p.rows, k("1"), true)), ok(get(p.rows, k("2"), true)),
		}},
		{"a cancelled transaction says why and changes nothing", []step{
			fails(cancelled, transaction(txPut(p.jobs, job, "attribute_not_exists(pk)", nil),
				txPut(p.rows, k("4"), "", nil), txUpdate(p.rows, k("1"), "SET kind = :one", "version = :one", one),
				txDelete(p.rows, k("2"), "attribute_exists(pk)"), txCheck(p.rows, k("3"), "attribute_exists(pk)"))),
			fails(cancelled, transaction(txPut(p.rows, k("4"), "", nil), txUpdate(p.rows, k("1"), "SET kind = absent", "", nil))),
			fails(cancelled, transaction(txPut(p.rows, k("4"), "", nil), txUpdate(p.rows, k("1"),
				"SET kind = version + absent", "", nil))),
			ok(get(p.rows, k("4"), true)), ok(get(p.rows, k("1"), true)),
		}},
	}
}

func reads(p pair) []contractCase {
	k := func(sk string, attributes ...memdb.Item) memdb.Item { return key("reads", sk, attributes...) }
	var rows []step
	for i := range 6 {
		rows = append(rows, ok(put(p.rows, k(fmt.Sprintf("a#%d", i), memdb.Item{
			"kind": text([]string{"x", "y", "xy"}[i%3]), "version": number(fmt.Sprint(i)), "note": text(strings.Repeat("n", 1500*i)),
			"dueKind": text("reads"), "dueAt": text(fmt.Sprint(9 - i)), "accountSort": text(fmt.Sprintf("%d", i%2)),
			"rowId": text(fmt.Sprintf("id-%d", i)), "members": mapOf(memdb.Item{"m": number(fmt.Sprint(i))}),
		}))))
	}
	rows = append(rows, ok(put(p.rows, k("b"))), ok(put(p.rows, key("others", "a#1"))))
	q := func(condition string, values memdb.Item) *dynamodb.QueryInput {
		values[":pk"] = text("reads")
		return query(p.rows, "pk = :pk"+condition, values)
	}
	steps := []step{
		finds(7, q("", memdb.Item{})), finds(6, q(" AND begins_with(sk, :a)", memdb.Item{":a": text("a#")})),
		finds(1, q(" AND sk = :a", memdb.Item{":a": text("a#1")})), finds(2, q(" AND sk < :a", memdb.Item{":a": text("a#2")})),
		finds(3, q(" AND sk <= :a", memdb.Item{":a": text("a#2")})), finds(4, q(" AND sk > :a", memdb.Item{":a": text("a#2")})),
		finds(5, q(" AND sk >= :a", memdb.Item{":a": text("a#2")})),
		finds(3, q(" AND sk BETWEEN :a AND :b", memdb.Item{":a": text("a#2"), ":b": text("a#4")})),
		finds(6, indexed(q("", memdb.Item{}), "byAccount")), finds(6, indexed(q("", memdb.Item{}), "byId")),
		finds(1, indexed(q(" AND rowId = :a", memdb.Item{":a": text("id-3")}), "byId")),
		finds(5, indexed(query(p.rows, "dueKind = :k AND dueAt <= :t", memdb.Item{":k": text("reads"), ":t": text("8")}), "due")),
		finds(0, query(p.rows, "pk = :pk", memdb.Item{":pk": text("nobody")})),
	}
	for filter, n := range map[string]int32{
		"kind = :a": 2, "kind <> :a": 5, "version > :one": 4, "version BETWEEN :one AND :two": 2,
		"begins_with(kind, :a)": 4, "contains(kind, :b)": 4, "attribute_not_exists(kind)": 1, "NOT attribute_exists(kind)": 1,
		"size(kind) = :two": 2, "members.m = :two": 1, "kind = :a OR version = :one": 3, "kind = :a AND NOT version = :one": 2,
		"(kind = :a OR kind = :b) AND version < :two": 2, "kind = :one": 0, "version < :a": 0, "kind = kind": 6,
		"attribute_exists(absent) OR (version >= :one AND version <= :two)": 2,
	} {
		values := memdb.Item{}
		for name, value := range map[string]types.AttributeValue{
			":a": text("x"), ":b": text("y"), ":one": number("1"), ":two": number("2.0"),
		} {
			if strings.Contains(filter, name) {
				values[name] = value
			}
		}
		steps = append(steps, finds(n, filtered(q("", values), filter)))
	}
	counted := q("", memdb.Item{})
	counted.Select = types.SelectCount
	projected := q("", memdb.Item{})
	projected.ProjectionExpression = aws.String("sk, #kind, absent")
	projected.ExpressionAttributeNames = map[string]string{"#kind": "kind"}
	consistent := q("", memdb.Item{})
	consistent.ConsistentRead = aws.Bool(true)
	from := q("", memdb.Item{})
	from.ExclusiveStartKey = k("a#2x")
	someAttributes := get(p.rows, k("a#1"), false)
	someAttributes.ProjectionExpression = aws.String("version,kind")
	some := &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
		p.rows: {Keys: []memdb.Item{k("a#3"), k("none")}, ProjectionExpression: aws.String("pk, sk, kind")},
		p.jobs: {Keys: []memdb.Item{{"pk": text("none")}}, ConsistentRead: aws.Bool(true)},
	}}
	scan := func(filter string) *dynamodb.ScanInput {
		return &dynamodb.ScanInput{
			TableName: &p.feeds, FilterExpression: &filter, ExpressionAttributeValues: memdb.Item{":p": text("scanned")},
			ConsistentRead: aws.Bool(true),
		}
	}
	indexScan := &dynamodb.ScanInput{TableName: &p.feeds, IndexName: aws.String("due")}
	page := memdb.Item{
		"dueKind": text("pages"), "dueAt": text("1"), "partner": text("acme"), "id": text("7"), "body": text(strings.Repeat("b", 5000)),
	}
	return []contractCase{
		{"rows to read", rows}, {"queries", steps},
		{"counts, projections and pages", []step{
			finds(7, counted), finds(7, projected), finds(7, consistent), finds(4, from),
			ok(get(p.rows, k("none"), true)), ok(get(p.rows, k("a#5"), true)), ok(get(p.rows, k("a#5"), false)), ok(someAttributes),
			ok(batchGet(p.rows, k("a#5"), k("a#4"), k("none"))), ok(some),
		}},
		{"an index with some attributes, and scans", []step{
			ok(put(p.feeds, key("scanned", "1", page))), ok(put(p.feeds, key("scanned", "2"))), ok(put(p.feeds, key("else", "1"))),
			finds(1, indexed(query(p.feeds, "dueKind = :k", memdb.Item{":k": text("pages")}), "due")),
			finds(2, scan("pk = :p")), finds(0, scan("body = :p")), finds(1, indexScan),
			// What the index does not have costs it nothing.
			ok(update(p.feeds, key("scanned", "1"), "SET body = :b", "", memdb.Item{":b": text("short")})),
			ok(update(p.feeds, key("scanned", "1"), "SET partner = :b", "", memdb.Item{":b": text("other")})),
			ok(update(p.feeds, key("scanned", "1"), "SET dueAt = :b", "", memdb.Item{":b": text("2")})),
			finds(1, indexed(query(p.feeds, "dueKind = :k AND dueAt = :t", memdb.Item{":k": text("pages"), ":t": text("2")}), "due")),
			finds(1, indexed(query(p.feeds, "dueKind = :k", memdb.Item{":k": text("pages")}), "due")),
			ok(&dynamodb.DeleteItemInput{TableName: &p.feeds, Key: key("scanned", "1")}),
			finds(0, indexed(query(p.feeds, "dueKind = :k", memdb.Item{":k": text("pages")}), "due")),
		}},
	}
}

func refusals(p pair) []contractCase {
	k := func(sk string, attributes ...memdb.Item) memdb.Item { return key("refusals", sk, attributes...) }
	a := memdb.Item{":a": text("a")}
	u := func(change string, values memdb.Item) any { return update(p.rows, k("row"), change, "", values) }
	condition := func(text string, values memdb.Item) any {
		return update(p.rows, k("row"), "REMOVE absent", text, values)
	}
	limit := query(p.rows, "pk = :a", a)
	limit.Limit = aws.Int32(0)
	consistent := indexed(query(p.rows, "dueKind = :a", a), "due")
	consistent.ConsistentRead = aws.Bool(true)
	many := func(n int) (keys []memdb.Item, requests []types.WriteRequest, actions []types.TransactWriteItem) {
		for i := range n {
			row := k(fmt.Sprintf("many-%d", i))
			keys, requests = append(keys, row), append(requests, puts(row))
			actions = append(actions, txPut(p.rows, row, "", nil))
		}
		return keys, requests, actions
	}
	keys101, _, actions101 := many(101)
	_, requests26, _ := many(26)
	refused := func(name string, calls ...any) contractCase {
		c := contractCase{name: name}
		for _, in := range calls {
			c.steps = append(c.steps, fails(malformed, in))
		}
		return c
	}
	return []contractCase{
		{"a row", []step{ok(put(p.rows, k("row", memdb.Item{"kind": text("x"), "n": number("1"), "l": listOf(text("a"))})))}},
		{"unknown tables", []step{
			fails(missingTable, put("none", k("row"))), fails(missingTable, get("none", k("row"), true)),
			fails(missingTable, query("none", "pk = :a", a)), fails(missingTable, transaction(txPut("none", k("row"), "", nil))),
		}},
		refused("keys", get(p.rows, memdb.Item{"pk": text("a")}, true), get(p.rows, k("row", memdb.Item{"more": text("a")}), true),
			get(p.rows, memdb.Item{"pk": text("a"), "other": text("a")}, true), put(p.rows, memdb.Item{"pk": text("a")}),
			put(p.rows, key("", "row")), put(p.rows, k("")), put(p.rows, memdb.Item{"pk": number("1"), "sk": text("a")}),
			put(p.rows, k(strings.Repeat("s", 1025))), put(p.rows, key(strings.Repeat("p", 2049), "a")),
			put(p.rows, k("row", memdb.Item{"dueKind": number("1")})), put(p.rows, k("row", memdb.Item{"dueKind": text("")})),
			update(p.rows, k("row"), "SET dueKind = :one", "", memdb.Item{":one": number("1")}), u("SET pk = :a", a),
			u("REMOVE sk", nil)),
		refused("placeholders", u("SET kind = :b", nil), u("SET kind = :a", memdb.Item{":a": text("a"), ":b": text("b")}),
			&dynamodb.GetItemInput{TableName: &p.rows, Key: k("row"), ProjectionExpression: aws.String("#none")},
			&dynamodb.GetItemInput{
				TableName: &p.rows, Key: k("row"), ProjectionExpression: aws.String("kind"),
				ExpressionAttributeNames: map[string]string{"#unused": "x"},
			},
			condition("attribute_exists(pk) OR kind = :none", nil)),
		refused("expressions", u("SET kind == :a", a), u("SET kind = :a,", a), u("PUT kind = :a", a), condition("kind ~ :a", a),
			condition("attribute_exists(kind, n)", nil), condition("(kind = :a", a), condition("kind", nil),
			condition("unknown(kind)", nil),
			u("SET kind = :a, kind = :a", a), u("SET members = :a, members.x = :a", a)),
		refused("reserved words", u("SET status = :a", a), u("SET name = :a", a), condition("ttl = :a", a),
			condition("attribute_exists(user)", nil),
			&dynamodb.GetItemInput{TableName: &p.rows, Key: k("row"), ProjectionExpression: aws.String("pk, data")},
			filtered(query(p.rows, "pk = :a", a), "attribute_exists(hash)")),
		refused("updates that do not fit the row", u("SET kind = absent", nil), u("SET kind = kind + :one",
			memdb.Item{":one": number("1")}),
			u("ADD kind :one", memdb.Item{":one": number("1")}), u("SET kind.x = :a", a), u("SET absent.x = :a", a),
			u("SET l = list_append(l, :a)", a), u("ADD n :a", a)),
		refused("queries", limit, consistent, indexed(query(p.rows, "pk = :a", a), "none"), indexed(query(p.rows, "pk = :a", a), "due"),
			query(p.rows, "sk = :a", a), query(p.rows, "pk = :a AND kind = :a", a), query(p.rows, "pk > :a", a),
			query(p.rows, "pk = :a AND sk <> :a", a),
			&dynamodb.QueryInput{TableName: &p.rows}, filtered(query(p.rows, "pk = :a", a), "sk = :a")),
		refused("batches", batchGet(p.rows, keys101...), batchGet(p.rows, k("a"), k("a")),
			batchWrite(p.rows, requests26...), batchWrite(p.rows, puts(k("a")), deletes(k("a")))),
		refused("transactions", transaction(actions101...), transaction(txPut(p.rows, k("a"), "", nil),
			txCheck(p.rows, k("a"), "attribute_exists(pk)")),
			transaction(txPut(p.rows, k(""), "", nil))),
	}
}

// sizes compares what rows weigh: the units at the borders of a unit, and the limits.
func sizes(p pair) []contractCase {
	row := func(pk string, value types.AttributeValue, fill int) memdb.Item {
		return memdb.Item{"pk": text(pk), "v": value, "f": text(strings.Repeat("f", fill))}
	}
	var steps []step
	for i, value := range []types.AttributeValue{
		text("ü€"), bytesOf("abc"), &types.AttributeValueMemberBOOL{Value: true}, &types.AttributeValueMemberNULL{Value: true},
		number("0"), number("7"), number("10"), number("123"), number("-123"), number("1.5"), number("-0.05"), number("1200"),
		number("1790000000000"), mapOf(memdb.Item{}), mapOf(memdb.Item{"a": text("b"), "c": mapOf(memdb.Item{"d": number("1")})}),
		listOf(), listOf(text("a"), number("12"), listOf(text("b"))),
	} {
		// Within 40 bytes, each of these crosses a unit's border at another size.
		for fill := 990; fill < 1030; fill++ {
			steps = append(steps, ok(put(p.jobs, row(fmt.Sprintf("%02d", i), value, fill))))
		}
	}
	big := func(n int) memdb.Item { return key("sizes", "big", memdb.Item{"f": text(strings.Repeat("f", n))}) }
	const most = 400<<10 - len("pksizesskbigf")
	var huge []types.TransactWriteItem
	var keys []memdb.Item
	var filled []step
	for i := range 41 {
		at := key("huge", fmt.Sprintf("%02d", i))
		keys = append(keys, at)
		full := key("huge", fmt.Sprintf("%02d", i), memdb.Item{"f": text(strings.Repeat("f", 399<<10))})
		filled = append(filled, ok(put(p.rows, full)))
		if i < 11 {
			huge = append(huge, txPut(p.rows, full, "", nil))
		}
	}
	filled = append(filled, ok(batchGet(p.rows, keys...)))
	return []contractCase{
		{"units at the border of one", steps},
		{"a row has 400 KB at most", []step{
			ok(put(p.rows, big(most))), fails(malformed, put(p.rows, big(most+1))),
			fails(malformed, update(p.rows, big(0), "REMOVE absent", "", nil)), // f is not in the key
			fails(malformed, update(p.rows, key("sizes", "big"), "SET g = :a", "", memdb.Item{":a": text("a")})),
			fails(malformed, batchWrite(p.rows, puts(big(most+1)))),
			fails(cancelled, transaction(txUpdate(p.rows, key("sizes", "big"), "SET g = :a", "", memdb.Item{":a": text("a")}))),
		}},
		{"a transaction has 4 MB at most", []step{fails(malformed, transaction(huge...))}},
		{"an answer has 16 MB at most", filled},
	}
}

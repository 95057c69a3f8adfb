package memdb_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/stack/memdb"
	"aviso/localstack/template"
	"aviso/localstack/tests/testenv"
)

// pair performs each call on the emulator and in memory.
type pair struct {
	emulator, memory *dynamodb.Client
	// rows is a table with both kinds of indexes; jobs has a partition key only, and feeds has
	// an index with some of the attributes.
	rows, jobs, feeds string
}

// newPair returns a pair with empty tables.
func newPair(t testing.TB) pair {
	t.Helper()
	db := memdb.New(nil)
	table := func(id string) string {
		definition, ok := testenv.Template(t).Table(id)
		require.True(t, ok)
		name := testenv.EmulatorTable(t, id)
		db.Create(name, definition)
		return name
	}
	return pair{
		emulator: testenv.Emulator(t), memory: client(db),
		rows: table("PfmTable"), jobs: table("OutboxTable"), feeds: table("NotificationTable"),
	}
}

func client(db *memdb.DB) *dynamodb.Client {
	config := testenv.Config("http://memory.invalid")
	config.HTTPClient = db
	return dynamodb.NewFromConfig(config)
}

// seen is what a caller sees of an answer.
type seen struct {
	Code   string
	Units  map[string]float64
	Output any
	// Reasons are why a transaction was cancelled; Old are the rows that a refusal shows.
	Reasons []string
	Old     []memdb.Item
}

// see performs a call and returns what the caller sees.
func see(db *dynamodb.Client, in any) (s seen) {
	name := strings.TrimSuffix(reflect.TypeOf(in).Elem().Name(), "Input")
	reflect.ValueOf(in).Elem().FieldByName("ReturnConsumedCapacity").SetString("TOTAL")
	results := reflect.ValueOf(db).MethodByName(name).Call([]reflect.Value{
		reflect.ValueOf(context.Background()), reflect.ValueOf(in),
	})
	if err, failed := reflect.TypeAssert[error](results[1]); failed {
		s.refused(err)
		return s
	}
	out := results[0].Elem()
	s.Units = map[string]float64{}
	switch used := out.FieldByName("ConsumedCapacity").Interface().(type) {
	case *types.ConsumedCapacity:
		s.Units[aws.ToString(used.TableName)] = aws.ToFloat64(used.CapacityUnits)
	case []types.ConsumedCapacity:
		for _, u := range used {
			s.Units[aws.ToString(u.TableName)] = aws.ToFloat64(u.CapacityUnits)
		}
	}
	out.FieldByName("ConsumedCapacity").SetZero()
	out.FieldByName("ResultMetadata").SetZero()
	for _, field := range out.Fields() {
		if kind := field.Kind(); (kind == reflect.Map || kind == reflect.Slice) && field.Len() == 0 {
			field.SetZero()
		}
	}
	switch out := results[0].Interface().(type) {
	case *dynamodb.QueryOutput:
		if len(out.LastEvaluatedKey) > 0 {
			out.ScannedCount = 0 // the emulator counts the row that did not fit the page
		}
	case *dynamodb.ScanOutput: // in no order
		slices.SortFunc(out.Items, byKey)
	case *dynamodb.BatchGetItemOutput:
		for table, rows := range out.Responses {
			if slices.SortFunc(rows, byKey); len(rows) == 0 {
				delete(out.Responses, table)
			}
		}
	}
	s.Output = results[0].Interface()
	return s
}

// refused notes what a caller sees of an error.
func (s *seen) refused(err error) {
	s.Code = err.Error()
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		s.Code = api.ErrorCode()
	}
	if refused, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok && len(refused.Item) > 0 {
		s.Old = append(s.Old, refused.Item)
	}
	if cancelled, ok := errors.AsType[*types.TransactionCanceledException](err); ok {
		for _, reason := range cancelled.CancellationReasons {
			s.Reasons = append(s.Reasons, aws.ToString(reason.Code))
			if len(reason.Item) > 0 {
				s.Old = append(s.Old, reason.Item)
			}
		}
	}
}

func byKey(a, b memdb.Item) int {
	return strings.Compare(textOf(a["pk"])+"\n"+textOf(a["sk"]), textOf(b["pk"])+"\n"+textOf(b["sk"]))
}

func textOf(v types.AttributeValue) string {
	s, ok := v.(*types.AttributeValueMemberS)
	if !ok {
		return ""
	}
	return s.Value
}

// both performs a call on both and returns the answer, which must be the same.
func (p pair) both(t assert.TestingT, in any) seen {
	want, got := see(p.emulator, in), see(p.memory, in)
	if !reflect.DeepEqual(want, got) {
		t.Errorf("%s\nemulator: %s\nmemory:   %s", shown(in), shown(want), shown(got))
	}
	return want
}

// shown is a value as JSON, shortened.
func shown(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	short := long.ReplaceAllString(empty.ReplaceAllString(string(text), ""), `$1…"`)
	return fmt.Sprintf("%T %.700s", v, short)
}

var (
	empty = regexp.MustCompile(`"\w+":(null|""|\{\}|0),?`)
	long  = regexp.MustCompile(`("[^"]{25})[^"]*"`)
)

// Whatever the service uses, the database in memory answers like the emulator: rows, errors
// and consumed units.
func TestContract(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	for _, c := range slices.Concat(writes(p), transactions(p), reads(p), refusals(p), sizes(p)) {
		t.Run(c.name, func(t *testing.T) {
			for _, s := range c.steps {
				got := p.both(t, s.in)
				if s.code != got.Code {
					t.Errorf("%q instead of %q: %s", got.Code, s.code, shown(s.in))
				}
				if s.count != nil && got.Output != nil {
					rows := reflect.ValueOf(got.Output).Elem().FieldByName("Count").Int()
					assert.EqualValues(t, *s.count, rows)
				}
			}
		})
	}
	everything := &dynamodb.ScanInput{TableName: &p.rows, ConsistentRead: aws.Bool(true)}
	assert.Greater(t, p.all(t, everything), 40)
}

// all reads all pages and compares their rows, whose order may differ.
func (p pair) all(t *testing.T, in *dynamodb.ScanInput) int {
	t.Helper()
	read := func(db *dynamodb.Client) (rows []memdb.Item) {
		for pages := dynamodb.NewScanPaginator(db, in); pages.HasMorePages(); {
			page, err := pages.NextPage(t.Context())
			require.NoError(t, err)
			rows = append(rows, page.Items...)
		}
		slices.SortFunc(rows, byKey)
		return rows
	}
	rows := read(p.memory)
	require.Equal(t, read(p.emulator), rows)
	return len(rows)
}

// A page ends where the emulator's page ends, and the next one goes on there.
func TestPages(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	for _, pk := range []string{"few", "big"} {
		for i := range 7 {
			row := key(pk, string(rune('0'+i)), memdb.Item{
				"accountSort": text(string(rune('0' + i%3))), "dueKind": text(pk), "dueAt": text("b"),
			})
			if pk == "big" {
				row["note"] = text(strings.Repeat("x", 300<<10))
			}
			p.both(t, put(p.rows, row))
		}
		for _, index := range []string{"", "byAccount", "due"} {
			for _, forward := range []bool{true, false} {
				in := query(p.rows, "pk = :pk", memdb.Item{":pk": text(pk)})
				if index == "due" {
					in = query(p.rows, "dueKind = :pk AND dueAt <= :b", memdb.Item{":pk": text(pk), ":b": text("b")})
				}
				if index != "" {
					in.IndexName = &index
				}
				if in.ScanIndexForward = &forward; pk == "few" {
					in.Limit = aws.Int32(2)
				}
				assert.Equal(t, 7, p.pages(t, in))
			}
		}
	}
}

func (p pair) pages(t *testing.T, in *dynamodb.QueryInput) (rows int) {
	t.Helper()
	for {
		out, ok := p.both(t, in).Output.(*dynamodb.QueryOutput)
		require.True(t, ok)
		rows += len(out.Items)
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 {
			return rows
		}
	}
}

// A transaction that is sent again with its token is done once.
func TestTokens(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	calls := "ADD calls :one"
	again := transaction(types.TransactWriteItem{Update: &types.Update{
		TableName: &p.jobs, Key: memdb.Item{"pk": text("a")}, UpdateExpression: &calls,
		ExpressionAttributeValues: memdb.Item{":one": number("1")},
	}})
	again.ClientRequestToken = aws.String("a transaction's token")
	for range 3 {
		got := see(p.emulator, again)
		got.Units, again.ReturnConsumedCapacity = nil, "" // the emulator counts a repeated one as a write
		remembered := see(p.memory, again)
		remembered.Units = nil
		require.Equal(t, got, remembered)
	}
	row := &dynamodb.GetItemInput{TableName: &p.jobs, Key: memdb.Item{"pk": text("a")}}
	out, ok := p.both(t, row).Output.(*dynamodb.GetItemOutput)
	require.True(t, ok)
	assert.Equal(t, number("1"), out.Item["calls"])

	other := transaction(types.TransactWriteItem{Delete: &types.Delete{TableName: &p.jobs, Key: row.Key}})
	other.ClientRequestToken = again.ClientRequestToken
	assert.Equal(t, "IdempotentParameterMismatchException", p.both(t, other).Code)
}

// Of many writers that read a version and write the next, one wins each round.
func TestConcurrentWriters(t *testing.T) {
	t.Parallel()
	db := memdb.New(nil)
	definition, _ := testenv.Template(t).Table("OutboxTable")
	db.Create("jobs", definition)
	c := client(db)
	const writers, each = 8, 25
	refused := make(chan int)
	for range writers {
		go func() {
			n := 0
			for done := 0; done < each; {
				row := see(c, &dynamodb.GetItemInput{TableName: aws.String("jobs"), Key: memdb.Item{"pk": text("a")}})
				in := update("jobs", memdb.Item{"pk": text("a")}, "ADD version :one", "attribute_not_exists(version)",
					memdb.Item{":one": number("1")})
				if out, _ := row.Output.(*dynamodb.GetItemOutput); len(out.Item) > 0 {
					in.ConditionExpression = aws.String("version = :was")
					in.ExpressionAttributeValues[":was"] = out.Item["version"]
				}
				if s := see(c, in); s.Code == "" {
					done++
				} else {
					n++
				}
			}
			refused <- n
		}()
	}
	total := 0
	for range writers {
		total += <-refused
	}
	t.Logf("%d writes, %d refused", writers*each, total)
	assert.Equal(t, number("200"), db.Items("jobs")[0]["version"])
}

func TestCopiesAreSeparate(t *testing.T) {
	t.Parallel()
	definition, _ := testenv.Template(t).Table("PfmTable")
	db := memdb.New([]template.Table{definition})
	require.Empty(t, see(client(db), put("PfmTable", memdb.Item{"pk": text("p"), "sk": text("1")})).Code)
	other := db.Clone()
	require.Empty(t, see(client(other), put("PfmTable", memdb.Item{"pk": text("p"), "sk": text("2")})).Code)
	row := db.Items("PfmTable")[0]
	change := update("PfmTable", memdb.Item{"pk": text("p"), "sk": text("1")}, "SET kind = :a", "", memdb.Item{":a": text("a")})
	require.Empty(t, see(client(other), change).Code)
	assert.Len(t, db.Items("PfmTable"), 1)
	assert.NotContains(t, row, "kind")
	assert.Contains(t, other.Items("PfmTable")[0], "kind")
}

// The emulator accepts these; DynamoDB does not.
func TestIsAsStrictAsDynamoDB(t *testing.T) {
	t.Parallel()
	definition, _ := testenv.Template(t).Table("PfmTable")
	db := memdb.New([]template.Table{definition})
	a := memdb.Item{":a": text("a")}
	for name, in := range map[string]any{
		"a path that does not exist":  update("PfmTable", key("p", "1"), "REMOVE members.m", "", nil),
		"a key of the wrong type":     query("PfmTable", "pk = :a", memdb.Item{":a": number("1")}),
		"a transaction changes a key": transaction(txUpdate("PfmTable", key("p", "1"), "SET pk = :a", "", a)),
		"a transaction is malformed":  transaction(txCheck("PfmTable", key("p", "1"), "kind ~ kind")),
	} {
		assert.Equal(t, malformed, see(client(db), in).Code, name)
	}
}

// What memdb does not have it refuses, rather than answer wrongly.
func TestRefusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	definition, _ := testenv.Template(t).Table("PfmTable")
	db := memdb.New([]template.Table{definition})
	key := memdb.Item{"pk": text("p"), "sk": text("1")}
	set := &types.AttributeValueMemberSS{Value: []string{"a"}}
	changed := update("PfmTable", key, "SET kind = :a", "", memdb.Item{":a": text("a")})
	changed.ReturnValues = types.ReturnValueUpdatedOld
	for _, in := range []any{
		&dynamodb.UpdateItemInput{TableName: &definition.ID, Key: key}, changed,
		update("PfmTable", key, "DELETE kinds :a", "", memdb.Item{":a": set}),
		put("PfmTable", memdb.Item{"pk": text("p"), "sk": text("1"), "set": set}),
		&dynamodb.GetItemInput{TableName: &definition.ID, Key: key, ProjectionExpression: aws.String("members.m")},
		&dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{{Get: &types.Get{TableName: &definition.ID, Key: key}}}},
	} {
		assert.Equal(t, "ValidationException", see(client(db), in).Code, "%T", in)
	}
	_, err := db.Call(&dynamodb.ListBackupsInput{})
	require.ErrorContains(t, err, "does not support")
}

// Clients that are configured with an address find the tables, too.
func TestServesOverTheNetwork(t *testing.T) {
	t.Parallel()
	definition, _ := testenv.Template(t).Table("OutboxTable")
	db := memdb.New([]template.Table{definition})
	server := httptest.NewServer(db)
	t.Cleanup(server.Close)
	c := dynamodb.NewFromConfig(testenv.Config(server.URL))
	require.Empty(t, see(c, put("OutboxTable", memdb.Item{"pk": text("a"), "body": text("<ü&\">")})).Code)
	assert.Equal(t, text("<ü&\">"), db.Items("OutboxTable")[0]["body"])
	_, err := c.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: &definition.ID})
	require.NoError(t, err)
	assert.Equal(t, "ResourceNotFoundException", see(c, put("OutboxTable", memdb.Item{"pk": text("a")})).Code)
}

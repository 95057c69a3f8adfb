// Package testenv provides tests with the tables and queues of template.yaml: with tables in
// memory, and with DynamoDB and SQS emulators. A test binary starts each emulator once, when
// a test first needs it. Every table and queue has a unique name, so that tests can run in
// parallel.
//
// If AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL_SQS or AWS_ENDPOINT_URL is set, tests use
// that endpoint instead of an emulator. A missing backend fails the test and never
// skips it.
package testenv

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/stack/emulator"
	"aviso/localstack/stack/memdb"
	"aviso/localstack/stack/provision"
	"aviso/localstack/template"
	"aviso/localstack/tests/logtest"
)

// Config returns the configuration of an emulator's client.
func Config(endpoint string) aws.Config { return provision.Config(endpoint) }

// The backends of this test binary, which end with it.
var (
	inMemory = memdb.New(nil) //nolint:gochecknoglobals // see above
	// overHTTP serves the tables in memory to those who make their own client. It starts before
	// the tests: the clock of a synctest bubble stands still once a server has started in it.
	overHTTP         = httptest.NewServer(inMemory) //nolint:gochecknoglobals // the same
	dynamoDBEndpoint = backend("AWS_ENDPOINT_URL_DYNAMODB", emulator.StartDynamoDB)
	sqsEndpoint      = backend("AWS_ENDPOINT_URL_SQS", emulator.StartSQS)
	readTemplate     = sync.OnceValues(load)
)

func backend(
	variable string, start func(context.Context, string) (*emulator.Process, error),
) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		if endpoint := cmp.Or(os.Getenv(variable), os.Getenv("AWS_ENDPOINT_URL")); endpoint != "" {
			return endpoint, nil
		}
		process, err := start(context.Background(), "")
		if err != nil {
			return "", err
		}
		return process.URL, nil
	})
}

func load() (*template.Template, error) {
	dir, err := emulator.Folder()
	if err != nil {
		return nil, err
	}
	return template.Load(filepath.Join(dir, "..", "template.yaml"), func(parameter string) (string, bool) {
		return "local", parameter == "Environment"
	})
}

// Template returns template.yaml for the environment local.
func Template(t testing.TB) *template.Template {
	t.Helper()
	tpl, err := readTemplate()
	require.NoError(t, err)
	return tpl
}

// DynamoDB returns a client of the tables in memory.
func DynamoDB(t testing.TB) *dynamodb.Client {
	t.Helper()
	config := Config(overHTTP.URL)
	config.HTTPClient = inMemory
	return dynamodb.NewFromConfig(config)
}

// Table creates the table with this logical ID in memory for one test, and returns its name. Tests
// that have tables must log no personal data.
func Table(t testing.TB, logicalID string) string {
	t.Helper()
	logtest.Check(t)
	name := prefix() + logicalID
	inMemory.Create(name, definition(t, logicalID))
	t.Cleanup(func() { inMemory.Drop(name) })
	return name
}

func config(t testing.TB, backend func() (string, error)) aws.Config {
	t.Helper()
	endpoint, err := backend()
	require.NoError(t, err)
	return Config(endpoint)
}

// Emulator returns a client of the DynamoDB emulator.
func Emulator(t testing.TB) *dynamodb.Client {
	t.Helper()
	return dynamodb.NewFromConfig(config(t, dynamoDBEndpoint))
}

// EmulatorTable is like Table, but in the emulator.
func EmulatorTable(t testing.TB, logicalID string) string {
	t.Helper()
	name, client := prefix()+logicalID, Emulator(t)
	require.NoError(t, provision.Table(context.Background(), client, definition(t, logicalID), name))
	// In the emulator, every new table takes longer the more there are. A test may have deleted
	// its table itself.
	t.Cleanup(func() { _, _ = client.DeleteTable(context.Background(), &dynamodb.DeleteTableInput{TableName: &name}) })
	return name
}

func definition(t testing.TB, logicalID string) template.Table {
	t.Helper()
	table, ok := Template(t).Table(logicalID)
	require.Truef(t, ok, "the template has no table %s", logicalID)
	return table
}

// Streams returns a client of the emulator's streams.
func Streams(t testing.TB) *dynamodbstreams.Client {
	t.Helper()
	return dynamodbstreams.NewFromConfig(config(t, dynamoDBEndpoint))
}

// SQS returns a client of the SQS emulator.
func SQS(t testing.TB) *sqs.Client {
	t.Helper()
	return sqs.NewFromConfig(config(t, sqsEndpoint))
}

// Queue creates the queue with this logical ID for one test, with its dead-letter queue,
// and returns its address.
func Queue(t testing.TB, logicalID string) string {
	t.Helper()
	url, err := provision.Queue(context.Background(), SQS(t), Template(t), logicalID, prefix())
	require.NoError(t, err)
	return url
}

func prefix() string { return uuid.NewString()[:13] + "-" }

// Golden items are what a store has written, in testdata/golden.json of its package. They
// pin the names of keys and attributes, which cannot be renamed in production's tables. A
// store has two tests: one writes rows of every kind and compares them with Golden, the
// other reads them back from GoldenTable.

const goldenFile = "testdata/golden.json"

//nolint:gochecknoglobals // flags are known before tests run
var update = flag.Bool("update", false, "rewrite "+goldenFile)

// Golden compares all items of the tables, whose names are given by logical ID, with
// testdata/golden.json. The flag -update writes the file first. Use it for new rows and
// attributes, never to rename one.
func Golden(t testing.TB, tables map[string]string) {
	t.Helper()
	got := map[string][]any{}
	for logicalID, table := range tables {
		out, err := DynamoDB(t).Scan(t.Context(), &dynamodb.ScanInput{TableName: &table})
		require.NoError(t, err)
		require.Empty(t, out.LastEvaluatedKey, "the rows do not fit into one page")
		for _, item := range out.Items {
			text, err := attributevalue.MarshalMapJSON(item)
			require.NoError(t, err)
			var row any
			require.NoError(t, json.Unmarshal(text, &row))
			got[logicalID] = append(got[logicalID], row)
		}
	}
	if *update {
		text, err := json.MarshalIndent(got, "", " ")
		require.NoError(t, err)
		text = regexp.MustCompile(`\n {4,}|\n   (})`).ReplaceAll(text, []byte("$1")) // an attribute to a line
		require.NoError(t, os.MkdirAll(filepath.Dir(goldenFile), 0o750))
		require.NoError(t, os.WriteFile(goldenFile, append(text, '\n'), 0o600))
	}
	want := map[string][]any{}
	text, err := os.ReadFile(goldenFile)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &want))
	assert.ElementsMatch(t, slices.Collect(maps.Keys(want)), slices.Collect(maps.Keys(got)))
	for logicalID := range got {
		assert.ElementsMatch(t, want[logicalID], got[logicalID])
	}
}

// GoldenTable creates a table with its items from testdata/golden.json.
func GoldenTable(t testing.TB, logicalID string) string {
	t.Helper()
	text, err := os.ReadFile(goldenFile)
	require.NoError(t, err)
	var golden map[string][]json.RawMessage
	require.NoError(t, json.Unmarshal(text, &golden))
	require.NotEmpty(t, golden[logicalID])
	table := Table(t, logicalID)
	for _, row := range golden[logicalID] {
		item, err := attributevalue.UnmarshalMapJSON(row)
		require.NoError(t, err)
		_, err = DynamoDB(t).PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
		require.NoError(t, err)
	}
	return table
}

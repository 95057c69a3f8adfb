// Package testenv provides tests with DynamoDB and SQS emulators, and with the tables and
// queues of template.yaml. A test binary starts each emulator once, when a test first needs
// it. Every table and queue has a unique name, so that tests can run in parallel.
//
// If AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL_SQS or AWS_ENDPOINT_URL is set, tests use
// that endpoint instead. A missing backend fails the test and never skips it.
package testenv

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo/dynamojson"
	"aviso/localstack/emulator"
	"aviso/localstack/provision"
	"aviso/localstack/template"
)

// Config returns the configuration of an emulator's client.
func Config(endpoint string) aws.Config { return provision.Config(endpoint) }

// The emulators of this test binary, which end with it.
var (
	dynamoDBEndpoint = backend("AWS_ENDPOINT_URL_DYNAMODB", emulator.StartDynamoDB)
	sqsEndpoint      = backend("AWS_ENDPOINT_URL_SQS", emulator.StartSQS)
	readTemplate     = sync.OnceValues(load)
)

func backend(
	variable string, start func(context.Context, emulator.Options) (*emulator.Process, error),
) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		for _, name := range []string{variable, "AWS_ENDPOINT_URL"} {
			if endpoint := os.Getenv(name); endpoint != "" {
				return endpoint, nil
			}
		}
		process, err := start(context.Background(), emulator.Options{})
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

// DynamoDB returns a client of the DynamoDB emulator.
func DynamoDB(t testing.TB) *dynamodb.Client {
	t.Helper()
	endpoint, err := dynamoDBEndpoint()
	require.NoError(t, err)
	return dynamodb.NewFromConfig(Config(endpoint), dynamojson.Install)
}

// Streams returns a client of the same emulator's streams.
func Streams(t testing.TB) *dynamodbstreams.Client {
	t.Helper()
	endpoint, err := dynamoDBEndpoint()
	require.NoError(t, err)
	return dynamodbstreams.NewFromConfig(Config(endpoint))
}

// Table creates the table with this logical ID for one test, and returns its name.
func Table(t testing.TB, logicalID string) string {
	t.Helper()
	table, ok := Template(t).Table(logicalID)
	require.Truef(t, ok, "the template has no table %s", logicalID)
	name, client := prefix()+logicalID, DynamoDB(t)
	require.NoError(t, provision.Table(context.Background(), client, table, name))
	// In the emulator, every new table takes longer the more there are. A test may have deleted
	// its table itself.
	t.Cleanup(func() { _, _ = client.DeleteTable(context.Background(), &dynamodb.DeleteTableInput{TableName: &name}) })
	return name
}

// SQS returns a client of the SQS emulator.
func SQS(t testing.TB) *sqs.Client {
	t.Helper()
	endpoint, err := sqsEndpoint()
	require.NoError(t, err)
	return sqs.NewFromConfig(Config(endpoint))
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

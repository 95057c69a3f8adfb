package memdb_test

import (
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streams "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/stack/memdb"
	"aviso/localstack/stack/provision"
	"aviso/localstack/tests/testenv"
)

// A stream has the same records in memory and in the emulator, in the order of the writes.
func TestStreams(t *testing.T) {
	server := httptest.NewServer(memdb.New(nil))
	defer server.Close()
	config := testenv.Config(server.URL)
	inMemory := recorded(t, dynamodb.NewFromConfig(config), dynamodbstreams.NewFromConfig(config))
	assert.Equal(t, recorded(t, testenv.Emulator(t), testenv.Streams(t)), inMemory)
	require.Len(t, inMemory, 4)
	assert.Equal(t, streams.OperationTypeRemove, inMemory[3].EventName)
}

// recorded writes rows to a new table, and returns what its stream has then.
func recorded(t *testing.T, db *dynamodb.Client, client *dynamodbstreams.Client) (all []streams.Record) {
	definition, _ := testenv.Template(t).Table("OutboxTable")
	name := "streams-" + t.Name()
	require.NoError(t, provision.Table(t.Context(), db, definition, name))
	row := func(id, body string) memdb.Item {
		return memdb.Item{"pk": &types.AttributeValueMemberS{Value: id}, "body": &types.AttributeValueMemberS{Value: body}}
	}
	put := func(id, body string) {
		_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &name, Item: row(id, body)})
		require.NoError(t, err)
	}
	put("a", "1")
	put("a", "2")
	_, err := db.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: &name, Item: row("b", "1")}},
		{ConditionCheck: &types.ConditionCheck{
			TableName: &name, Key: memdb.Item{"pk": row("a", "")["pk"]}, ConditionExpression: aws.String("attribute_exists(pk)"),
		}},
	}})
	require.NoError(t, err)
	_, err = db.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: &name, Key: memdb.Item{"pk": row("a", "")["pk"]}})
	require.NoError(t, err)

	table, err := db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: &name})
	require.NoError(t, err)
	stream := table.Table.LatestStreamArn
	described, err := client.DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: stream})
	require.NoError(t, err)
	for _, shard := range described.StreamDescription.Shards {
		next, err := client.GetShardIterator(t.Context(), &dynamodbstreams.GetShardIteratorInput{
			StreamArn: stream, ShardId: shard.ShardId, ShardIteratorType: streams.ShardIteratorTypeTrimHorizon,
		})
		require.NoError(t, err)
		page := &dynamodbstreams.GetRecordsOutput{NextShardIterator: next.ShardIterator}
		for more := true; more; more = len(page.Records) > 0 {
			page, err = client.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{
				ShardIterator: page.NextShardIterator, Limit: aws.Int32(2),
			})
			require.NoError(t, err)
			all = append(all, page.Records...)
		}
	}
	for i := range all { // what says when and where
		change := all[i].Dynamodb
		change.SequenceNumber, change.ApproximateCreationDateTime, change.SizeBytes = nil, nil, nil
		all[i] = streams.Record{EventName: all[i].EventName, Dynamodb: change}
	}
	return all
}

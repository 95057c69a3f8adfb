package testenv_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/tests/testenv"
)

// The outbox and the chain of events rely on the stream. If an emulator lacked this, their
// tests would mean nothing.
func TestStream(t *testing.T) {
	t.Parallel()
	client, streams, table := testenv.Emulator(t), testenv.Streams(t), testenv.EmulatorTable(t, "OutboxTable")
	_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: map[string]types.AttributeValue{
		"pk": &types.AttributeValueMemberS{Value: "job"}, "note": &types.AttributeValueMemberS{Value: "x"},
	}})
	require.NoError(t, err)
	described, err := client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: &table})
	require.NoError(t, err)
	arn := described.Table.LatestStreamArn
	stream, err := streams.DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	require.NoError(t, err)
	require.NotEmpty(t, stream.StreamDescription.Shards)
	iterator, err := streams.GetShardIterator(t.Context(), &dynamodbstreams.GetShardIteratorInput{
		StreamArn: arn, ShardId: stream.StreamDescription.Shards[0].ShardId,
		ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
	})
	require.NoError(t, err)
	out, err := streams.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: iterator.ShardIterator})
	require.NoError(t, err)
	require.Len(t, out.Records, 1)
	assert.Equal(t, streamtypes.OperationTypeInsert, out.Records[0].EventName)
	assert.Equal(t, &streamtypes.AttributeValueMemberS{Value: "x"}, out.Records[0].Dynamodb.NewImage["note"])

	after, err := streams.GetShardIterator(t.Context(), &dynamodbstreams.GetShardIteratorInput{
		StreamArn: arn, ShardId: stream.StreamDescription.Shards[0].ShardId,
		ShardIteratorType: streamtypes.ShardIteratorTypeAfterSequenceNumber,
		SequenceNumber:    out.Records[0].Dynamodb.SequenceNumber,
	})
	require.NoError(t, err)
	out, err = streams.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: after.ShardIterator})
	require.NoError(t, err)
	assert.Empty(t, out.Records, "reading on after a record does not give it again")
}

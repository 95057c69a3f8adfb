package testenv_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/testenv"
)

type row map[string]types.AttributeValue

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func put(t *testing.T, table string, item row) {
	t.Helper()
	_, err := testenv.DynamoDB(t).PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
	require.NoError(t, err)
}

// The stores rely on these properties. If an emulator lacked one, their tests would mean
// nothing.
func TestEngine(t *testing.T) {
	t.Parallel()

	t.Run("a local index returns its own order, consistently and with every attribute", func(t *testing.T) {
		t.Parallel()
		client, table := testenv.DynamoDB(t), testenv.Table(t, "PfmTable")
		put(t, table, row{"pk": text("U"), "sk": text("1"), "accountSort": text("b"), "note": text("x")})
		put(t, table, row{"pk": text("U"), "sk": text("2"), "accountSort": text("a")})
		put(t, table, row{"pk": text("U"), "sk": text("3")})
		out, err := client.Query(t.Context(), &dynamodb.QueryInput{
			TableName: &table, IndexName: aws.String("byAccount"), ConsistentRead: aws.Bool(true),
			KeyConditionExpression:    aws.String("pk = :pk"),
			ExpressionAttributeValues: row{":pk": text("U")},
		})
		require.NoError(t, err)
		require.Len(t, out.Items, 2)
		assert.Equal(t, text("2"), out.Items[0]["sk"])
		assert.Equal(t, text("x"), out.Items[1]["note"])
	})

	t.Run("a sparse KEYS_ONLY index returns only keys", func(t *testing.T) {
		t.Parallel()
		client, table := testenv.DynamoDB(t), testenv.Table(t, "PfmTable")
		put(t, table, row{"pk": text("U"), "sk": text("1"), "dueKind": text("k"), "dueAt": text("2026"), "note": text("x")})
		put(t, table, row{"pk": text("U"), "sk": text("2")})
		out, err := client.Query(t.Context(), &dynamodb.QueryInput{
			TableName: &table, IndexName: aws.String("due"),
			KeyConditionExpression:    aws.String("dueKind = :k AND dueAt <= :now"),
			ExpressionAttributeValues: row{":k": text("k"), ":now": text("2027")},
		})
		require.NoError(t, err)
		require.Len(t, out.Items, 1)
		assert.Equal(t, row{"pk": text("U"), "sk": text("1"), "dueKind": text("k"), "dueAt": text("2026")}, row(out.Items[0]))
	})

	t.Run("a transaction across tables with a failed check changes nothing and says which check", func(t *testing.T) {
		t.Parallel()
		client, pfm, outbox := testenv.DynamoDB(t), testenv.Table(t, "PfmTable"), testenv.Table(t, "OutboxTable")
		transact := func() error {
			_, err := client.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
				TransactItems: []types.TransactWriteItem{
					{Put: &types.Put{TableName: &outbox, Item: row{"pk": text("job")}}},
					{ConditionCheck: &types.ConditionCheck{
						TableName: &pfm, Key: row{"pk": text("U"), "sk": text("1")},
						ConditionExpression:                 aws.String("attribute_exists(pk)"),
						ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
					}},
				},
			})
			return err
		}
		var cancelled *types.TransactionCanceledException
		require.ErrorAs(t, transact(), &cancelled)
		require.Len(t, cancelled.CancellationReasons, 2)
		assert.Equal(t, "None", *cancelled.CancellationReasons[0].Code)
		assert.Equal(t, "ConditionalCheckFailed", *cancelled.CancellationReasons[1].Code)
		got, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: &outbox, Key: row{"pk": text("job")}})
		require.NoError(t, err)
		assert.Empty(t, got.Item)

		put(t, pfm, row{"pk": text("U"), "sk": text("1")})
		require.NoError(t, transact())
	})

	t.Run("the stream returns writes with their new image", func(t *testing.T) {
		t.Parallel()
		client, streams, table := testenv.DynamoDB(t), testenv.Streams(t), testenv.Table(t, "OutboxTable")
		put(t, table, row{"pk": text("job"), "note": text("x")})
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
	})
}

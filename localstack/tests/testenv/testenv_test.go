package testenv_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	dynamodbtypes "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/tests/testenv"
)

func TestTablesOfTheTemplate(t *testing.T) {
	t.Parallel()
	for _, table := range testenv.Template(t).Tables {
		t.Run(table.ID+" gets a unique name", func(t *testing.T) {
			t.Parallel()
			first, second := testenv.EmulatorTable(t, table.ID), testenv.EmulatorTable(t, table.ID)
			assert.NotEqual(t, first, second)
			out, err := testenv.Emulator(t).DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: &first})
			require.NoError(t, err)
			assert.Equal(t, dynamodbtypes.TableStatusActive, out.Table.TableStatus)
		})
	}
}

func TestQueuesOfTheTemplate(t *testing.T) {
	t.Parallel()
	for _, queue := range testenv.Template(t).Queues {
		t.Run(queue.ID+" accepts and delivers a message", func(t *testing.T) {
			t.Parallel()
			url := testenv.Queue(t, queue.ID)
			_, err := testenv.SQS(t).SendMessage(t.Context(), &sqs.SendMessageInput{
				QueueUrl: &url, MessageBody: aws.String("x"), DelaySeconds: 1, // RetryQueue's own delay is 15 minutes
			})
			require.NoError(t, err)
			out, err := testenv.SQS(t).ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &url, WaitTimeSeconds: 5})
			require.NoError(t, err)
			require.Len(t, out.Messages, 1)
			assert.Equal(t, "x", *out.Messages[0].Body)
		})
	}
}

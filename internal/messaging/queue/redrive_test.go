package queue_test

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/messaging/queue"
	"aviso/localstack/tests/testenv"
)

// fill puts messages 0 to n-1 on a queue.
func fill(t *testing.T, n int) (url string) {
	t.Helper()
	url = testenv.Queue(t, "SyncDeadLetters")
	text, number := "String", "letter"
	for i := range n {
		body := fmt.Sprintf(`{"n":%d}`, i)
		_, err := testenv.SQS(t).SendMessage(t.Context(), &sqs.SendMessageInput{
			QueueUrl: &url, MessageBody: &body,
			MessageAttributes: map[string]types.MessageAttributeValue{"kind": {DataType: &text, StringValue: &number}},
		})
		require.NoError(t, err)
	}
	return url
}

// rest receives the bodies of all visible messages of a queue.
func rest(t *testing.T, url string) map[string]types.Message {
	t.Helper()
	all := map[string]types.Message{}
	for {
		in := &sqs.ReceiveMessageInput{QueueUrl: &url, MaxNumberOfMessages: 10, MessageAttributeNames: []string{"All"}}
		out, err := testenv.SQS(t).ReceiveMessage(t.Context(), in)
		require.NoError(t, err)
		if len(out.Messages) == 0 {
			return all
		}
		for _, m := range out.Messages {
			all[*m.Body] = m
		}
	}
}

func TestRedrive(t *testing.T) {
	t.Parallel()

	t.Run("moves all messages unchanged", func(t *testing.T) {
		t.Parallel()
		from, to := fill(t, 23), testenv.Queue(t, "SyncQueue")
		moved, err := queue.Redrive(t.Context(), testenv.SQS(t), from, to, 1000)
		require.NoError(t, err)
		assert.Equal(t, 23, moved)
		got := rest(t, to)
		require.Len(t, got, 23)
		assert.Equal(t, "letter", *got[`{"n":7}`].MessageAttributes["kind"].StringValue)
		assert.Empty(t, rest(t, from))
	})

	t.Run("moves no more than the limit", func(t *testing.T) {
		t.Parallel()
		from, to := fill(t, 14), testenv.Queue(t, "SyncQueue")
		moved, err := queue.Redrive(t.Context(), testenv.SQS(t), from, to, 12)
		require.NoError(t, err)
		assert.Equal(t, 12, moved)
		assert.Len(t, rest(t, to), 12)
		assert.Len(t, rest(t, from), 2)
	})

	t.Run("keeps messages that it could not send", func(t *testing.T) {
		t.Parallel()
		from := fill(t, 1)
		moved, err := queue.Redrive(t.Context(), testenv.SQS(t), from, from+"-gone", 10)
		require.ErrorContains(t, err, "send dead letter back")
		assert.Zero(t, moved)
		out, err := testenv.SQS(t).GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{
			QueueUrl: &from, AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameApproximateNumberOfMessagesNotVisible},
		})
		require.NoError(t, err)
		assert.Equal(t, "1", out.Attributes["ApproximateNumberOfMessagesNotVisible"], "it becomes visible again after a minute")
	})

	t.Run("discards up to the limit too", func(t *testing.T) {
		t.Parallel()
		from := fill(t, 3)
		deleted, err := queue.Discard(t.Context(), testenv.SQS(t), from, 2)
		require.NoError(t, err)
		assert.Equal(t, 2, deleted)
		assert.Len(t, rest(t, from), 1)
		_, err = queue.Discard(t.Context(), testenv.SQS(t), from+"-gone", 2)
		require.ErrorContains(t, err, "receive dead letters")
	})
}

package queue_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/queue"
	"aviso/localstack/testenv"
)

// receive receives the visible messages of the queue.
func receive(t *testing.T, url string) []types.Message {
	t.Helper()
	out, err := testenv.SQS(t).ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{
		QueueUrl:                    &url,
		MaxNumberOfMessages:         10,
		MessageSystemAttributeNames: []types.MessageSystemAttributeName{types.MessageSystemAttributeNameAll},
	})
	require.NoError(t, err)
	return out.Messages
}

func TestSender(t *testing.T) {
	t.Parallel()

	t.Run("sends the body to the named queue", func(t *testing.T) {
		t.Parallel()
		one, two := testenv.Queue(t, "SyncQueue"), testenv.Queue(t, "SyncQueue")
		s := queue.NewSender(testenv.SQS(t), map[string]string{"one": one, "two": two})
		require.NoError(t, s.Send(t.Context(), "two", "not even JSON: ü"))
		assert.Empty(t, receive(t, one))
		got := receive(t, two)
		require.Len(t, got, 1)
		assert.Equal(t, "not even JSON: ü", *got[0].Body)
	})

	t.Run("delays a message as requested, up to the limit of SQS", func(t *testing.T) {
		t.Parallel()
		url := testenv.Queue(t, "SyncQueue")
		s := queue.NewSender(testenv.SQS(t), map[string]string{"one": url})
		require.NoError(t, s.SendAfter(t.Context(), "one", "later", queue.MaxDelay))
		require.NoError(t, s.SendAfter(t.Context(), "one", "now", 0))
		for _, delay := range []time.Duration{-time.Second, queue.MaxDelay + time.Second} {
			require.ErrorContains(t, s.SendAfter(t.Context(), "one", "never", delay), "is not between 0 and 15m0s")
		}
		got := receive(t, url)
		require.Len(t, got, 1)
		assert.Equal(t, "now", *got[0].Body)
	})

	t.Run("fails for an unknown name or a missing queue", func(t *testing.T) {
		t.Parallel()
		s := queue.NewSender(testenv.SQS(t), map[string]string{"gone": testenv.Queue(t, "SyncQueue") + "-gone"})
		require.ErrorContains(t, s.Send(t.Context(), "other", "{}"), `"other"`)
		require.ErrorContains(t, s.Send(t.Context(), "gone", "{}"), "send to gone")
		require.ErrorContains(t, s.Warm(t.Context(), "other"), `"other"`)
		require.ErrorContains(t, s.Warm(t.Context(), "gone"), "attributes of gone")
	})

	t.Run("opens a connection to a queue", func(t *testing.T) {
		t.Parallel()
		require.NoError(
			t,
			queue.NewSender(testenv.SQS(t), map[string]string{"one": testenv.Queue(t, "SyncQueue")}).Warm(t.Context(), "one"),
		)
	})
}

package queue_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/queue"
	"aviso/internal/observe"
	"aviso/internal/owner"
	"aviso/localstack/tests/testenv"
)

// receive receives the visible messages of the queue.
func receive(t *testing.T, url string) []types.Message {
	t.Helper()
	out, err := testenv.SQS(t).ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{
		QueueUrl: &url, MaxNumberOfMessages: 10,
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
		require.NoError(t, s.SendAll(t.Context(), []outbox.Row{{Queue: "two", Body: "not even JSON: ü"}})[0])
		assert.Empty(t, receive(t, one))
		got := receive(t, two)
		require.Len(t, got, 1)
		assert.Equal(t, "not even JSON: ü", *got[0].Body)
	})

	t.Run("delays a message as requested, up to the limit of SQS", func(t *testing.T) {
		t.Parallel()
		url := testenv.Queue(t, "SyncQueue")
		s := queue.NewSender(testenv.SQS(t), map[string]string{"one": url})
		require.NoError(t, s.SendJSON(t.Context(), "one", "later", queue.MaxDelay))
		require.NoError(t, s.SendJSON(t.Context(), "one", "now", 0))
		for _, delay := range []time.Duration{-time.Second, queue.MaxDelay + time.Second} {
			require.ErrorContains(t, s.SendJSON(t.Context(), "one", "never", delay), "is not between 0 and 15m0s")
		}
		got := receive(t, url)
		require.Len(t, got, 1)
		assert.Equal(t, `"now"`, *got[0].Body)
	})

	t.Run("says whose a message is, which makes a standard queue fair", func(t *testing.T) {
		t.Parallel()
		var groups []*string
		client := sqs.New(testenv.SQS(t).Options(), testenv.AroundSQS(func(call any, next func() (any, error)) (any, error) {
			for _, entry := range call.(*sqs.SendMessageBatchInput).Entries {
				groups = append(groups, entry.MessageGroupId)
			}
			return next()
		}))
		s := queue.NewSender(client, map[string]string{"one": testenv.Queue(t, "SyncQueue")})
		rows := []outbox.Row{{Queue: "one", Body: `{"partner":"acme"}`}, {Queue: "one", Body: `{"partner":""}`}, {Queue: "one", Body: `[1]`}}
		require.NoError(t, errors.Join(s.SendAll(t.Context(), rows)...))
		require.NoError(t, s.SendJSON(t.Context(), "one", owner.User{Partner: "acme", ID: "u"}, time.Second))
		assert.Equal(t, []*string{aws.String("acme"), nil, nil, aws.String("acme")}, groups, "SQS refuses an empty one")
	})

	t.Run("fails for an unknown name or a missing queue", func(t *testing.T) {
		t.Parallel()
		s := queue.NewSender(testenv.SQS(t), map[string]string{"gone": testenv.Queue(t, "SyncQueue") + "-gone"})
		require.ErrorContains(t, s.SendJSON(t.Context(), "other", 1, 0), `"other"`)
		require.ErrorContains(t, s.SendJSON(t.Context(), "gone", 1, 0), "send to gone")
	})

	t.Run("fails for the messages of a call that SQS refuses, and for no others", func(t *testing.T) {
		t.Parallel()
		url := testenv.Queue(t, "SyncQueue")
		client := sqs.New(testenv.SQS(t).Options(), testenv.AroundSQS(func(call any, next func() (any, error)) (any, error) {
			out, err := next()
			if sent, ok := out.(*sqs.SendMessageBatchOutput); ok {
				for _, entry := range call.(*sqs.SendMessageBatchInput).Entries {
					if *entry.MessageBody == `"refused"` {
						sent.Failed = append(sent.Failed, types.BatchResultErrorEntry{Id: entry.Id, Code: aws.String("InternalError")})
					}
				}
			}
			return out, err
		}))
		s := queue.NewSender(client, map[string]string{"one": url, "gone": url + "-gone"})
		rows := slices.Repeat([]outbox.Row{{Queue: "one", Body: `"sent"`}}, 28)
		rows[12].Body, rows[25].Queue, rows[26].Queue, rows[27].Body = `"refused"`, "gone", "other", ""
		failed := s.SendAll(t.Context(), rows)
		require.Len(t, failed, len(rows))
		for row, want := range map[int]string{12: "InternalError", 25: "send to gone", 26: `"other"`, 27: "empty"} {
			require.ErrorContains(t, failed[row], want)
			failed[row] = nil
		}
		require.NoError(t, errors.Join(failed...))
		require.ErrorContains(t, s.SendJSON(t.Context(), "one", "refused", 0), "InternalError")
	})

	t.Run("gives each message of a call its own trace", func(t *testing.T) {
		t.Parallel()
		url := testenv.Queue(t, "SyncQueue")
		var rows []outbox.Row
		for range 8 {
			id := string(observe.NewTrace())
			rows = append(rows, outbox.Row{Queue: "one", Body: id, TraceID: id})
		}
		s := queue.NewSender(testenv.SQS(t), map[string]string{"one": url})
		require.NoError(t, errors.Join(s.SendAll(t.Context(), rows)...))
		out, err := testenv.SQS(t).ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{
			QueueUrl: &url, MaxNumberOfMessages: 10, MessageAttributeNames: []string{"All"},
		})
		require.NoError(t, err)
		require.Len(t, out.Messages, 8)
		for _, m := range out.Messages {
			assert.Equal(t, *m.Body, *m.MessageAttributes[observe.TraceAttribute].StringValue)
		}
	})
}

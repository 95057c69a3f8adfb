package sandboxfn

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/messaging/queue"
	"aviso/internal/sandbox/mailroom"
	"aviso/localstack/tests/testenv"
)

func TestSandboxRefusesProduction(t *testing.T) {
	env := map[string]string{"ENVIRONMENT": "production", "SANDBOX_TABLE": "t", "SANDBOX_QUEUE_URL": "q", "CARRIER_SECRET": "s"}
	_, err := New(t.Context(), func(name string) string { return env[name] })
	assert.EqualError(t, err, "the sandbox does not run in production")
}

func TestSandboxNamesMissingVariables(t *testing.T) {
	_, err := New(t.Context(), func(string) string { return "" })
	for _, name := range []string{"SANDBOX_TABLE", "SANDBOX_QUEUE_URL", "CARRIER_SECRET"} {
		assert.ErrorContains(t, err, name)
	}
}

func TestStepsReturnThroughTheQueue(t *testing.T) {
	client, url := testenv.SQS(t), testenv.Queue(t, "SandboxQueue")
	later := laterQueue{queue.NewSender(client, map[string]string{ownQueue: url})}
	step := mailroom.Step{LetterID: "l", From: "QUEUED", Due: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	require.NoError(t, later.Schedule(t.Context(), 0, step))
	require.Error(t, later.Schedule(t.Context(), mailroom.MaxDelay+time.Second, step))
	res, err := client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &url, WaitTimeSeconds: 5})
	require.NoError(t, err)
	require.Len(t, res.Messages, 1)
	var got mailroom.Step
	require.NoError(t, json.Unmarshal([]byte(*res.Messages[0].Body), &got))
	assert.Equal(t, step, got)
}

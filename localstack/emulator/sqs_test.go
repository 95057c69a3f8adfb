package emulator_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/emulator"
	"aviso/localstack/template"
)

func queueClient(p *emulator.Process) *sqs.Client {
	return sqs.New(sqs.Options{
		Region: template.Region, BaseEndpoint: aws.String(p.URL),
		Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
	})
}

func TestQueuesOutliveARestart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "queues.json")
	start := func() (*emulator.Process, *sqs.Client) {
		p, err := emulator.StartSQS(t.Context(), emulator.Options{DBPath: file})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, p.Stop()) })
		return p, queueClient(p)
	}
	p, client := start()
	queue, err := client.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: aws.String("Q")})
	require.NoError(t, err)
	for body, delay := range map[string]int32{"waiting": 0, "in work": 0, "delayed": 600} {
		_, err := client.SendMessage(t.Context(), &sqs.SendMessageInput{
			QueueUrl: queue.QueueUrl, MessageBody: &body, DelaySeconds: delay,
			MessageAttributes: map[string]types.MessageAttributeValue{"kind": {DataType: aws.String("String"), StringValue: &body}},
		})
		require.NoError(t, err)
	}
	_, err = client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: queue.QueueUrl})
	require.NoError(t, err)
	require.NoError(t, p.Stop())

	_, client = start()
	found, err := client.GetQueueUrl(t.Context(), &sqs.GetQueueUrlInput{QueueName: aws.String("Q")})
	require.NoError(t, err)
	out, err := client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{
		QueueUrl: found.QueueUrl, MaxNumberOfMessages: 10, MessageAttributeNames: []string{"All"},
	})
	require.NoError(t, err)
	var bodies []string
	for _, m := range out.Messages {
		bodies = append(bodies, *m.Body)
		assert.Equal(t, *m.Body, *m.MessageAttributes["kind"].StringValue)
		_, err := client.DeleteMessage(t.Context(), &sqs.DeleteMessageInput{QueueUrl: found.QueueUrl, ReceiptHandle: m.ReceiptHandle})
		require.NoError(t, err)
	}
	assert.ElementsMatch(t, []string{"waiting", "in work"}, bodies, "the delayed one still is")
	attributes, err := client.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{
		QueueUrl: found.QueueUrl, AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameAll},
	})
	require.NoError(t, err)
	assert.Equal(t, "1", attributes.Attributes["ApproximateNumberOfMessagesDelayed"])

	t.Run("changes are saved within about a second, in case the process is killed", func(t *testing.T) {
		assert.Eventually(t, func() bool {
			raw, err := os.ReadFile(file)
			return err == nil && strings.Contains(string(raw), "delayed") && !strings.Contains(string(raw), "waiting")
		}, 10*time.Second, 50*time.Millisecond)
	})
}

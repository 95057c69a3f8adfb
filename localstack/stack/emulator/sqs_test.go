package emulator_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/stack/emulator"
	"aviso/localstack/template"
)

func queueClient(p *emulator.Process) *sqs.Client {
	return sqs.New(sqs.Options{
		Region: template.Region, BaseEndpoint: aws.String(p.URL),
		Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
	})
}

func TestQueuesOutliveARestart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "queues.jsonl")
	start := func() (*emulator.Process, *sqs.Client) {
		p, err := emulator.StartSQS(t.Context(), file)
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
}

// A queue has what was sent to it, even if the process is killed at the next moment.
func TestQueuesOutliveAKill(t *testing.T) {
	file := filepath.Join(t.TempDir(), "queues.jsonl")
	start := func() (*emulator.Process, *sqs.Client, map[string]*string) {
		p, err := emulator.StartSQS(t.Context(), file)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, p.Stop()) })
		client, urls := queueClient(p), map[string]*string{}
		for _, name := range []string{"Dead", "Q", "Purged"} {
			out, err := client.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: &name})
			require.NoError(t, err)
			urls[name] = out.QueueUrl
		}
		_, err = client.SetQueueAttributes(t.Context(), &sqs.SetQueueAttributesInput{
			QueueUrl: urls["Q"], Attributes: map[string]string{
				"RedrivePolicy": `{"deadLetterTargetArn":"` + template.ARN("sqs", "Dead") + `","maxReceiveCount":1}`,
			},
		})
		require.NoError(t, err)
		return p, client, urls
	}
	receive := func(client *sqs.Client, queue *string) []types.Message {
		out, err := client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: queue, MaxNumberOfMessages: 10})
		require.NoError(t, err)
		return out.Messages
	}

	p, client, queues := start()
	send := func(queue string, bodies ...string) {
		for _, body := range bodies {
			_, err := client.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: queues[queue], MessageBody: &body})
			require.NoError(t, err)
		}
	}
	send("Q", "done", "failed")
	for _, m := range receive(client, queues["Q"]) {
		var err error
		if *m.Body == "done" {
			_, err = client.DeleteMessage(t.Context(), &sqs.DeleteMessageInput{QueueUrl: queues["Q"], ReceiptHandle: m.ReceiptHandle})
		} else {
			_, err = client.ChangeMessageVisibility(t.Context(), &sqs.ChangeMessageVisibilityInput{
				QueueUrl: queues["Q"], ReceiptHandle: m.ReceiptHandle,
			})
		}
		require.NoError(t, err)
	}
	require.Empty(t, receive(client, queues["Q"]), "the failed one is in the dead-letter queue now")
	send("Purged", "purged")
	_, err := client.PurgeQueue(t.Context(), &sqs.PurgeQueueInput{QueueUrl: queues["Purged"]})
	require.NoError(t, err)
	sent := make([]string, 2000) // more than one rewriting of the file
	for i := range sent {
		sent[i] = strconv.Itoa(i)
	}
	for entries := range slices.Chunk(sent, 10) {
		in := &sqs.SendMessageBatchInput{QueueUrl: queues["Q"]}
		for _, body := range entries {
			in.Entries = append(in.Entries, types.SendMessageBatchRequestEntry{Id: &body, MessageBody: &body})
		}
		_, err := client.SendMessageBatch(t.Context(), in)
		require.NoError(t, err)
	}
	require.NoError(t, syscall.Kill(-p.PID, syscall.SIGKILL))
	<-p.Ended()

	// What the process was writing when it was killed, it had not acknowledged.
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString(`{"queue":"Q","message":{"messa`)
	require.NoError(t, err)
	require.NoError(t, f.Close())

	_, client, queues = start()
	var found []string
	for received := receive(client, queues["Q"]); len(received) > 0; received = receive(client, queues["Q"]) {
		for _, m := range received {
			found = append(found, *m.Body)
		}
	}
	assert.ElementsMatch(t, sent, found)
	assert.Empty(t, receive(client, queues["Purged"]))
	dead := receive(client, queues["Dead"])
	require.Len(t, dead, 1)
	assert.Equal(t, "failed", *dead[0].Body)
}

package queue_test

import (
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/assert"

	"aviso/internal/messaging/queue"
)

func TestQueueOfAMessage(t *testing.T) {
	m := events.SQSMessage{EventSourceARN: "arn:aws:sqs:eu-central-1:123456789012:aviso-RetryQueue-1ABC"}
	assert.True(t, queue.IsFrom(m, "https://sqs.eu-central-1.amazonaws.com/123456789012/aviso-RetryQueue-1ABC"))
	assert.True(t, queue.IsFrom(m, "http://localhost:9324/000000000000/aviso-RetryQueue-1ABC"))
	assert.False(t, queue.IsFrom(m, "https://sqs.eu-central-1.amazonaws.com/123456789012/aviso-DeliveryQueue-2DEF"))
	assert.False(t, queue.IsFrom(events.SQSMessage{}, "https://sqs.eu-central-1.amazonaws.com/123456789012/aviso-RetryQueue-1ABC"))
}

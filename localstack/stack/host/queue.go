package host

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/uuid"

	"aviso/internal/clock"
	"aviso/localstack/template"
)

const (
	// The emulator delivers messages even to a cancelled poll, and they stay hidden until their visibility timeout. So
	// polls are short and never cancelled.
	pollFor = time.Second
	// defaultConcurrency is Lambda's initial concurrency for a queue.
	defaultConcurrency = 5
	pollErrorPause     = time.Second
)

// queuePoller returns a poller that passes messages to a function and deletes the handled ones. The queue's redrive
// policy handles the others.
func (h *Host) queuePoller(m template.QueueMapping) func(context.Context) {
	f, url := h.functions[m.Function], h.Queues[m.Queue]
	return func(intake context.Context) {
		slots := make(chan struct{}, cmp.Or(m.MaximumConcurrency, defaultConcurrency))
		for {
			select {
			case slots <- struct{}{}:
			case <-intake.Done():
				return
			}
			messages, err := h.receive(m, url)
			if err != nil {
				h.failed("receive from "+m.Queue, f.Name, err)
				clock.Wait(intake, pollErrorPause)
			}
			if len(messages) == 0 {
				<-slots
				if intake.Err() != nil {
					return
				}
				continue
			}
			h.inFlight.Go(func() {
				defer func() { <-slots }()
				h.workBatch(m, f, url, messages)
			})
		}
	}
}

func (h *Host) receive(m template.QueueMapping, url string) ([]types.Message, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(h.calls), 10*pollFor)
	defer cancel()
	out, err := h.SQS.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{
		QueueUrl:                    &url,
		MaxNumberOfMessages:         int32(m.BatchSize),
		WaitTimeSeconds:             int32(pollFor / time.Second),
		MessageSystemAttributeNames: []types.MessageSystemAttributeName{types.MessageSystemAttributeNameAll},
		MessageAttributeNames:       []string{"All"},
	})
	if err != nil {
		return nil, err
	}
	return out.Messages, nil
}

func (h *Host) workBatch(m template.QueueMapping, f *function, url string, messages []types.Message) {
	payload, err := json.Marshal(queueEvent(m.Queue, messages))
	if err != nil {
		h.failed("build the batch of "+m.Queue, f.Name, err)
		return
	}
	answer, err := f.call(h.calls, uuid.NewString(), payload)
	var failed []string
	if err == nil && m.ReportsFailures {
		failed, err = failedItems(answer, func(id string) bool {
			return slices.ContainsFunc(messages, func(m types.Message) bool { return aws.ToString(m.MessageId) == id })
		})
	}
	if err != nil {
		h.failed(fmt.Sprintf("batch of %d from %s stays in the queue", len(messages), m.Queue), f.Name, err)
		return
	}
	var done []types.DeleteMessageBatchRequestEntry
	for i, message := range messages {
		if slices.Contains(failed, aws.ToString(message.MessageId)) {
			h.returned(m, f, message)
			continue
		}
		done = append(done, types.DeleteMessageBatchRequestEntry{
			Id: aws.String(strconv.Itoa(i)), ReceiptHandle: message.ReceiptHandle,
		})
	}
	if len(done) == 0 {
		return
	}
	in := &sqs.DeleteMessageBatchInput{QueueUrl: &url, Entries: done}
	out, err := h.SQS.DeleteMessageBatch(context.WithoutCancel(h.calls), in)
	if err == nil && len(out.Failed) > 0 {
		err = fmt.Errorf("%d of %d: %s", len(out.Failed), len(done), aws.ToString(out.Failed[0].Message))
	}
	if err != nil {
		h.failed("delete from "+m.Queue, f.Name, err)
	}
}

// returned reports a message that a function has returned. Messages wait in this way, so it counts as a failure only
// when the queue gives up the message, which raises an alarm on AWS. The function's own log line has the reason.
func (h *Host) returned(m template.QueueMapping, f *function, message types.Message) {
	q, _ := h.Template.Queue(m.Queue)
	received, _ := strconv.Atoi(message.Attributes[string(types.MessageSystemAttributeNameApproximateReceiveCount)])
	if q.DeadLetters != "" && received >= q.MaxReceives {
		h.failed("message of "+m.Queue, f.Name, fmt.Errorf("goes to %s after %d deliveries", q.DeadLetters, received))
		return
	}
	h.Log.Info("message comes back", "queue", m.Queue, "function", f.Name, "deliveries", received)
}

func queueEvent(queue string, messages []types.Message) events.SQSEvent {
	var event events.SQSEvent
	for _, m := range messages {
		record := events.SQSMessage{
			MessageId:              aws.ToString(m.MessageId),
			ReceiptHandle:          aws.ToString(m.ReceiptHandle),
			Body:                   aws.ToString(m.Body),
			Md5OfBody:              aws.ToString(m.MD5OfBody),
			Md5OfMessageAttributes: aws.ToString(m.MD5OfMessageAttributes),
			Attributes:             m.Attributes,
			MessageAttributes:      map[string]events.SQSMessageAttribute{},
			EventSource:            "aws:sqs",
			EventSourceARN:         template.ARN("sqs", queue),
			AWSRegion:              template.Region,
		}
		for name, a := range m.MessageAttributes {
			record.MessageAttributes[name] = events.SQSMessageAttribute{
				DataType: aws.ToString(a.DataType), StringValue: a.StringValue, BinaryValue: a.BinaryValue,
			}
		}
		event.Records = append(event.Records, record)
	}
	return event
}

// failedItems returns a function's batchItemFailures. An empty response has none. As on
// AWS, an ID that is not in the batch is an error.
func failedItems(answer []byte, inBatch func(id string) bool) (ids []string, err error) {
	var response events.SQSEventResponse // a stream's is the same
	if len(answer) > 0 {
		if err := json.Unmarshal(answer, &response); err != nil {
			return nil, fmt.Errorf("read batchItemFailures: %w", err)
		}
	}
	for _, f := range response.BatchItemFailures {
		if !inBatch(f.ItemIdentifier) {
			return nil, fmt.Errorf("batchItemFailures names %q, which is not in the batch", f.ItemIdentifier)
		}
		ids = append(ids, f.ItemIdentifier)
	}
	return ids, nil
}

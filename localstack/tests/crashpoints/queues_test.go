package crashpoints

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
	"aviso/localstack/template"
	"aviso/localstack/tests/testenv"
)

// readStream schedules a stream record for each new row of the outbox.
func (w *world) readStream() {
	for _, row := range w.rows("OutboxTable") {
		id := dynamo.Text(row, "pk")
		if w.streamed[id] {
			continue
		}
		w.streamed[id] = true
		w.note(row)
		image := map[string]outbox.Text{}
		for _, name := range []string{"pk", "queue", "body", "createdAt"} {
			image[name] = outbox.Text{S: dynamo.Text(row, name)}
		}
		record := outbox.Record{EventName: "INSERT", Change: outbox.Change{SequenceNumber: id, NewImage: image}}
		w.schedule(w.now.Add(streamTakes), func() func() time.Duration {
			return func() time.Duration { return w.relayRecord(record) }
		})
	}
}

// note keeps the event of an outbox row.
func (w *world) note(row dynamo.Item) {
	if dynamo.Text(row, "queue") == outbox.EventQueue {
		var e outbox.Event
		must(json.Unmarshal([]byte(dynamo.Text(row, "body")), &e))
		w.told = append(w.told, e)
	}
}

// relayRecord invokes outbox-relay. The stream repeats a record until it succeeds.
func (w *world) relayRecord(record outbox.Record) time.Duration {
	failed := false
	ended := w.invoke("outbox-relay", func(ctx context.Context) {
		out, err := w.relay.HandleStream(ctx, outbox.Stream{Records: []outbox.Record{record}})
		failed = err != nil || len(out.BatchItemFailures) > 0
	})
	if !ended || failed {
		return time.Second
	}
	return finished
}

// message is a message in a queue.
type message struct {
	queue, body, id string
	received        int
	hidden          time.Duration
}

// sendMessage puts a message into a queue.
func (w *world) sendMessage(queue string, sent types.SendMessageBatchRequestEntry) {
	at := w.now.Add(time.Duration(sent.DelaySeconds) * time.Second)
	w.schedule(at, func() func() time.Duration {
		m := &message{queue: queue, body: *sent.MessageBody, id: w.nextID()}
		w.messages[m.id] = m
		return func() time.Duration { return w.receive(m) }
	})
}

func (w *world) changeVisibility(in *sqs.ChangeMessageVisibilityInput) any {
	w.messages[*in.ReceiptHandle].hidden = time.Duration(in.VisibilityTimeout) * time.Second
	return &sqs.ChangeMessageVisibilityOutput{}
}

// receive invokes the function behind a queue for one message. SQS delivers the message
// again until the function reports success.
func (w *world) receive(m *message) time.Duration {
	queue := w.queues[m.queue]
	m.received++
	m.hidden = queue.VisibilityTimeout
	failed := false
	ended := w.invoke(readerOf[m.queue], func(ctx context.Context) {
		out, err := w.workers[m.queue](ctx, events.SQSEvent{Records: []events.SQSMessage{{
			MessageId: m.id, ReceiptHandle: m.id, Body: m.body,
			Attributes: map[string]string{"ApproximateReceiveCount": fmt.Sprint(m.received)},
		}}})
		failed = err != nil || len(out.BatchItemFailures) > 0
	})
	if ended && !failed {
		return finished
	}
	if m.received >= queue.MaxReceives {
		return finished // the dead-letter queue has it
	}
	return m.hidden
}

// queuesOfTheTemplate returns the queues that functions read, by URL, which here is their ID.
func queuesOfTheTemplate(t testing.TB) map[string]template.Queue {
	queues := map[string]template.Queue{}
	for _, q := range testenv.Template(t).Queues {
		queues[q.ID] = q
	}
	return queues
}

package host

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/clock"
	"aviso/localstack/provision"
)

// callLater calls a function asynchronously, as Lambda does, and then done. what says for
// people what the call is about. It returns false if the host has stopped, which accepts
// no calls.
func (h *Host) callLater(what string, f *function, payload []byte, done func()) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.later.Go(func() {
		h.callUntilDone(what, f, payload)
		done()
	})
	return true
}

// callUntilDone retries as often as the function's EventInvokeConfig says. Lambda waits
// one minute and then two, the host one second and then two, or not at all when it is
// stopping. After the last try it reports the event and sends it to the function's
// failure queue.
func (h *Host) callUntilDone(what string, f *function, payload []byte) {
	id := h.NewID()
	wait := 5 * h.RetryPause
	for try := 1; ; try++ {
		_, err := f.callAs(h.calls, id, payload)
		if err == nil {
			return
		}
		if try > f.AsyncRetries {
			h.failed(fmt.Sprintf("%s failed for good, after %d tries", what, try), f.Name, err)
			if err := h.giveUp(id, f, payload, try, err); err != nil {
				h.failed("send to "+f.FailureQueue, f.Name, err)
			}
			return
		}
		h.failed(what+" failed and will be retried", f.Name, err)
		clock.Wait(h.intake, wait)
		wait *= 2
	}
}

// giveUp sends an event to the function's failure queue, in Lambda's format.
func (h *Host) giveUp(id string, f *function, payload []byte, tries int, cause error) error {
	return h.sendFailure(f.FailureQueue, map[string]any{
		"requestContext": map[string]any{
			"requestId": id, "functionArn": f.arn() + ":$LATEST",
			"condition": "RetriesExhausted", "approximateInvokeCount": tries,
		},
		"requestPayload":  json.RawMessage(payload),
		"responsePayload": functionErrorOf(id, cause),
	})
}

// sendFailure adds to a failure record the members that all of them have, and sends it to
// the queue with this logical ID, if there is one.
func (h *Host) sendFailure(queue string, record map[string]any) error {
	if queue == "" {
		return nil
	}
	record["version"] = "1.0"
	record["timestamp"] = h.Now().UTC().Format(time.RFC3339Nano)
	record["responseContext"] = map[string]any{
		"statusCode": 200, "executedVersion": "$LATEST", "functionError": "Unhandled",
	}
	body, err := json.Marshal(record)
	if err != nil {
		return err
	}
	url, ok := h.Queues[queue]
	if !ok {
		return fmt.Errorf("no queue %s", provision.QueueARN(queue))
	}
	_, err = h.SQS.SendMessage(h.calls, &sqs.SendMessageInput{QueueUrl: &url, MessageBody: aws.String(string(body))})
	return err
}

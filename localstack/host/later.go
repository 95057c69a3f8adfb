package host

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/localstack/provision"
)

// callLater calls a function as Lambda does when it is invoked asynchronously,
// and does not wait for it. what names the reason of the call for people. It
// tells whether the call was taken on: a host that has stopped takes on none.
func (h *Host) callLater(what string, f *function, payload []byte) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.later.Go(func() { h.callUntilDone(what, f, payload) })
	return true
}

// callUntilDone tries again as often as the function's EventInvokeConfig wants.
// Lambda waits one minute and then two, the host one second and then two; when
// it is stopping, it does not wait. An event that is given up is told of, and
// goes to the function's failure queue.
func (h *Host) callUntilDone(what string, f *function, payload []byte) {
	id := h.NewID()
	wait := 5 * h.RetryPause
	for try := 1; ; try++ {
		_, err := f.callAs(h.calls, id, payload)
		if err == nil {
			return
		}
		if try > f.AsyncRetries {
			h.failed(fmt.Sprintf("%s is given up after %d tries", what, try), f.Name, err)
			if err := h.keepGivenUp(id, f, payload, try, err); err != nil {
				h.failed("keep what is given up", f.Name, err)
			}
			return
		}
		h.failed(what+" is tried again", f.Name, err)
		pause(h.intake, wait)
		wait *= 2
	}
}

// keepGivenUp sends an event to the function's failure queue, in Lambda's words.
func (h *Host) keepGivenUp(id string, f *function, payload []byte, tries int, cause error) error {
	if f.FailureQueue == "" {
		return nil
	}
	body, err := json.Marshal(map[string]any{
		"version":   "1.0",
		"timestamp": h.Now().UTC().Format(time.RFC3339Nano),
		"requestContext": map[string]any{
			"requestId": id, "functionArn": f.arn() + ":$LATEST",
			"condition": "RetriesExhausted", "approximateInvokeCount": tries,
		},
		"requestPayload":  json.RawMessage(payload),
		"responseContext": map[string]any{"statusCode": 200, "executedVersion": "$LATEST", "functionError": "Unhandled"},
		"responsePayload": functionErrorOf(id, cause),
	})
	if err != nil {
		return err
	}
	url, ok := h.Queues[f.FailureQueue]
	if !ok {
		return fmt.Errorf("no queue %s", provision.QueueARN(f.FailureQueue))
	}
	_, err = h.SQS.SendMessage(h.calls, &sqs.SendMessageInput{QueueUrl: &url, MessageBody: aws.String(string(body))})
	return err
}

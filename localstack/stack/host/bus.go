package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"

	"aviso/internal/clock"
	"aviso/localstack/template"
)

// rule sends the events that match its pattern to a function.
type rule struct {
	pattern  pattern
	function *function
}

// Event is an event on the account's default bus.
type Event struct {
	Source, DetailType string
	// Resources are the ARNs of the event's resources.
	Resources []string
	Time      time.Time
	// Detail becomes a JSON object.
	Detail any
	// Handled, if not nil, is called when all functions have handled the event or failed for good.
	Handled func()
}

// errClosed is returned when the host no longer accepts work.
var errClosed = errors.New("the stack is stopping")

// Publish passes an event in EventBridge's envelope to the functions with matching rules, without waiting for them.
// After an error, some functions never get the event, and Handled is not called.
func (h *Host) Publish(e Event) error {
	var event any
	detail, err := json.Marshal(e.Detail)
	payload, envelopeErr := h.envelope(e.Source, e.DetailType, e.Resources, e.Time, detail)
	if err := errors.Join(err, envelopeErr, json.Unmarshal(payload, &event)); err != nil {
		return fmt.Errorf("publish %s: %w", e.DetailType, err)
	}
	var left atomic.Int64
	left.Store(1) // for this loop
	handled := func() {
		if left.Add(-1) == 0 && e.Handled != nil {
			e.Handled()
		}
	}
	for _, r := range h.rules {
		if !r.pattern.matches(event) {
			continue
		}
		left.Add(1)
		if !h.callLater(e.DetailType, r.function, payload, handled) {
			return fmt.Errorf("publish %s: %w", e.DetailType, errClosed)
		}
	}
	handled()
	return nil
}

// pattern is an event pattern. The event must have each of its members, with a value from the member's list. The only
// supported operator is {"prefix": "a"}, because template.yaml uses no others, and no $or.
type pattern map[string]any

// parsePattern parses a pattern. Unsupported parts are an error: a pattern must not silently match more events than
// on AWS.
func parsePattern(raw json.RawMessage) (pattern, error) {
	var p pattern
	err := json.Unmarshal(raw, &p)
	if err == nil && len(p) == 0 {
		err = errors.New("it is empty")
	}
	if err == nil {
		err = checkPattern(p)
	}
	if err != nil {
		return nil, fmt.Errorf("event pattern %s: %w", raw, err)
	}
	return p, nil
}

func checkPattern(p map[string]any) error {
	for name, want := range p {
		switch want := want.(type) {
		case map[string]any:
			if err := checkPattern(want); err != nil {
				return err
			}
		case []any:
			if len(want) == 0 {
				return fmt.Errorf("%s: empty list", name)
			}
			for _, value := range want {
				_, isList := value.([]any)
				_, isOperator := value.(map[string]any)
				if _, isPrefix := prefixOf(value); isList || isOperator && !isPrefix {
					return fmt.Errorf("%s: the local stack does not support %v", name, value)
				}
			}
		default:
			return fmt.Errorf("%s must be a list or an object", name)
		}
	}
	return nil
}

// prefixOf returns the text of the operator {"prefix": "…"}.
func prefixOf(value any) (string, bool) {
	operator, _ := value.(map[string]any)
	text, ok := operator["prefix"].(string)
	return text, ok && len(operator) == 1
}

// matches reports whether an event, as decoded by encoding/json, matches the pattern.
func (p pattern) matches(event any) bool { return matchesValue(event, map[string]any(p)) }

func matchesValue(value, want any) bool {
	// If the event has a list, one element must match, including all members of an object.
	if list, ok := value.([]any); ok {
		return slices.ContainsFunc(list, func(v any) bool { return matchesValue(v, want) })
	}
	if allowed, ok := want.([]any); ok {
		_, isObject := value.(map[string]any)
		text, isText := value.(string)
		return !isObject && slices.ContainsFunc(allowed, func(element any) bool {
			prefix, isPrefix := prefixOf(element)
			return element == value || isPrefix && isText && strings.HasPrefix(text, prefix)
		})
	}
	object, _ := value.(map[string]any)
	members, _ := want.(map[string]any)
	for name, want := range members {
		inner, present := object[name]
		if !present || !matchesValue(inner, want) {
			return false
		}
	}
	return true
}

// scheduler returns a poller that calls a function on a schedule, one call at a time. The first call is immediate,
// like that of a new schedule on AWS.
func (h *Host) scheduler(s template.Schedule) func(context.Context) {
	f := h.functions[s.Function]
	return func(intake context.Context) {
		for at := time.Now(); ; {
			if wait := time.Until(at); wait > 0 && !clock.Wait(intake, wait) || intake.Err() != nil {
				return
			}
			// The event of EventBridge Scheduler has a text as its detail.
			payload, err := h.envelope("aws.scheduler", "Scheduled Event",
				[]string{template.ARN("scheduler", "schedule/"+s.Name)}, at, []byte(`"{}"`))
			if s.Input != "" {
				payload = []byte(s.Input)
			}
			if err == nil {
				_, err = f.call(h.calls, uuid.NewString(), payload)
			}
			if err != nil {
				h.failed("schedule "+s.Name, f.Name, err)
			}
			// Skip the calls missed during a long call or while the laptop was asleep.
			at = at.Add(s.Every)
			if late := time.Since(at); late > 0 {
				at = at.Add(late.Truncate(s.Every) + s.Every)
			}
		}
	}
}

// envelope returns an event in EventBridge's envelope.
func (h *Host) envelope(source, detailType string, resources []string, at time.Time, detail []byte) ([]byte, error) {
	return json.Marshal(events.EventBridgeEvent{
		Version: "0", ID: uuid.NewString(), DetailType: detailType, Source: source, AccountID: template.Account,
		Time: at.UTC().Truncate(time.Second), Region: template.Region, Resources: resources, Detail: detail,
	})
}

// callLater calls a function asynchronously, as Lambda does, and then calls done. what describes the call for people.
// It returns false if the host has stopped and accepts no calls.
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

// callUntilDone retries as often as the function's EventInvokeConfig says. Lambda waits one minute, then two. The
// host waits one second, then two, or not at all while it is stopping. After the last try it reports the event and
// sends it to the function's failure queue.
func (h *Host) callUntilDone(what string, f *function, payload []byte) {
	id := uuid.NewString()
	wait := 5 * h.RetryPause
	for try := 1; ; try++ {
		_, err := f.call(h.calls, id, payload)
		if err == nil {
			return
		}
		if try > f.AsyncRetries {
			h.failed(fmt.Sprintf("%s failed for good, after %d tries", what, try), f.Name, err)
			err := h.sendFailure(f.FailureQueue, map[string]any{
				"requestContext": map[string]any{
					"requestId": id, "functionArn": f.arn() + ":$LATEST",
					"condition": "RetriesExhausted", "approximateInvokeCount": try,
				},
				"requestPayload":  json.RawMessage(payload),
				"responsePayload": functionErrorOf(id, err),
			})
			if err != nil {
				h.failed("send to "+f.FailureQueue, f.Name, err)
			}
			return
		}
		h.failed(what+" failed and will be retried", f.Name, err)
		clock.Wait(h.intake, wait)
		wait *= 2
	}
}

// sendFailure adds the common members to a failure record. It sends the record to the queue with this logical ID, if
// there is one.
func (h *Host) sendFailure(queue string, record map[string]any) error {
	if queue == "" {
		return nil
	}
	record["version"] = "1.0"
	record["timestamp"] = time.Now().UTC().Format(time.RFC3339Nano)
	body, err := json.Marshal(record)
	if err != nil {
		return err
	}
	_, err = h.SQS.SendMessage(h.calls, &sqs.SendMessageInput{
		QueueUrl: aws.String(h.Queues[queue]), MessageBody: aws.String(string(body)),
	})
	return err
}

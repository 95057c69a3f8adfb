package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/internal/clock"
	"aviso/internal/observe"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// maxVisibility is the longest time for which SQS hides a message.
const maxVisibility = 12 * time.Hour

// Worker processes the messages of one queue. It processes those of a batch concurrently.
type Worker[Body any] struct {
	Service string
	Client  *sqs.Client
	URL     string
	Log     *slog.Logger
	Now     func() time.Time
	// Work processes a message. It must be idempotent. attempt counts the deliveries
	// of this message, from 1.
	Work func(ctx context.Context, body Body, attempt int) error
	// Owner returns the message's user, whose clock in Clocks applies. Both are nil if messages have no user.
	Owner  func(Body) owner.User
	Clocks clock.Users
	// About, if set, returns what the message's log line says about its work.
	About func(body Body, attempt int) []slog.Attr
	// Waited, if set, is the metric of how long messages wait before their first receive.
	Waited observe.Metric
}

// Handle processes a batch and reports the messages that SQS must deliver again.
func (w *Worker[Body]) Handle(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
	failed := make([]bool, len(e.Records))
	var all sync.WaitGroup
	for i, m := range e.Records {
		all.Go(func() { failed[i] = !w.one(ctx, m) })
	}
	all.Wait()
	var res events.SQSEventResponse
	for i, m := range e.Records {
		if failed[i] {
			failure := events.SQSBatchItemFailure{ItemIdentifier: m.MessageId}
			res.BatchItemFailures = append(res.BatchItemFailures, failure)
		}
	}
	return res, nil
}

// one processes one message, writes its log line and reports whether it is done.
func (w *Worker[Body]) one(ctx context.Context, m events.SQSMessage) bool {
	started := w.Now()
	if id := m.MessageAttributes[observe.TraceAttribute].StringValue; id != nil {
		ctx = observe.ContinueTrace(ctx, *id)
	}
	ctx, calls := observe.CountCalls(ctx)
	attempt, _ := strconv.Atoi(m.Attributes["ApproximateReceiveCount"])
	about, err := w.work(ctx, m, max(attempt, 1))
	level, failures, text := slog.LevelInfo, 0, ""
	if err != nil {
		text = err.Error()
		if !outcome.IsWait(err) {
			level, failures = slog.LevelWarn, 1
		}
		w.delay(ctx, m, err)
	}
	attrs := []slog.Attr{
		slog.String("Service", w.Service), slog.String("messageId", m.MessageId), slog.Int("attempt", attempt),
		slog.Float64("Duration", observe.Milliseconds(w.Now().Sub(started))),
		slog.Int64("AwsCalls", calls.Count()), slog.Int64("AwsRetries", calls.Retries()),
		slog.Int(string(observe.Failures), failures), slog.String("error", text),
	}
	attrs = append(attrs, about...)
	var metrics []observe.Metric
	if failures > 0 {
		metrics = append(metrics, observe.Failures)
	}
	if sent, err := strconv.ParseInt(m.Attributes["SentTimestamp"], 10, 64); err == nil && w.Waited != "" && attempt == 1 {
		attrs = append(attrs, slog.Float64(string(w.Waited), max(started.Sub(time.UnixMilli(sent)), 0).Seconds()))
		metrics = append(metrics, w.Waited)
	}
	if len(metrics) > 0 {
		attrs = append(attrs, observe.EMF(started, metrics...))
	}
	w.Log.LogAttrs(ctx, level, "message", attrs...)
	return err == nil
}

func (w *Worker[Body]) work(ctx context.Context, m events.SQSMessage, attempt int) (about []slog.Attr, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	var body Body
	if err := json.Unmarshal([]byte(m.Body), &body); err != nil {
		return nil, errors.New("message body is not the expected JSON")
	}
	if w.About != nil {
		about = w.About(body, attempt)
	}
	if w.Owner != nil {
		if ctx, err = clock.For(ctx, w.Clocks, w.Owner(body)); err != nil {
			return about, err
		}
	}
	return about, w.Work(ctx, body, attempt)
}

// delay hides the message for as long as the error asks for, even after the function's time for the work has run out.
func (w *Worker[Body]) delay(ctx context.Context, m events.SQSMessage, err error) {
	var retry *outcome.Later
	if !errors.As(err, &retry) {
		return
	}
	seconds := int32(math.Ceil(min(max(retry.After, 0), maxVisibility).Seconds())) // never sooner than asked
	_, err = w.Client.ChangeMessageVisibility(context.WithoutCancel(ctx), &sqs.ChangeMessageVisibilityInput{
		QueueUrl: &w.URL, ReceiptHandle: &m.ReceiptHandle, VisibilityTimeout: seconds,
	})
	if err != nil {
		w.Log.WarnContext(ctx, "message not delayed", "messageId", m.MessageId, "error", err.Error())
	}
}

// Again returns work that sends its own message to the named queue again when it must wait. Unlike a retry by SQS,
// that does not count as a receive, so the message does not become a dead letter. A wait longer than MaxDelay takes
// several hops: each time, work returns the time left.
func Again[Body any](
	work func(ctx context.Context, body Body, attempt int) error, name string,
	send func(ctx context.Context, queue string, body any, delay time.Duration) error,
) func(context.Context, Body, int) error {
	return func(ctx context.Context, body Body, attempt int) error {
		err := work(ctx, body, attempt)
		later, ok := errors.AsType[*outcome.Later](err)
		if !ok || !outcome.IsWait(err) {
			return err
		}
		// A message without a delay would get the queue's own.
		return send(context.WithoutCancel(ctx), name, body, min(max(later.After, time.Second), MaxDelay))
	}
}

// IsFrom reports whether a message comes from the queue with that URL. The URL and the ARN both end with the queue's
// name.
func IsFrom(m events.SQSMessage, url string) bool {
	return m.EventSourceARN[strings.LastIndex(m.EventSourceARN, ":")+1:] == path.Base(url)
}

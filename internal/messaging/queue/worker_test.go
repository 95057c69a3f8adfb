package queue_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/messaging/queue"
	"aviso/internal/observe"
	"aviso/internal/outcome"
	"aviso/localstack/tests/metrictest"
	"aviso/localstack/tests/testenv"
)

var errBank = errors.New("the bank is closed")

type job struct {
	Name string `json:"name"`
}

// worker fails for these names, and logs to the buffer.
func worker(log *bytes.Buffer, client *sqs.Client, url string, work func(context.Context, job, int) error) *queue.Worker[job] {
	return &queue.Worker[job]{
		Service: "test", Client: client, URL: url, Work: work,
		Now: func() time.Time { return time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC) },
		Log: slog.New(observe.LogTrace(slog.NewJSONHandler(log, nil))).With(observe.Stack, "test"),
	}
}

// recording is a client that records the requested visibility, and returns err.
func recording(asked *[]sqs.ChangeMessageVisibilityInput, err error) *sqs.Client {
	var mu sync.Mutex
	o := sqs.Options{Region: "eu-central-1", Retryer: aws.NopRetryer{}}
	return sqs.New(o, testenv.AroundSQS(func(call any, _ func() (any, error)) (any, error) {
		mu.Lock()
		defer mu.Unlock()
		input, ok := call.(*sqs.ChangeMessageVisibilityInput)
		if !ok {
			return nil, fmt.Errorf("unexpected call with %T", call)
		}
		*asked = append(*asked, *input)
		return &sqs.ChangeMessageVisibilityOutput{}, err
	}))
}

func batch(bodies ...string) events.SQSEvent {
	var e events.SQSEvent
	for i, body := range bodies {
		e.Records = append(e.Records, events.SQSMessage{
			MessageId: fmt.Sprint("m", i), ReceiptHandle: fmt.Sprint("r", i), Body: body,
			Attributes: map[string]string{"ApproximateReceiveCount": "2"},
		})
	}
	return e
}

// failures returns the IDs of the messages to be delivered again.
func failures(t *testing.T, w *queue.Worker[job], e events.SQSEvent) []string {
	t.Helper()
	res, err := w.Handle(t.Context(), e)
	require.NoError(t, err)
	var ids []string
	for _, f := range res.BatchItemFailures {
		ids = append(ids, f.ItemIdentifier)
	}
	return ids
}

func TestWorker(t *testing.T) {
	t.Parallel()

	t.Run("reports only failed messages", func(t *testing.T) {
		t.Parallel()
		var log bytes.Buffer
		var asked []sqs.ChangeMessageVisibilityInput
		var mu sync.Mutex
		done := map[string]int{}
		w := worker(&log, recording(&asked, nil), "url", func(_ context.Context, body job, attempt int) error {
			mu.Lock()
			done[body.Name] = attempt
			mu.Unlock()
			switch body.Name {
			case "fails":
				return errBank
			case "panics":
				panic("lost the plot")
			case "waits":
				return fmt.Errorf("sync: %w", &outcome.Later{After: time.Minute, Err: errBank})
			}
			return nil
		})
		messages := batch(`{"name":"a"}`, `{"name":"fails"}`, `{"name":"panics"}`, `not JSON`, `{"name":"waits"}`, `{"name":7}`, `{"name":"b"}`)
		assert.Equal(t, []string{"m1", "m2", "m3", "m4", "m5"}, failures(t, w, messages))
		assert.Equal(t, map[string]int{"a": 2, "fails": 2, "panics": 2, "waits": 2, "b": 2}, done)
		require.Len(t, asked, 1)
		assert.Equal(t, "r4", *asked[0].ReceiptHandle)
		assert.Equal(t, "url", *asked[0].QueueUrl)
	})

	t.Run("reports nothing for an empty or a successful batch", func(t *testing.T) {
		t.Parallel()
		w := worker(&bytes.Buffer{}, nil, "", func(context.Context, job, int) error { return nil })
		assert.Empty(t, failures(t, w, batch()))
		assert.Empty(t, failures(t, w, batch(`{}`, `{"name":"a","more":1}`)))
	})

	t.Run("processes a batch concurrently", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) { // which would see them wait for each other for ever
			var all sync.WaitGroup
			all.Add(10)
			w := worker(&bytes.Buffer{}, nil, "", func(context.Context, job, int) error {
				all.Done()
				all.Wait()
				time.Sleep(time.Minute)
				return nil
			})
			w.Log = slog.New(slog.DiscardHandler)
			began := time.Now()
			assert.Empty(t, failures(t, w, batch(`{}`, `{}`, `{}`, `{}`, `{}`, `{}`, `{}`, `{}`, `{}`, `{}`)))
			assert.Equal(t, time.Minute, time.Since(began))
		})
	})

	t.Run("counts a message without a count as the first delivery", func(t *testing.T) {
		t.Parallel()
		for _, count := range []map[string]string{nil, {"ApproximateReceiveCount": "0"}, {"ApproximateReceiveCount": "many"}} {
			e := batch(`{}`)
			e.Records[0].Attributes = count
			w := worker(&bytes.Buffer{}, nil, "", func(_ context.Context, _ job, attempt int) error {
				assert.Equal(t, 1, attempt)
				return nil
			})
			assert.Empty(t, failures(t, w, e))
		}
	})
}

func TestRetry(t *testing.T) {
	t.Parallel()

	for after, want := range map[time.Duration]int32{
		-time.Second: 0, 0: 0, time.Millisecond: 1, time.Second: 1, 1500 * time.Millisecond: 2, time.Hour: 3600,
		12 * time.Hour: 43200, 48 * time.Hour: 43200,
	} {
		t.Run(fmt.Sprintf("after %s hides the message for %d s", after, want), func(t *testing.T) {
			t.Parallel()
			var asked []sqs.ChangeMessageVisibilityInput
			w := worker(&bytes.Buffer{}, recording(&asked, nil), "url", func(context.Context, job, int) error {
				return &outcome.Later{After: after, Err: errBank}
			})
			assert.Equal(t, []string{"m0"}, failures(t, w, batch(`{}`)))
			require.Len(t, asked, 1)
			assert.Equal(t, want, asked[0].VisibilityTimeout)
		})
	}

	t.Run("is the error it wraps", func(t *testing.T) {
		t.Parallel()
		err := error(&outcome.Later{After: time.Second, Err: errBank})
		require.ErrorIs(t, err, errBank)
		assert.Equal(t, errBank.Error(), err.Error())
	})

	t.Run("that SQS rejects leaves the message to its visibility timeout", func(t *testing.T) {
		t.Parallel()
		var log bytes.Buffer
		var asked []sqs.ChangeMessageVisibilityInput
		client := recording(&asked, errors.New("no such receipt"))
		w := worker(&log, client, "url", func(context.Context, job, int) error { return &outcome.Later{Err: errBank} })
		assert.Equal(t, []string{"m0"}, failures(t, w, batch(`{}`)))
		assert.Contains(t, log.String(), "message not delayed")
	})

	t.Run("makes the message visible again at the requested time", func(t *testing.T) {
		t.Parallel()
		client, url := testenv.SQS(t), testenv.Queue(t, "SyncQueue")
		for _, body := range []string{"soon", "later", "fails"} {
			message := &sqs.SendMessageInput{QueueUrl: &url, MessageBody: aws.String(`{"name":"` + body + `"}`)}
			_, err := client.SendMessage(t.Context(), message)
			require.NoError(t, err)
		}
		w := worker(&bytes.Buffer{}, client, url, func(_ context.Context, body job, _ int) error {
			switch body.Name {
			case "soon":
				return &outcome.Later{Err: errBank}
			case "later":
				return &outcome.Later{After: time.Hour, Err: errBank}
			}
			return errBank
		})
		w.Log = slog.New(slog.DiscardHandler)
		var e events.SQSEvent
		for _, m := range receive(t, url) {
			e.Records = append(e.Records, events.SQSMessage{
				MessageId: *m.MessageId, ReceiptHandle: *m.ReceiptHandle, Body: *m.Body, Attributes: m.Attributes,
			})
		}
		require.Len(t, e.Records, 3)
		assert.Len(t, failures(t, w, e), 3)
		again := receive(t, url)
		require.Len(t, again, 1)
		assert.JSONEq(t, `{"name":"soon"}`, *again[0].Body)
		assert.Equal(t, "2", again[0].Attributes["ApproximateReceiveCount"])
	})
}

func TestWorkerLogsALinePerMessage(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	var asked []sqs.ChangeMessageVisibilityInput
	w := worker(&log, recording(&asked, nil), "", func(_ context.Context, body job, _ int) error {
		switch body.Name {
		case "fails":
			return errBank
		case "waits":
			return fmt.Errorf("send: %w", &outcome.Later{After: time.Minute})
		case "bank is down":
			return &outcome.Later{After: time.Minute, Err: errBank, Normal: true}
		}
		return nil
	})
	for _, name := range []string{"fails", "waits", "bank is down", "DE89370400440532013000"} {
		e := batch(`{"name":"` + name + `"}`)
		traceID := "4bf92f3577b34da6a3ce929d0e0e4736"
		e.Records[0].MessageAttributes = map[string]events.SQSMessageAttribute{
			observe.TraceAttribute: {StringValue: &traceID, DataType: "String"},
		}
		failures(t, w, e)
	}
	var failed, waiting, down, good map[string]any
	d := json.NewDecoder(&log)
	for _, line := range []*map[string]any{&failed, &waiting, &down, &good} {
		require.NoError(t, d.Decode(line))
	}
	for name, want := range map[string]any{
		"level": "WARN", "Service": "test", "messageId": "m0", "attempt": 2.0, "Duration": 0.0, "AwsCalls": 0.0, "AwsRetries": 0.0, "Failures": 1.0, "error": errBank.Error(),
		"traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
	} {
		assert.Equal(t, want, failed[name], name)
	}
	assert.Equal(t, "INFO", waiting["level"], "waiting is normal")
	assert.InDelta(t, 0, waiting["Failures"], 0)
	assert.Equal(t, "send: retry after 1m0s", waiting["error"])
	assert.InDelta(t, 0, down["Failures"], 0, "a failure, but not of ours")
	assert.Equal(t, errBank.Error(), down["error"])
	assert.Equal(t, "INFO", good["level"])
	assert.InDelta(t, 0, good["Failures"], 0)
	metrictest.Assert(t, failed, "Failures", "Count", 1)
	for _, line := range []map[string]any{waiting, down, good} {
		assert.NotContains(t, line, "_aws", "CloudWatch bills each hour in which a metric has a value")
	}
	text, err := json.Marshal(good)
	require.NoError(t, err)
	assert.NotContains(t, string(text), "DE89")
}

// How long a message waited is known when it is read first, and when only SQS tells.
func TestWorkerMeasuresHowLongMessagesWaited(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		receives, sent string
		want           any
	}{
		"first":                {"1", strconv.FormatInt(now.Add(-90*time.Second).UnixMilli(), 10), 90.0},
		"a clock that is late": {"1", strconv.FormatInt(now.Add(time.Second).UnixMilli(), 10), 0.0},
		"again":                {"2", strconv.FormatInt(now.Add(-time.Hour).UnixMilli(), 10), nil},
		"unknown":              {"1", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			w := worker(&log, nil, "", func(context.Context, job, int) error { return nil })
			w.Waited = observe.FirstAttempt
			e := batch(`{}`)
			e.Records[0].Attributes = map[string]string{"ApproximateReceiveCount": c.receives, "SentTimestamp": c.sent}
			failures(t, w, e)
			var line map[string]any
			require.NoError(t, json.Unmarshal(log.Bytes(), &line))
			assert.Equal(t, c.want, line["FirstAttempt"])
			if c.want != nil {
				metrictest.Assert(t, line, "FirstAttempt", "Seconds", c.want.(float64))
			}
		})
	}
}

// A function that ends its work early still has time to delay the message. Otherwise the
// message would stay hidden for as long as its queue says.
func TestWorkerDelaysAfterItsTime(t *testing.T) {
	t.Parallel()
	var asked []sqs.ChangeMessageVisibilityInput
	client := recording(&asked, nil)
	ctx, cancel := context.WithCancel(t.Context())
	w := worker(&bytes.Buffer{}, client, "url", func(context.Context, job, int) error {
		cancel()
		return &outcome.Later{After: time.Minute, Err: errBank}
	})
	_, err := w.Handle(ctx, batch(`{}`))
	require.NoError(t, err)
	require.Len(t, asked, 1)
}

// SQS gives a message without a delay the queue's own, which is a quarter of an hour in RetryQueue.
func TestAgainAlwaysNamesADelay(t *testing.T) {
	t.Parallel()
	for after, want := range map[time.Duration]time.Duration{
		-time.Second: time.Second, 0: time.Second, time.Minute: time.Minute, time.Hour: queue.MaxDelay,
	} {
		wait := func(context.Context, job, int) error { return &outcome.Later{After: after} }
		var got time.Duration
		send := func(_ context.Context, _ string, _ any, delay time.Duration) error { got = delay; return nil }
		require.NoError(t, queue.Again(wait, "retries", send)(t.Context(), job{}, 1))
		assert.Equal(t, want, got, after)
	}
}

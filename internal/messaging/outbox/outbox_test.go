package outbox_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/queue"
	"aviso/internal/outcome"
	"aviso/localstack/tests/metrictest"
	"aviso/localstack/tests/testenv"
)

func TestPut(t *testing.T) {
	t.Parallel()

	t.Run("is written with its change or not at all", func(t *testing.T) {
		b := newBench(t)
		b.commit("a")
		require.ErrorIs(t, commit(t.Context(), b.db, b.table, b.business, "a"), outcome.ErrChanged)
		assert.Equal(t, []string{"a"}, b.waiting())
	})

	t.Run("refuses a body that cannot be encoded", func(t *testing.T) {
		t.Parallel()
		var x dynamo.Transaction
		outbox.Put(t.Context(), &x, outbox.Box{}, outbox.Message{ID: "a", Queue: outbox.SyncQueue, Body: func() {}}, written())
		require.Error(t, x.Commit(t.Context()))
	})
}

func TestHandleStream(t *testing.T) {
	t.Parallel()

	t.Run("sends the stream's messages and empties the outbox", func(t *testing.T) {
		b := newBench(t)
		b.commit("a", "b", "c")
		assert.Empty(t, handle(t, b.relay(b.queue()), b.stream(3)))
		assert.ElementsMatch(t, []string{"a", "b", "c"}, b.arrived())
		assert.Empty(t, b.waiting())
	})

	t.Run("ignores its own deletions", func(t *testing.T) {
		b := newBench(t)
		b.commit("a")
		relay := b.relay(b.queue())
		handle(t, relay, b.stream(1))
		require.Equal(t, []string{"a"}, b.arrived())
		e := b.stream(2)
		e.Records = e.Records[1:]
		require.Equal(t, "REMOVE", e.Records[0].EventName)
		assert.Empty(t, handle(t, relay, e))
		assert.Empty(t, b.arrived())
	})

	t.Run("leaves messages to a writer who sends them", func(t *testing.T) {
		b := newBench(t)
		b.hold("held", "erika")
		b.commit("a")
		relay := b.relay(b.queue())
		assert.Empty(t, handle(t, relay, b.stream(2)))
		assert.Equal(t, []string{"a"}, b.arrived())
		assert.Equal(t, []string{"held"}, b.waiting())

		b.commit("about erika", "b")
		waits, err := relay.WaitsFor(t.Context(), "erika")
		require.NoError(t, err)
		assert.True(t, waits)
		require.NoError(t, relay.SendFor(t.Context(), "erika"))
		assert.ElementsMatch(t, []string{"held", "about erika"}, b.arrived())
		assert.Equal(t, []string{"b"}, b.waiting())
		waits, err = relay.WaitsFor(t.Context(), "erika")
		require.NoError(t, err)
		assert.False(t, waits)
	})

	t.Run("resends what a writer who fails has held", func(t *testing.T) {
		b := newBench(t)
		b.hold("held", "erika")
		_, err := b.relay(b.queue()).Resend(t.Context(), written().Add(1))
		require.NoError(t, err)
		assert.Equal(t, []string{"held"}, b.arrived())
	})

	t.Run("sends a repeated record twice without failing", func(t *testing.T) {
		b := newBench(t)
		b.commit("a")
		e := b.stream(1)
		for range 2 {
			assert.Empty(t, handle(t, b.relay(b.queue()), e))
			assert.Empty(t, b.waiting())
		}
		assert.Equal(t, []string{"a", "a"}, b.arrived())
		assert.Empty(t, b.log.String())
	})

	t.Run("sends what follows a failure, and resumes from there", func(t *testing.T) {
		b := newBench(t)
		b.commit("a", "b", "c")
		e := b.stream(3)
		away := b.relay(each(func(ctx context.Context, row outbox.Row) error {
			if strings.Contains(row.Body, `"b"`) {
				return errSQS
			}
			return b.send(ctx, row)
		}))
		failed := handle(t, away, e)
		require.Equal(t, []string{e.Records[1].Change.SequenceNumber}, failed)
		assert.ElementsMatch(t, []string{"a", "c"}, b.arrived())
		assert.Equal(t, []string{"b"}, b.waiting())
		assert.Contains(t, b.log.String(), failed[0])
		assert.NotContains(t, b.log.String(), `"id"`, "the message body is not logged")

		e.Records = e.Records[1:]
		assert.Empty(t, handle(t, b.relay(b.queue()), e))
		assert.ElementsMatch(t, []string{"b", "c"}, b.arrived(), "the reader knows one of them")
		assert.Empty(t, b.waiting())
	})

	t.Run("adds rows at the same time", func(t *testing.T) {
		b := newBench(t)
		b.commit("slow", "a", "b")
		var others sync.WaitGroup
		others.Add(2)
		relay := b.relay(each(func(_ context.Context, row outbox.Row) error {
			if strings.Contains(row.Body, "slow") {
				others.Wait()
			} else {
				others.Done()
			}
			return nil
		}))
		assert.Empty(t, handle(t, relay, b.stream(3)))
		assert.Empty(t, b.waiting())
	})

	t.Run("reports the first of several failures", func(t *testing.T) {
		b := newBench(t)
		b.commit("a", "b", "c")
		e := b.stream(3)
		var first sync.WaitGroup
		first.Add(1)
		away := b.relay(each(func(_ context.Context, row outbox.Row) error {
			switch {
			case strings.Contains(row.Body, `"b"`):
				first.Wait()
				return errSQS
			case strings.Contains(row.Body, `"c"`):
				first.Done()
				return errSQS
			}
			return nil
		}))
		assert.Equal(t, []string{e.Records[1].Change.SequenceNumber}, handle(t, away, e))
		assert.ElementsMatch(t, []string{"b", "c"}, b.waiting())
		assert.Contains(t, b.log.String(), "Failures=2")
	})

	t.Run("shares calls among the messages of a batch", func(t *testing.T) {
		b := newBench(t)
		for i := range 25 {
			b.commit(strconv.Itoa(i))
		}
		e := b.stream(25)
		calls := map[string]int{}
		var mu sync.Mutex
		count := func(call any, next func() (any, error)) (any, error) {
			mu.Lock()
			calls[fmt.Sprintf("%T", call)]++
			mu.Unlock()
			return next()
		}
		counted := *b
		counted.db = dynamodb.New(b.db.Options(), testenv.Around(count))
		messages := sqs.New(testenv.SQS(t).Options(), testenv.AroundSQS(count))
		sender := queue.NewSender(messages, map[string]string{outbox.SyncQueue: b.url})
		assert.Empty(t, handle(t, counted.relay(sender.SendAll), e))
		assert.Len(t, b.arrived(), 25)
		assert.Equal(t, map[string]int{"*sqs.SendMessageBatchInput": 3, "*dynamodb.BatchWriteItemInput": 1}, calls)
	})

	t.Run("keeps what SQS refuses of a call, and resumes from there", func(t *testing.T) {
		b := newBench(t)
		b.commit("a", "b", "c")
		e := b.stream(3)
		messages := sqs.New(testenv.SQS(t).Options(), testenv.AroundSQS(func(call any, next func() (any, error)) (any, error) {
			asked := call.(*sqs.SendMessageBatchInput)
			i := slices.IndexFunc(asked.Entries, func(m sqstypes.SendMessageBatchRequestEntry) bool {
				return strings.Contains(*m.MessageBody, `"b"`)
			})
			refused := sqstypes.BatchResultErrorEntry{Id: asked.Entries[i].Id, Code: aws.String("InternalError")}
			asked.Entries = slices.Delete(asked.Entries, i, i+1)
			out, err := next()
			if sent, ok := out.(*sqs.SendMessageBatchOutput); ok {
				sent.Failed = append(sent.Failed, refused)
			}
			return out, err
		}))
		sender := queue.NewSender(messages, map[string]string{outbox.SyncQueue: b.url})
		assert.Equal(t, []string{e.Records[1].Change.SequenceNumber}, handle(t, b.relay(sender.SendAll), e))
		assert.ElementsMatch(t, []string{"a", "c"}, b.arrived())
		assert.Equal(t, []string{"b"}, b.waiting())
		assert.Contains(t, b.log.String(), "InternalError")
	})

	t.Run("sends nothing of a batch that cannot be sent", func(t *testing.T) {
		b := newBench(t)
		b.commit("a", "b")
		e := b.stream(2)
		gone := queue.NewSender(testenv.SQS(t), map[string]string{outbox.SyncQueue: b.url + "-gone"})
		assert.Equal(t, []string{e.Records[0].Change.SequenceNumber}, handle(t, b.relay(gone.SendAll), e))
		assert.ElementsMatch(t, []string{"a", "b"}, b.waiting())
		_, err := b.relay(gone.SendAll).Resend(t.Context(), written().Add(1))
		require.ErrorContains(t, err, "send outbox message")
		assert.ElementsMatch(t, []string{"a", "b"}, b.waiting())
	})

	t.Run("deletes a row once that is twice in a batch", func(t *testing.T) {
		b := newBench(t)
		b.commit("a")
		e := b.stream(1)
		e.Records = append(e.Records, e.Records[0])
		assert.Empty(t, handle(t, b.relay(b.queue()), e))
		assert.Equal(t, []string{"a", "a"}, b.arrived())
		assert.Empty(t, b.waiting())
	})

	t.Run("counts a failure, which Lambda does not", func(t *testing.T) {
		b := newBench(t)
		b.commit("a")
		log, last := metrictest.Logger(t)
		away := each(func(context.Context, outbox.Row) error { return errSQS })
		require.NotEmpty(t, handle(t, outbox.NewRelay(b.db, b.table, away, written, log), b.stream(1)))
		line := last()
		metrictest.Assert(t, line, "Failures", "Count", 1)
		assert.Equal(t, "outbox-relay", line["Service"])
	})

	t.Run("keeps a row that was sent but could not be deleted", func(t *testing.T) {
		b := newBench(t)
		b.commit("a")
		e := b.stream(1)
		sick := *b
		sick.db = dynamodb.New(b.db.Options(), testenv.Around(func(call any, next func() (any, error)) (any, error) {
			if _, ok := call.(*dynamodb.BatchWriteItemInput); ok {
				return nil, &types.ThrottlingException{}
			}
			return next()
		}))
		assert.Equal(t, []string{e.Records[0].Change.SequenceNumber}, handle(t, sick.relay(b.queue()), e))
		assert.Equal(t, []string{"a"}, b.waiting())
		assert.Equal(t, []string{"a"}, b.arrived())
	})

	for name, image := range map[string]any{
		"nothing in it":    map[string]any{},
		"no image":         nil,
		"no queue":         map[string]any{"pk": text("a"), "body": text("{}")},
		"no body":          map[string]any{"pk": text("a"), "queue": text(outbox.SyncQueue)},
		"a strange queue":  map[string]any{"pk": text("a"), "body": text("{}"), "queue": text("nowhere")},
		"numbers for text": map[string]any{"pk": text("a"), "body": map[string]string{"N": "1"}, "queue": text(outbox.SyncQueue)},
	} {
		t.Run("reports a record with "+name+", until Lambda gives it up", func(t *testing.T) {
			b := newBench(t)
			relay := b.relay(b.queue())
			poison := record(t, "INSERT", "7", image)
			for range 2 {
				assert.Equal(t, []string{"7"}, handle(t, relay, outbox.Stream{Records: []outbox.Record{poison}}))
			}
			assert.Empty(t, b.arrived())
		})
	}
}

func text(s string) map[string]string { return map[string]string{"S": s} }

func TestResend(t *testing.T) {
	t.Parallel()

	t.Run("skips messages that the stream may still deliver", func(t *testing.T) {
		b := newBench(t)
		b.commit("a")
		resent, err := b.relay(b.queue()).Resend(t.Context(), written())
		require.NoError(t, err)
		assert.Zero(t, resent)
		assert.Equal(t, []string{"a"}, b.waiting())
		resent, err = b.relay(b.queue()).Resend(t.Context(), written().Add(1))
		require.NoError(t, err)
		assert.Equal(t, 1, resent)
		assert.Equal(t, []string{"a"}, b.arrived())
		assert.Empty(t, b.waiting())
	})

	t.Run("continues after a failure and reports it", func(t *testing.T) {
		b := newBench(t)
		b.commit("a", "b", "c", "d")
		b.put(dynamo.Item{"pk": dynamo.S("poison")})
		b.put(dynamo.Item{"pk": dynamo.S("odd"), "queue": dynamo.N(1), "body": &types.AttributeValueMemberBOOL{Value: true}})
		resent, err := b.relay(each(func(ctx context.Context, row outbox.Row) error {
			if strings.Contains(row.Body, `"b"`) {
				return errSQS
			}
			return b.send(ctx, row)
		})).Resend(t.Context(), written().Add(1))
		require.ErrorIs(t, err, errSQS)
		require.ErrorContains(t, err, `no queue named ""`)
		assert.Equal(t, 3, resent)
		assert.ElementsMatch(t, []string{"a", "c", "d"}, b.arrived())
		assert.ElementsMatch(t, []string{"b", "poison", "odd"}, b.waiting())
	})

	t.Run("reads more than one page", func(t *testing.T) {
		b := newBench(t)
		want := []string{}
		for i := range 6 { // a page of a scan ends at 1 MB
			id := strconv.Itoa(i)
			b.put(dynamo.Item{
				"pk": dynamo.S(id), "queue": dynamo.S(outbox.SyncQueue), "body": dynamo.S(strings.Repeat("x", 300_000)),
				"createdAt": dynamo.S(dynamo.Time(written())),
			})
			want = append(want, id)
		}
		require.Len(t, b.waiting(), len(want))
		var sent atomic.Int64
		relay := b.relay(each(func(context.Context, outbox.Row) error { sent.Add(1); return nil }))
		resent, err := relay.Resend(t.Context(), written().Add(1))
		require.NoError(t, err)
		assert.Equal(t, len(want), resent)
		assert.EqualValues(t, len(want), sent.Load())
		assert.Empty(t, b.waiting())
	})

	t.Run("sends several at once, and none after its time", func(t *testing.T) {
		b := newBench(t)
		for i := range 200 {
			b.put(dynamo.Item{
				"pk": dynamo.S(strconv.Itoa(i)), "queue": dynamo.S(outbox.SyncQueue), "body": dynamo.S("1"),
				"createdAt": dynamo.S(dynamo.Time(written())),
			})
		}
		ctx, end := context.WithCancel(t.Context())
		var begun, most, now atomic.Int64
		resent, err := b.relay(each(func(ctx context.Context, _ outbox.Row) error {
			for n := now.Add(1); ; {
				if m := most.Load(); n <= m || most.CompareAndSwap(m, n) {
					break
				}
			}
			defer now.Add(-1)
			if begun.Add(1) == 50 {
				end()
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(10 * time.Millisecond):
				return nil
			}
		})).Resend(ctx, written().Add(1))
		require.ErrorIs(t, err, context.Canceled)
		assert.Less(t, strings.Count(err.Error(), "canceled"), 20, "one line for each message that was under way")
		assert.Less(t, begun.Load(), int64(70))
		assert.Greater(t, most.Load(), int64(1))
		assert.Greater(t, resent, 30)
	})

	t.Run("sends the oldest first", func(t *testing.T) {
		b := newBench(t)
		for i := range 200 {
			b.put(dynamo.Item{
				"pk": dynamo.S(uuid.NewString()), "queue": dynamo.S(outbox.SyncQueue), "body": dynamo.S(strconv.Itoa(i)),
				"createdAt": dynamo.S(dynamo.Time(written().Add(time.Duration(i) * time.Second))),
			})
		}
		ctx, end := context.WithCancel(t.Context())
		var mu sync.Mutex
		var sent []int
		_, err := b.relay(each(func(_ context.Context, row outbox.Row) error {
			mu.Lock()
			defer mu.Unlock()
			n, err := strconv.Atoi(row.Body)
			if sent = append(sent, n); len(sent) == 20 {
				end()
			}
			return err
		})).Resend(ctx, written().Add(time.Hour))
		require.ErrorIs(t, err, context.Canceled)
		assert.Less(t, slices.Max(sent), 50)
	})

	t.Run("fails without a table", func(t *testing.T) {
		b := newBench(t)
		b.table = "nowhere"
		_, err := b.relay(b.queue()).Resend(t.Context(), written())
		var missing *types.ResourceNotFoundException
		require.ErrorAs(t, err, &missing)
	})
}

// A stream's retry and housekeeping may run concurrently without
// losing messages or failing.
func TestRelaysAtOnce(t *testing.T) {
	b := newBench(t)
	want := []string{}
	for i := range 20 {
		want = append(want, strconv.Itoa(i))
	}
	b.commit(want...)
	e := b.stream(len(want))
	slices.Sort(want)
	const relays = 4
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range relays {
		all.Go(func() {
			relay := b.relay(b.queue())
			<-start
			if i%2 == 0 {
				_, err := relay.Resend(t.Context(), written().Add(1))
				assert.NoError(t, err)
				return
			}
			res, err := relay.HandleStream(t.Context(), e)
			assert.NoError(t, err)
			assert.Empty(t, res.BatchItemFailures)
		})
	}
	close(start)
	all.Wait()
	got := b.arrived()
	assert.LessOrEqual(t, len(got), relays*len(want))
	slices.Sort(got)
	assert.Equal(t, want, slices.Compact(got))
	assert.Empty(t, b.waiting())
	assert.Empty(t, b.log.String())
}

func TestWaiting(t *testing.T) {
	b := newBench(t)
	b.commit("a", "b")
	for before, want := range map[time.Duration]int{0: 0, time.Nanosecond: 2} {
		waiting, err := outbox.Waiting(t.Context(), b.db, b.table, written().Add(before))
		require.NoError(t, err)
		assert.Equal(t, want, waiting)
	}
	_, err := outbox.Waiting(t.Context(), b.db, "no table", written())
	require.Error(t, err)
}

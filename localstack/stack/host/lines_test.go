package host

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const twoLogs = `
Resources:
  ALog: { Type: AWS::Logs::LogGroup, Properties: { LogGroupName: /test/a } }
  BLog: { Type: AWS::Logs::LogGroup, Properties: { LogGroupName: /test/b } }
  AFunction: { Type: AWS::Serverless::Function, Properties: { LoggingConfig: { LogGroup: !Ref ALog } } }
  BFunction: { Type: AWS::Serverless::Function, Properties: { LoggingConfig: { LogGroup: !Ref BLog } } }
  CFunction:
    Type: AWS::Serverless::Function
    Properties:
      Events:
        ALines: { Type: CloudWatchLogs, Properties: { LogGroupName: !Ref ALog, FilterPattern: '{ $.msg = "request" }' } }
`

// withLines returns a running host whose functions a and b log what they are called with, and
// what its function c gets.
func withLines(t *testing.T, take func(events.CloudwatchLogsData) error) (*Host, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	tap := NewLineTap(&out)
	log := slog.New(slog.NewJSONHandler(tap, nil)).With("Environment", "test")
	write := func(function string) func(context.Context, string) error {
		return func(ctx context.Context, message string) error {
			log.InfoContext(ctx, message, "Service", function) //nolint:sloglint // the subscription looks at it
			return nil
		}
	}
	o := options(t, parse(t, twoLogs), map[string]any{
		"AFunction": write("a"), "BFunction": write("b"),
		"CFunction": func(_ context.Context, e events.CloudwatchLogsEvent) error {
			data, err := e.AWSLogs.Parse()
			assert.NoError(t, err)
			log.Info("request") // outside of a call
			return take(data)
		},
	})
	o.Lines = tap
	h, err := New(o)
	require.NoError(t, err)
	h.Start()
	return h, &out
}

func call(t *testing.T, h *Host, function, payload string) {
	t.Helper()
	_, err := h.functions[function].call(t.Context(), "r", []byte(payload))
	require.NoError(t, err)
}

func TestLogSubscription(t *testing.T) {
	t.Parallel()
	got := make(chan events.CloudwatchLogsData, 10)
	h, out := withLines(t, func(data events.CloudwatchLogsData) error {
		got <- data
		return nil
	})
	call(t, h, "AFunction", `"something else"`)
	call(t, h, "BFunction", `"request"`)
	const lines = 3
	for range lines {
		call(t, h, "AFunction", `"request"`)
	}
	var all []events.CloudwatchLogsLogEvent
	for len(all) < lines {
		data := next(t, got)
		assert.Equal(t, "DATA_MESSAGE", data.MessageType)
		assert.Equal(t, "/test/a", data.LogGroup)
		assert.Equal(t, []string{"ALines"}, data.SubscriptionFilters)
		assert.NotEmpty(t, data.LogStream)
		all = append(all, data.LogEvents...)
	}
	require.Len(t, all, lines)
	for i, e := range all {
		assert.Contains(t, e.Message, `"msg":"request","Environment":"test","Service":"a"}`)
		assert.InDelta(t, time.Now().UnixMilli(), e.Timestamp, 20_000)
		assert.True(t, i == 0 || e.ID > all[i-1].ID)
	}
	h.Stop(t.Context())
	assert.Empty(t, got)
	assert.Contains(t, out.String(), "something else", "all lines are in the file")
}

func TestLogSubscriptionIsRetriedInOrder(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	got := make(chan int, 10)
	h, _ := withLines(t, func(data events.CloudwatchLogsData) error {
		if calls.Add(1) < 3 {
			return errors.New("broken")
		}
		got <- len(data.LogEvents)
		return nil
	})
	for range linesAtOnce + 1 {
		call(t, h, "AFunction", `"request"`)
	}
	h.Stop(t.Context()) // passes on what waits
	total := 0
	for total < linesAtOnce+1 {
		total += next(t, got)
	}
	assert.Equal(t, linesAtOnce+1, total)
}

func TestOtherLinePatterns(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{`request`, `{ $.msg = "r*" }`, `{ $.a = "b" && $.c = "d" }`, `{ $.status = 500 }`} {
		tpl := parse(t, strings.Replace(twoLogs, `{ $.msg = "request" }`, pattern, 1))
		none := func() {}
		_, err := New(options(t, tpl, map[string]any{"AFunction": none, "BFunction": none, "CFunction": none}))
		require.ErrorContains(t, err, "ALines of CFunction: the local stack supports only filter patterns")
	}
}

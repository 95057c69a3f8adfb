package host

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/lambda/messages"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const twoRules = `
Resources:
  F:
    Type: AWS::Serverless::Function
    Properties:
      Events:
        Bounced: { Type: EventBridgeRule, Properties: { Pattern: { source: [aws.ses], detail-type: [Email Bounced], detail: { mail: { tags: { kind: [letter] } } } } } }
  G:
    Type: AWS::Serverless::Function
    Properties:
      Events:
        All: { Type: EventBridgeRule, Properties: { Pattern: { source: [aws.ses, aws.s3] } } }
`

func bounced(kind string) Event {
	return Event{
		Source: "aws.ses", DetailType: "Email Bounced", Resources: []string{"arn:aws:ses:one"},
		Time:   time.Date(2026, 3, 1, 12, 0, 0, 5, time.UTC),
		Detail: map[string]any{"mail": map[string]any{"tags": map[string]any{"kind": []string{kind}}}},
	}
}

func TestPublish(t *testing.T) {
	// collect gives the events that both functions were given.
	collect := func(t *testing.T, published ...Event) (f, g []map[string]any) {
		t.Helper()
		seenByF, seenByG := make(chan map[string]any, 10), make(chan map[string]any, 10)
		into := func(c chan map[string]any) any {
			return func(_ context.Context, e map[string]any) error { c <- e; return nil }
		}
		h, stop := start(t, options(t, parse(t, twoRules), map[string]any{"F": into(seenByF), "G": into(seenByG)}))
		for _, e := range published {
			require.NoError(t, h.Publish(e))
		}
		stop()
		close(seenByF)
		close(seenByG)
		for e := range seenByF {
			f = append(f, e)
		}
		for e := range seenByG {
			g = append(g, e)
		}
		return f, g
	}

	t.Run("gives every function whose rule matches the event in its envelope", func(t *testing.T) {
		f, g := collect(t, bounced("letter"))
		require.Len(t, f, 1)
		require.Len(t, g, 1)
		assert.Equal(t, f[0], g[0])
		assert.NotEmpty(t, f[0]["id"])
		delete(f[0], "id")
		assert.Equal(t, map[string]any{
			"version": "0", "detail-type": "Email Bounced", "source": "aws.ses", "account": "000000000000",
			"time": "2026-03-01T12:00:00Z", "region": "eu-central-1", "resources": []any{"arn:aws:ses:one"},
			"detail": map[string]any{"mail": map[string]any{"tags": map[string]any{"kind": []any{"letter"}}}},
		}, f[0])
	})

	t.Run("leaves out functions whose rules do not match", func(t *testing.T) {
		other := bounced("letter")
		other.Source = "other"
		f, g := collect(t, bounced("newsletter"), other)
		assert.Empty(t, f)
		assert.Len(t, g, 1)
	})

	t.Run("rejects a detail that is not JSON", func(t *testing.T) {
		h, _ := start(t, options(t, parse(t, twoRules), map[string]any{"F": func() {}, "G": func() {}}))
		assert.ErrorContains(t, h.Publish(Event{DetailType: "Odd", Detail: func() {}}), "publish Odd")
	})

	t.Run("says when all functions have handled the event", func(t *testing.T) {
		release, handled := make(chan bool), make(chan bool)
		h, stop := start(t, options(t, parse(t, twoRules), map[string]any{
			"F": func() { <-release }, "G": func() error { return errors.New("broken") },
		}))
		defer stop()
		e := bounced("letter")
		e.Handled = func() { close(handled) }
		require.NoError(t, h.Publish(e))
		select {
		case <-handled:
			require.Fail(t, "one function is still at it")
		case <-time.After(50 * time.Millisecond):
		}
		close(release)
		<-handled
		nobodys := Event{Source: "other", Handled: func() { release = nil }}
		require.NoError(t, h.Publish(nobodys))
		assert.Nil(t, release, "an event that no rule matches is handled")
	})

	t.Run("says when the host has stopped", func(t *testing.T) {
		h, stop := start(t, options(t, parse(t, twoRules), map[string]any{"F": func() {}, "G": func() {}}))
		stop()
		assert.ErrorIs(t, h.Publish(bounced("letter")), errClosed)
	})
}

const oneRule = `
Resources:
  F:
    Type: AWS::Serverless::Function
    Properties:
      Events:
        E: { Type: EventBridgeRule, Properties: { Pattern: { source: [aws.ses] } } }
`

func TestAsynchronousCalls(t *testing.T) {
	t.Run("a failed event is retried twice, later each time, with the same request ID", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var at []time.Duration
			var lines told
			begun := time.Now()
			o := options(t, parse(t, oneRule), map[string]any{"F": func() error {
				at = append(at, time.Since(begun))
				return errors.New("broken")
			}})
			o.RetryPause, o.Tell = 0, lines.tell
			h, stop := start(t, o)
			require.NoError(t, h.Publish(bounced("letter")))
			time.Sleep(time.Minute)
			stop()
			assert.Equal(t, []time.Duration{0, time.Second, 3 * time.Second}, at)
			assert.Equal(t, []string{
				"f: Email Bounced failed and will be retried: broken",
				"f: Email Bounced failed and will be retried: broken",
				"f: Email Bounced failed for good, after 3 tries: broken",
			}, lines.lines)
		})
	})

	t.Run("one that succeeds is not tried again", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			h, stop := start(t, options(t, parse(t, oneRule), map[string]any{"F": func() error {
				if calls++; calls == 1 {
					return errors.New("broken")
				}
				return nil
			}}))
			require.NoError(t, h.Publish(bounced("letter")))
			time.Sleep(time.Minute)
			stop()
			assert.Equal(t, 2, calls)
		})
	})

	t.Run("the template says how often", func(t *testing.T) {
		calls := 0
		src := strings.Replace(oneRule, "Properties:\n", "Properties:\n      EventInvokeConfig: { MaximumRetryAttempts: 0 }\n", 1)
		h, stop := start(t, options(t, parse(t, src), map[string]any{"F": func() error { calls++; return errors.New("broken") }}))
		require.NoError(t, h.Publish(bounced("letter")))
		stop()
		assert.Equal(t, 1, calls)
	})

	t.Run("stopping waits for them, without the waits between tries", func(t *testing.T) {
		begun, release := make(chan struct{}), make(chan struct{})
		calls := 0
		o := options(t, parse(t, oneRule), map[string]any{"F": func() error {
			if calls++; calls == 1 {
				close(begun)
				<-release
			}
			return errors.New("broken")
		}})
		o.RetryPause = time.Hour
		h, stop := start(t, o)
		require.NoError(t, h.Publish(bounced("letter")))
		<-begun
		stopped := make(chan struct{})
		go func() { stop(); close(stopped) }()
		<-h.intake.Done()
		close(release)
		<-stopped
		assert.Equal(t, 3, calls)
	})

	t.Run("what a call in flight publishes while the host stops is still given on", func(t *testing.T) {
		const src = oneRoute + `
  G:
    Type: AWS::Serverless::Function
    Properties:
      Events:
        E: { Type: EventBridgeRule, Properties: { Pattern: { source: [aws.ses] } } }
`
		begun, release, given := make(chan struct{}), make(chan struct{}), make(chan bool, 1)
		var h *Host
		var published error
		h, stop := start(t, options(t, parse(t, src), map[string]any{
			"F": func() error {
				close(begun)
				<-release
				published = h.Publish(bounced("letter"))
				return nil
			},
			"G": func() { given <- true },
		}))
		go exchangeWith(h, get())
		<-begun
		stopped := make(chan struct{})
		go func() { stop(); close(stopped) }()
		<-h.intake.Done()
		close(release)
		<-stopped
		require.NoError(t, published)
		assert.Len(t, given, 1)
	})

	t.Run("one given up goes to the failure queue", func(t *testing.T) {
		const src = `
Resources:
  Dead: { Type: AWS::SQS::Queue }
  F:
    Type: AWS::Serverless::Function
    Properties:
      EventInvokeConfig: { MaximumRetryAttempts: 1, DestinationConfig: { OnFailure: { Type: SQS, Destination: !GetAtt Dead.Arn } } }
      Events:
        E: { Type: EventBridgeRule, Properties: { Pattern: { source: [aws.ses] } } }
`
		o := withBackends(t, options(t, parse(t, src), map[string]any{"F": func() error { return errors.New("broken") }}))
		h, stop := start(t, o)
		require.NoError(t, h.Publish(bounced("letter")))
		stop()
		var kept struct {
			RequestContext struct {
				FunctionArn, Condition string
				ApproximateInvokeCount int
			}
			RequestPayload  map[string]any
			ResponsePayload messages.InvokeResponse_Error
		}
		require.NoError(t, json.Unmarshal([]byte(receive(t, o, "Dead")), &kept))
		assert.Equal(t, "arn:aws:lambda:eu-central-1:000000000000:function:f:$LATEST", kept.RequestContext.FunctionArn)
		assert.Equal(t, "RetriesExhausted", kept.RequestContext.Condition)
		assert.Equal(t, 2, kept.RequestContext.ApproximateInvokeCount)
		assert.Equal(t, "Email Bounced", kept.RequestPayload["detail-type"])
		assert.Equal(t, messages.InvokeResponse_Error{Message: "broken", Type: "errorString"}, kept.ResponsePayload)
	})
}

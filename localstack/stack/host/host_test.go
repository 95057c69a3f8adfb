package host

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/localstack/stack/provision"
	"aviso/localstack/template"
	"aviso/localstack/tests/testenv"
)

// patience bounds the wait for something that another process does.
const patience = 20 * time.Second

// told collects what a host tells people.
type told struct {
	mu    sync.Mutex
	lines []string
}

func (l *told) tell(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
}

// handler calls f, which is as lambda.NewHandler wants it. Unlike a handler of that, it can be invoked
// concurrently: that one returns a buffer that the next invocation overwrites.
type handler struct{ f any }

// Invoke implements lambda.Handler.
func (h handler) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	return lambda.NewHandler(h.f).Invoke(ctx, payload)
}

// handlers makes lambda handlers of plain functions.
func handlers(functions map[string]any) map[string]lambda.Handler {
	out := map[string]lambda.Handler{}
	for id, f := range functions {
		out[id] = handler{f}
	}
	return out
}

func parse(t *testing.T, src string) *template.Template {
	t.Helper()
	tpl, err := template.Parse([]byte(src), "test.yaml", nil)
	require.NoError(t, err)
	return tpl
}

func options(t *testing.T, tpl *template.Template, functions map[string]any) Options {
	t.Helper()
	return Options{
		Template: tpl, Functions: handlers(functions), Positions: t.TempDir(), RetryPause: time.Millisecond,
		Tell: (&told{}).tell, Log: slog.New(slog.DiscardHandler),
	}
}

// withBackends gives the options the tables and queues of their template.
func withBackends(t *testing.T, o Options) Options {
	t.Helper()
	prefix := uuid.NewString()[:13] + "-"
	var err error
	o.DynamoDB, o.Streams, o.SQS = testenv.Emulator(t), testenv.Streams(t), testenv.SQS(t)
	o.Tables, err = provision.Tables(t.Context(), o.DynamoDB, o.Template, prefix)
	require.NoError(t, err)
	o.Queues, err = provision.Queues(t.Context(), o.SQS, o.Template, prefix)
	require.NoError(t, err)
	return o
}

// start runs a host until the test ends, or until stop is called.
func start(t *testing.T, o Options) (h *Host, stop func()) {
	t.Helper()
	h, err := New(o)
	require.NoError(t, err)
	h.Start()
	stop = sync.OnceFunc(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		h.Stop(ctx)
	})
	t.Cleanup(stop)
	return h, stop
}

// next waits for what a function was given.
func next[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case got := <-from:
		return got
	case <-time.After(patience):
		require.FailNow(t, "the function was not called")
		panic("unreachable")
	}
}

func TestNewRefuses(t *testing.T) {
	t.Run("a function without a handler", func(t *testing.T) {
		_, err := New(options(t, parse(t, "Resources:\n  F: { Type: AWS::Serverless::Function }"), nil))
		require.ErrorContains(t, err, "function F of the template has no handler")
	})
	t.Run("a filter it does not understand", func(t *testing.T) {
		tpl := parse(t, "Resources:\n  F: { Type: AWS::Serverless::Function }")
		tpl.Streams = []template.StreamMapping{
			{Function: "F", Table: "T", Filters: []json.RawMessage{[]byte(`{"a":[{"cidr":"10.0.0.0/8"}]}`)}},
		}
		_, err := New(options(t, tpl, map[string]any{"F": func() {}}))
		require.ErrorContains(t, err, "filter of F on T")
	})
	t.Run("a rule whose pattern it does not understand", func(t *testing.T) {
		tpl := parse(t, "Resources:\n  F: { Type: AWS::Serverless::Function }")
		tpl.Rules = []template.Rule{{Name: "Mail", Function: "F", Pattern: []byte(`{"a":[{"cidr":"10.0.0.0/8"}]}`)}}
		_, err := New(options(t, tpl, map[string]any{"F": func() {}}))
		require.ErrorContains(t, err, "rule Mail of F")
	})
}

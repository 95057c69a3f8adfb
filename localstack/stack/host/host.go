// Package host runs the functions of a template as Lambda does: an HTTP request becomes API Gateway's event, messages
// and stream records become batches, and schedules call functions on time. The functions are the same handlers as on
// AWS. The package knows nothing about the service.
package host

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/localstack/template"
)

// Options configure a host.
type Options struct {
	Template *template.Template
	// Functions are the handlers by the functions' logical IDs.
	Functions map[string]lambda.Handler
	// Tables holds names, and Queues addresses, both by logical ID.
	Tables, Queues map[string]string
	DynamoDB       *dynamodb.Client
	Streams        *dynamodbstreams.Client
	SQS            *sqs.Client
	// Positions is the folder that stores the read position of each stream.
	Positions string
	// RetryPause is the wait before a failed stream batch is retried. It doubles with
	// each try, up to ten seconds. A failed asynchronous call waits five times as long.
	// Zero means 200 ms.
	RetryPause time.Duration
	// Tell gets one line per request and per failure, for people.
	Tell func(line string)
	Log  *slog.Logger
	// Lines passes on the functions' log lines, for the template's log subscriptions.
	Lines *LineTap
}

// Host runs a template's functions.
type Host struct {
	Options
	functions map[string]*function
	router    router
	rules     []rule
	pollers   []func(intake context.Context)
	// calls is the context of every call. It ends only if draining takes too long.
	calls    context.Context
	abort    context.CancelFunc
	intake   context.Context
	stop     context.CancelFunc
	inFlight sync.WaitGroup
	later    sync.WaitGroup // asynchronous calls
	mu       sync.Mutex
	// Guarded by mu. Once stopping is true, inFlight accepts nothing more from outside;
	// once closed is true, later accepts nothing more at all.
	stopping, closed bool
	// wrote is closed and replaced when a call ends, because the call may have written to tables.
	wrote chan struct{}
}

// New checks the options against the template and returns a host. Nothing runs before Start.
func New(o Options) (*Host, error) {
	h := &Host{Options: o, functions: map[string]*function{}, wrote: make(chan struct{})}
	h.RetryPause = cmp.Or(h.RetryPause, 200*time.Millisecond)
	for _, f := range o.Template.Functions {
		handler, ok := o.Functions[f.ID]
		if !ok {
			return nil, fmt.Errorf("function %s of the template has no handler", f.ID)
		}
		h.functions[f.ID] = &function{Function: f, handler: handler, ended: h.noteWrites}
	}
	for _, r := range o.Template.Rules {
		p, err := parsePattern(r.Pattern)
		if err != nil {
			return nil, fmt.Errorf("rule %s of %s: %w", r.Name, r.Function, err)
		}
		h.rules = append(h.rules, rule{pattern: p, function: h.functions[r.Function]})
	}
	for _, m := range o.Template.QueueMappings {
		h.pollers = append(h.pollers, h.queuePoller(m))
	}
	for _, m := range o.Template.Streams {
		poller, err := h.streamPoller(m)
		if err != nil {
			return nil, err
		}
		h.pollers = append(h.pollers, poller)
	}
	for _, s := range o.Template.Schedules {
		h.pollers = append(h.pollers, h.scheduler(s))
	}
	if err := h.subscriptions(); err != nil {
		return nil, err
	}
	h.router = newRouter(o.Template.Routes)
	h.calls, h.abort = context.WithCancel(context.Background())
	h.intake, h.stop = context.WithCancel(h.calls)
	return h, nil
}

// Start starts reading queues and streams and running schedules.
func (h *Host) Start() {
	for _, poll := range h.pollers {
		h.inFlight.Go(func() { poll(h.intake) })
	}
}

// Stop stops the intake. It waits for the calls in flight and then for the events that they published, or cancels
// them when ctx ends.
func (h *Host) Stop(ctx context.Context) {
	h.mu.Lock()
	h.stopping = true
	h.mu.Unlock()
	h.stop()
	drained := make(chan struct{})
	go func() {
		h.inFlight.Wait()
		h.mu.Lock()
		h.closed = true
		h.mu.Unlock()
		h.later.Wait()
		close(drained)
	}()
	select {
	case <-drained:
	case <-ctx.Done():
		h.abort()
		<-drained
	}
	h.abort()
}

// noteWrites wakes everybody who waits for writes.
func (h *Host) noteWrites() {
	h.mu.Lock()
	defer h.mu.Unlock()
	close(h.wrote)
	h.wrote = make(chan struct{})
}

// nextWrites returns a channel that is closed when the next call has ended.
func (h *Host) nextWrites() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.wrote
}

// begin counts a request as in flight, or returns false if the host is stopping.
func (h *Host) begin() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.stopping {
		h.inFlight.Add(1)
	}
	return !h.stopping
}

// failed reports a failure in the log and on the console.
func (h *Host) failed(what, function string, err error) {
	h.Log.Error("failed", "what", what, "function", function, "error", err.Error())
	h.Tell(fmt.Sprintf("%s: %s: %v", function, what, err))
}

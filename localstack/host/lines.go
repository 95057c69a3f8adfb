package host

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambdacontext"
	"github.com/google/uuid"

	"aviso/internal/clock"
	"aviso/localstack/template"
)

// LineTap is between the functions' logger and its file. It knows which function writes a
// line, from the context of the call.
type LineTap struct {
	out io.Writer
	mu  sync.Mutex
	// Guarded by mu: who writes the line at hand, and what else gets the lines.
	function string
	take     func(function string, line []byte)
}

// NewLineTap returns a LineTap that passes all lines on to out.
func NewLineTap(out io.Writer) *LineTap { return &LineTap{out: out} }

// Handler returns a handler for h, which must write to the tap, one line in one call.
func (t *LineTap) Handler(h slog.Handler) slog.Handler { return tapped{h, t} }

// Write implements io.Writer.
func (t *LineTap) Write(line []byte) (int, error) {
	if t.take != nil && t.function != "" {
		t.take(t.function, line)
	}
	return t.out.Write(line)
}

type tapped struct {
	slog.Handler
	tap *LineTap
}

// Handle implements slog.Handler.
func (h tapped) Handle(ctx context.Context, r slog.Record) error {
	h.tap.mu.Lock()
	defer h.tap.mu.Unlock()
	h.tap.function = ""
	if call, ok := lambdacontext.FromContext(ctx); ok {
		arn := call.InvokedFunctionArn
		h.tap.function = arn[strings.LastIndex(arn, ":")+1:]
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h tapped) WithAttrs(attrs []slog.Attr) slog.Handler {
	return tapped{h.Handler.WithAttrs(attrs), h.tap}
}

// WithGroup implements slog.Handler.
func (h tapped) WithGroup(name string) slog.Handler { return tapped{h.Handler.WithGroup(name), h.tap} }

// parseLinePattern parses a filter pattern of CloudWatch Logs of the only form that
// template.yaml has: a member of the JSON in the line has this text.
func parseLinePattern(raw string) (pattern, error) {
	parts := regexp.MustCompile(`^\{ \$\.([A-Za-z]+) = "([^"*%\\]*)" \}$`).FindStringSubmatch(raw)
	if parts == nil {
		return nil, fmt.Errorf(`filter pattern %s: the local stack supports only { $.member = "text" }`, raw)
	}
	return pattern{parts[1]: []any{parts[2]}}, nil
}

// subscription passes the lines of one log group to a function, as CloudWatch Logs does.
type subscription struct {
	template.LogSubscription
	h       *Host
	pattern pattern
	stream  string
	to      *function
	mu      sync.Mutex
	// Guarded by mu: how many lines there were, and those that wait.
	lines   int
	waiting []events.CloudwatchLogsLogEvent
}

const (
	// linesEvery is how often lines are passed on, linesAtOnce how many.
	linesEvery  = 200 * time.Millisecond
	linesAtOnce = 500
)

// subscriptions connects the template's log subscriptions with the tap.
func (h *Host) subscriptions() error {
	byFunction := map[string][]*subscription{}
	for _, l := range h.Template.LogSubscriptions {
		p, err := parseLinePattern(l.Pattern)
		if err != nil {
			return fmt.Errorf("%s of %s: %w", l.Name, l.Function, err)
		}
		s := &subscription{LogSubscription: l, h: h, pattern: p, to: h.functions[l.Function], stream: uuid.NewString()}
		for _, f := range h.Template.Functions {
			if f.LogGroup == l.LogGroup {
				byFunction[f.Name] = append(byFunction[f.Name], s)
			}
		}
		h.pollers = append(h.pollers, s.run)
	}
	if h.Lines == nil {
		return nil
	}
	h.Lines.mu.Lock()
	defer h.Lines.mu.Unlock()
	h.Lines.take = func(function string, line []byte) {
		for _, s := range byFunction[function] {
			s.add(line)
		}
	}
	return nil
}

// add takes a line if it matches. The function that wrote it does not wait.
func (s *subscription) add(line []byte) {
	var value any
	if json.Unmarshal(line, &value) != nil || !s.pattern.matches(value) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines++
	at := time.Now().UnixMilli()
	s.waiting = append(s.waiting, events.CloudwatchLogsLogEvent{
		ID: fmt.Sprintf("%038d%018d", at, s.lines), Timestamp: at, Message: string(bytes.TrimRight(line, "\n")),
	})
}

// run passes lines on in order, and once more when intake ends.
func (s *subscription) run(intake context.Context) {
	for clock.Wait(intake, linesEvery) {
		s.pass()
	}
	s.pass()
}

func (s *subscription) pass() {
	for {
		s.mu.Lock()
		n := min(len(s.waiting), linesAtOnce)
		lines := s.waiting[:n:n]
		s.waiting = s.waiting[n:]
		s.mu.Unlock()
		if n == 0 {
			return
		}
		payload, err := s.event(lines)
		if err != nil {
			s.h.failed("pack log lines", s.to.Name, err)
			return
		}
		s.h.callUntilDone(fmt.Sprintf("%d lines of %s", n, s.GroupName), s.to, payload)
	}
}

// event returns the lines in the event of CloudWatch Logs: JSON, gzip, base64.
func (s *subscription) event(lines []events.CloudwatchLogsLogEvent) ([]byte, error) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	err := json.NewEncoder(z).Encode(events.CloudwatchLogsData{
		Owner: template.Account, LogGroup: s.GroupName, LogStream: s.stream, SubscriptionFilters: []string{s.Name},
		MessageType: "DATA_MESSAGE", LogEvents: lines,
	})
	if err := errors.Join(err, z.Close()); err != nil {
		return nil, err
	}
	data := base64.StdEncoding.EncodeToString(packed.Bytes())
	return json.Marshal(events.CloudwatchLogsEvent{AWSLogs: events.CloudwatchLogsRawData{Data: data}})
}

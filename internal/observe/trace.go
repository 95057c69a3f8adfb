package observe

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"regexp"
	"strings"
	"sync/atomic"

	"github.com/google/uuid"
)

const (
	// TraceAttribute is the name of the trace ID in log lines, outbox rows and queue messages.
	TraceAttribute = "traceId"
	// TraceHeader is the HTTP header that carries a trace from one service to the next.
	TraceHeader = "traceparent"
)

// TraceID is a trace ID of W3C Trace Context: 32 lower-case hexadecimal digits, not all of them 0. A request keeps it
// through the outbox, the queues and the callback to the partner.
type TraceID string

// The lengths of the IDs in the traceparent header, in digits.
const idLength, spanLength = 32, 16

// NewTrace returns a random ID.
func NewTrace() TraceID { return TraceID(random(idLength)) }

// TraceOf returns the trace ID for a request ID. A UUID keeps its digits, so that each can be found by the other. Any
// other request ID is hashed.
func TraceOf(requestID string) TraceID {
	if id, err := uuid.Parse(requestID); err == nil && id != uuid.Nil {
		return TraceID(hex.EncodeToString(id[:]))
	}
	sum := sha256.Sum256([]byte(requestID))
	return TraceID(hex.EncodeToString(sum[:idLength/2]))
}

// parent matches a traceparent header. Versions after 00 may have more members.
var parent = regexp.MustCompile(`(?s)^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$`)

// ParseTrace returns the trace ID of a traceparent header. It returns false if the header is missing or malformed.
func ParseTrace(header string) (TraceID, bool) {
	m := parent.FindStringSubmatch(header)
	if len(m) == 0 || isZero(m[2]) || isZero(m[3]) {
		return "", false
	}
	version, id, more := m[1], m[2], m[4]
	if version == "ff" || version == "00" && more != "" {
		return "", false
	}
	return TraceID(id), true
}

// Parent returns a traceparent header for one call to another service, with a new span ID. The call is marked as
// sampled, because there is a log line about it.
func (id TraceID) Parent() string { return "00-" + string(id) + "-" + random(spanLength) + "-01" }

type key struct{}

// work is the data in the context of a request or message.
type work struct {
	trace TraceID
	calls *Calls
}

func workOf(ctx context.Context) work {
	w, _ := ctx.Value(key{}).(work)
	return w
}

// WithTrace returns a context for work that belongs to the trace.
func WithTrace(ctx context.Context, id TraceID) context.Context {
	return context.WithValue(ctx, key{}, work{id, workOf(ctx).calls})
}

// TraceFrom returns the trace of the context, or "".
func TraceFrom(ctx context.Context) TraceID { return workOf(ctx).trace }

// Calls counts the AWS calls of a request or message.
type Calls struct{ calls, retries atomic.Int64 }

// Count returns the number of calls, without retries.
func (c *Calls) Count() int64 { return c.calls.Load() }

// Retries returns how often a call was retried.
func (c *Calls) Retries() int64 { return c.retries.Load() }

// CountCalls returns a context in the same trace whose AWS calls are counted.
func CountCalls(ctx context.Context) (context.Context, *Calls) {
	c := &Calls{}
	return context.WithValue(ctx, key{}, work{TraceFrom(ctx), c}), c
}

// CountCall counts an AWS call of the context.
func CountCall(ctx context.Context, retries int) {
	if c := workOf(ctx).calls; c != nil {
		c.calls.Add(1)
		c.retries.Add(int64(retries))
	}
}

// ContinueTrace returns a context for work that another function requested, with the trace ID in its request. Without
// an ID, the work stays in the trace of ctx.
func ContinueTrace(ctx context.Context, id string) context.Context {
	if len(id) != idLength || !isHex(id) || isZero(id) {
		return ctx
	}
	return WithTrace(ctx, TraceID(id))
}

// LogTrace returns a handler that adds the context's trace ID to each line.
func LogTrace(h slog.Handler) slog.Handler { return handler{h} }

type handler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h handler) Handle(ctx context.Context, r slog.Record) error {
	if id := TraceFrom(ctx); id != "" {
		r = r.Clone()
		r.AddAttrs(slog.String(TraceAttribute, string(id)))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h handler) WithGroup(name string) slog.Handler { return handler{h.Handler.WithGroup(name)} }

func isHex(text string) bool { return strings.Trim(text, "0123456789abcdef") == "" }

func isZero(text string) bool { return strings.Trim(text, "0") == "" }

func random(digits int) string {
	b := make([]byte, digits/2)
	for isZero(hex.EncodeToString(b)) {
		_, _ = rand.Read(b) // it never fails
	}
	return hex.EncodeToString(b)
}

// Package trace follows a request through the outbox, the queues and the callback to the
// partner, under one ID: the trace ID of W3C Trace Context. Every log line of the work has it.
package trace

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"strings"

	"github.com/google/uuid"
)

const (
	// Attribute is the name of the trace ID in log lines, outbox rows and queue messages.
	Attribute = "traceId"
	// Header is the HTTP header that carries a trace from one service to the next.
	Header = "traceparent"
)

// ID is a trace ID: 32 lower-case hexadecimal digits, not all of them 0.
type ID string

// The lengths in the traceparent header, in digits.
const (
	idLength, spanLength, versionLength = 32, 16, 2
	parentLength                        = versionLength + 1 + idLength + 1 + spanLength + 1 + 2
)

// New returns a random ID.
func New() ID { return ID(random(idLength)) }

// Of returns the ID that belongs to a request's ID. A UUID keeps its digits, so that one
// can be found by the other. All other request IDs are digested.
func Of(requestID string) ID {
	if id, err := uuid.Parse(requestID); err == nil && id != uuid.Nil {
		return ID(hex.EncodeToString(id[:]))
	}
	sum := sha256.Sum256([]byte(requestID))
	return ID(hex.EncodeToString(sum[:idLength/2]))
}

// Parse returns the trace ID of a traceparent header, or false if the header is missing or
// malformed.
func Parse(header string) (ID, bool) {
	if len(header) < parentLength || len(header) > parentLength && (header[:2] == "00" || header[parentLength] != '-') {
		return "", false
	}
	parts := strings.Split(header[:parentLength], "-")
	if len(parts) != 4 || len(parts[0]) != versionLength || len(parts[1]) != idLength || len(parts[2]) != spanLength {
		return "", false
	}
	for _, part := range parts {
		if !isHex(part) {
			return "", false
		}
	}
	if parts[0] == "ff" || isZero(parts[1]) || isZero(parts[2]) {
		return "", false
	}
	return ID(parts[1]), true
}

// Parent returns a traceparent header for one call to another service, with a span ID of its
// own. The call is marked as sampled: there is a log line of it.
func (id ID) Parent() string { return "00-" + string(id) + "-" + random(spanLength) + "-01" }

type key struct{}

// With returns a context for work that belongs to the trace.
func With(ctx context.Context, id ID) context.Context { return context.WithValue(ctx, key{}, id) }

// From returns the trace of the context, or "".
func From(ctx context.Context) ID {
	id, _ := ctx.Value(key{}).(ID)
	return id
}

// Continue returns a context for work that another function has asked for, with the trace ID
// that came along. Rows and messages from before there were any have none: then the work
// stays in the trace of ctx.
func Continue(ctx context.Context, id string) context.Context {
	if len(id) != idLength || !isHex(id) || isZero(id) {
		return ctx
	}
	return With(ctx, ID(id))
}

// Log returns a handler that adds the context's trace ID to each line.
func Log(h slog.Handler) slog.Handler { return handler{h} }

type handler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h handler) Handle(ctx context.Context, r slog.Record) error {
	if id := From(ctx); id != "" {
		r = r.Clone()
		r.AddAttrs(slog.String(Attribute, string(id)))
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

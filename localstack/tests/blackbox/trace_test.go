package blackbox_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// logLines returns the functions' log lines so far.
func logLines(t *testing.T) []map[string]any {
	t.Helper()
	require.NotEmpty(t, service.dataDir, "DATA_DIR must name the data folder of the stack at %s", service.baseURL)
	file, err := os.Open(filepath.Join(service.dataDir, "functions.log"))
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	var lines []map[string]any
	text := bufio.NewScanner(file)
	text.Buffer(nil, 1<<20)
	for text.Scan() {
		var line map[string]any
		if json.Unmarshal(text.Bytes(), &line) == nil { // the last one may be unfinished
			lines = append(lines, line)
		}
	}
	require.NoError(t, text.Err())
	return lines
}

// tracedLines returns what the trace's log lines are: the message, and the service or queue.
func tracedLines(t *testing.T, traceID string) []string {
	t.Helper()
	var found []string
	for _, line := range logLines(t) {
		if line["traceId"] != traceID {
			continue
		}
		text := line["msg"].(string)
		for _, name := range []string{"Service", "queue", "eventType"} {
			if value, ok := line[name].(string); ok {
				text += " " + value
			}
		}
		found = append(found, text)
	}
	return found
}

// awaitLines waits until the trace has all of these lines.
func awaitLines(t *testing.T, traceID string, want ...string) {
	t.Helper()
	var found []string
	eventually(t, func() bool {
		found = tracedLines(t, traceID)
		return !slices.ContainsFunc(want, func(line string) bool { return !slices.Contains(found, line) })
	}, patience, 100*time.Millisecond)
	assert.Subset(t, found, want)
}

// traceOf returns the trace ID of a callback.
func traceOf(t *testing.T, c callback) string {
	t.Helper()
	parts := strings.Split(c.header.Get("traceparent"), "-")
	require.Len(t, parts, 4, "traceparent is %q", c.header.Get("traceparent"))
	return parts[1]
}

// One trace ID finds everything that a request caused, up to the partner's receiver.
func TestTrace(t *testing.T) {
	t.Parallel()

	t.Run("begun by the partner, of a letter", func(t *testing.T) {
		p, r := newPartner(t, "sandbox"), newReceiver(t, nil)
		p.subscribe(t, r, "cancellation.sent")
		traceID := strings.ReplaceAll(uuid.NewString(), "-", "")
		a := p.send(t, http.MethodPost, cancellations, letterTo(p.product(t, "Nur E-Mail")),
			"traceparent", "00-"+traceID+"-00f067aa0ba902b7-01")
		require.Equal(t, http.StatusCreated, a.status, string(a.body))
		assert.Equal(t, traceID, traceOf(t, r.await(t, "the letter has been sent", about(p, "cancellation.sent"))))
		awaitLines(t, traceID, "request cancellation", "relayed letters", "message letter-dispatch",
			"relayed events cancellation.sent", "attempt webhook-delivery cancellation.sent", "message webhook-delivery")
	})

	t.Run("of a request ID, of a sync", func(t *testing.T) {
		p, r := newPartner(t, "sandbox"), newReceiver(t, nil)
		l := p.connected(t, "lindenmark")
		p.subscribe(t, r, "connection.refreshed")
		age(t, p, l.ConnectionID)
		requestID := uuid.NewString()
		a := p.send(t, http.MethodPost, "/openbanking/v1/connections/"+l.ConnectionID+"/refresh", nil, "X-Request-Id", requestID)
		require.Equal(t, http.StatusAccepted, a.status, string(a.body))
		traceID := strings.ReplaceAll(requestID, "-", "")
		r.await(t, "the connection was refreshed", func(c callback) bool { return traceOf(t, c) == traceID })
		awaitLines(t, traceID, "request pfm", "relayed sync", "bank call", "message bank-sync",
			"relayed events connection.refreshed", "attempt webhook-delivery connection.refreshed", "message webhook-delivery")
	})

	t.Run("kept by a retry", func(t *testing.T) {
		failed := false
		p, r := newPartner(t, "sandbox"), newReceiver(t, nil)
		r.respond = func(w http.ResponseWriter, _ callback) bool {
			if failed {
				return false
			}
			failed = true
			w.WriteHeader(http.StatusInternalServerError)
			return true
		}
		path, _ := p.subscribe(t, r, "webhook.ping")
		id := p.ping(t, path)
		p.untilAttempts(t, path, 2)
		calls := r.all(event(id))
		require.Len(t, calls, 2)
		assert.Equal(t, traceOf(t, calls[0]), traceOf(t, calls[1]))
		assert.NotEqual(t, calls[0].header.Get("traceparent"), calls[1].header.Get("traceparent"), "each call is a span of its own")
	})
}

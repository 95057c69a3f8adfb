// Package metrictest reads metrics from log lines, for tests.
package metrictest

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/observe"
)

// Logger returns a logger like a function's, and a function that returns its last line.
func Logger(t *testing.T) (*slog.Logger, func() map[string]any) {
	t.Helper()
	var log bytes.Buffer
	return slog.New(slog.NewJSONHandler(&log, nil)).With(observe.Stack, "test"), func() map[string]any {
		t.Helper()
		if log.Len() == 0 {
			return nil
		}
		var line map[string]any
		require.NoError(t, json.Unmarshal(log.Bytes(), &line))
		log.Reset()
		return line
	}
}

// Assert checks a line against CloudWatch's format: the metric and its dimension must be members of the line. The
// line may have other metrics too.
func Assert(t *testing.T, line map[string]any, name observe.Metric, unit string, value float64) {
	t.Helper()
	require.NotNil(t, line, "nothing was logged")
	assert.InDelta(t, value, line[string(name)], 1e-9)
	assert.NotEmpty(t, line[observe.Stack])
	about, ok := line["_aws"].(map[string]any)
	require.True(t, ok, "the line has no directives")
	assert.Contains(t, about["CloudWatchMetrics"], map[string]any{
		"Namespace": observe.Namespace, "Dimensions": []any{[]any{observe.Stack}},
		"Metrics": []any{map[string]any{"Name": string(name), "Unit": unit}},
	})
}

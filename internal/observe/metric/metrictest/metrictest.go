// Package metrictest reads metrics from log lines, for tests.
package metrictest

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/observe/metric"
)

// Logger returns a logger like that of functions, and a function that returns its
// last line.
func Logger(t *testing.T) (*slog.Logger, func() map[string]any) {
	t.Helper()
	var log bytes.Buffer
	return slog.New(slog.NewJSONHandler(&log, nil)).With(metric.Environment, "test"), func() map[string]any {
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

// Assert checks a line against CloudWatch's format: the metric and each of its
// dimensions must be members of the line.
func Assert(t *testing.T, line map[string]any, name, unit string, value float64) {
	t.Helper()
	check(t, line, metric.Metric(name), value)
	assert.Equal(t, unit, metric.Metric(name).Unit())
	assert.Equal(t, []string{metric.Environment}, metric.Metric(name).Dimensions())
}

// AssertOneOf is Assert for a line with several metrics.
func AssertOneOf(t *testing.T, line map[string]any, m metric.Metric, value float64) {
	t.Helper()
	assert.InDelta(t, value, line[string(m)], 1e-9)
	about, ok := line["_aws"].(map[string]any)
	require.True(t, ok, "the line has no directives")
	assert.Contains(t, about["CloudWatchMetrics"], directive(m))
}

func check(t *testing.T, line map[string]any, m metric.Metric, value float64) {
	t.Helper()
	require.NotNil(t, line, "nothing was logged")
	assert.InDelta(t, value, line[string(m)], 1e-9)
	about, ok := line["_aws"].(map[string]any)
	require.True(t, ok, "the line has no directives")
	for _, name := range m.Dimensions() {
		assert.IsType(t, "", line[name], name)
	}
	assert.Equal(t, []any{directive(m)}, about["CloudWatchMetrics"])
	assert.Equal(t, "test", line["Environment"])
}

func directive(m metric.Metric) map[string]any {
	dimensions := []any{}
	for _, name := range m.Dimensions() {
		dimensions = append(dimensions, name)
	}
	return map[string]any{
		"Namespace": metric.Namespace, "Dimensions": []any{dimensions},
		"Metrics": []any{map[string]any{"Name": string(m), "Unit": m.Unit()}},
	}
}

package observe_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/observe"
)

// The shape is that of the Embedded Metric Format: CloudWatch silently ignores a
// line that differs.
func TestEMF(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).LogAttrs(t.Context(), slog.LevelInfo, "done",
		slog.String("Service", "test"), slog.Int("Failures", 1),
		observe.EMF(time.UnixMilli(1_772_443_800_123), observe.Failures))
	var line map[string]any
	require.NoError(t, json.Unmarshal(log.Bytes(), &line))
	assert.Equal(t, map[string]any{
		"Timestamp": 1_772_443_800_123.0,
		"CloudWatchMetrics": []any{
			map[string]any{
				"Namespace":  "Aviso",
				"Dimensions": []any{[]any{"Stack"}},
				"Metrics":    []any{map[string]any{"Name": "Failures", "Unit": "Count"}},
			},
		},
	}, line["_aws"])
	assert.InDelta(t, 1, line["Failures"], 0)
}

func TestMilliseconds(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]float64{0: 0, time.Second: 1000, 1500 * time.Microsecond: 1.5, 999 * time.Nanosecond: 0} {
		assert.InDelta(t, want, observe.Milliseconds(d), 1e-9, d)
	}
}

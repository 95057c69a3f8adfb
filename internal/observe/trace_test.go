package observe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/observe"
)

const example = "4bf92f3577b34da6a3ce929d0e0e4736"

func TestParse(t *testing.T) {
	t.Parallel()
	for name, header := range map[string]string{
		"version 00":                 "00-" + example + "-00f067aa0ba902b7-01",
		"not sampled":                "00-" + example + "-00f067aa0ba902b7-00",
		"a later version":            "cc-" + example + "-00f067aa0ba902b7-01",
		"a later version with more":  "cc-" + example + "-00f067aa0ba902b7-01-what-the-future-will-be-like",
		"what Parent makes of an ID": observe.TraceID(example).Parent(),
	} {
		t.Run("reads "+name, func(t *testing.T) {
			t.Parallel()
			id, ok := observe.ParseTrace(header)
			require.True(t, ok)
			assert.Equal(t, observe.TraceID(example), id)
		})
	}
	for name, header := range map[string]string{
		"nothing":                      "",
		"an ID alone":                  example,
		"version ff":                   "ff-" + example + "-00f067aa0ba902b7-01",
		"upper case":                   "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
		"a trace ID of zeros":          "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
		"a span ID of zeros":           "00-" + example + "-0000000000000000-01",
		"a short trace ID":             "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-010",
		"version 00 with more":         "00-" + example + "-00f067aa0ba902b7-01-x",
		"a later version without dash": "cc-" + example + "-00f067aa0ba902b7-01x",
		"two headers joined":           "00-" + example + "-00f067aa0ba902b7-01,00-" + example + "-00f067aa0ba902b7-01",
		"no hexadecimal digits":        "00-" + example + "-00f067aa0ba902bz-01",
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			t.Parallel()
			id, ok := observe.ParseTrace(header)
			assert.False(t, ok)
			assert.Empty(t, id)
		})
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	assert.Equal(t, observe.TraceID(example), observe.TraceOf("4bf92f35-77b3-4da6-a3ce-929d0e0e4736"), "a UUID keeps its digits")
	for _, request := range []string{"", "order 17", "00000000-0000-0000-0000-000000000000"} {
		id := observe.TraceOf(request)
		assert.Equal(t, id, observe.TraceOf(request))
		assert.Equal(t, id, observe.TraceFrom(observe.ContinueTrace(t.Context(), string(id))), "%q has a valid ID", request)
	}
	first, second := observe.NewTrace(), observe.NewTrace()
	assert.NotEqual(t, first, second)
	one, other := first.Parent(), first.Parent()
	assert.NotEqual(t, one, other, "each call has a span of its own")
}

func TestContinueKeepsTheTraceIfNoneCameAlong(t *testing.T) {
	t.Parallel()
	ctx := observe.WithTrace(t.Context(), example)
	for _, id := range []string{"", "x", "00000000000000000000000000000000", example + "0"} {
		assert.Equal(t, observe.TraceID(example), observe.TraceFrom(observe.ContinueTrace(ctx, id)))
	}
	assert.Empty(t, observe.TraceFrom(t.Context()))
}

func TestLog(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(observe.LogTrace(slog.NewJSONHandler(&out, nil))).With("Stack", "test")
	line := func(ctx context.Context) (line map[string]any) {
		out.Reset()
		log.InfoContext(ctx, "message", "a", 1, "b", 2, "c", 3, "d", 4, "e", 5, "f", 6)
		require.NoError(t, json.Unmarshal(out.Bytes(), &line))
		return line
	}
	with := line(observe.WithTrace(t.Context(), example))
	assert.Equal(t, example, with["traceId"])
	assert.Equal(t, "test", with["Stack"])
	assert.InDelta(t, 6, with["f"], 0)
	assert.NotContains(t, line(t.Context()), "traceId")
}

package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stepClock advances with each reading.
func stepClock(step time.Duration) func() time.Time {
	at := time.Date(2026, 3, 2, 9, 35, 0, 0, time.UTC)
	return func() time.Time { at = at.Add(step); return at }
}

func TestScreen(t *testing.T) {
	t.Parallel()
	show := func(coloured bool) string {
		var out strings.Builder
		s := newScreen(&out, coloured, stepClock(1500*time.Millisecond))
		s.begin("Title", "Explanation.")
		s.curl("curl x")
		s.table([]string{"Name", "Amount"}, [][]string{{"Rücklagen", "1.00"}, {"A", "-121.30"}}, 1)
		s.end("all %s", "good")
		s.failed()
		return out.String()
	}
	t.Run("numbers the steps, aligns the columns and prints the time", func(t *testing.T) {
		t.Parallel()
		assert.Equal(t, `
 1  Title
    Explanation.

    curl x

    Name        Amount
    Rücklagen     1.00
    A          -121.30

    ✓ all good                                                                 1.5 s
    ✗ failed                                                                   3.0 s
`, show(false))
	})
	t.Run("differs only in colours on a terminal", func(t *testing.T) {
		t.Parallel()
		coloured := show(true)
		assert.Contains(t, coloured, "\x1b[1mTitle\x1b[0m")
		for _, code := range []string{bold, dim, green, red, cyan, "0"} {
			coloured = strings.ReplaceAll(coloured, "\x1b["+code+"m", "")
		}
		assert.Equal(t, show(false), coloured)
	})
}

func TestColourful(t *testing.T) {
	t.Parallel()
	none := func(string) string { return "" }
	file, err := os.Create(t.TempDir() + "/out")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, file.Close()) })
	assert.False(t, colourful(file, none), "a file")

	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // a character device, as a terminal is
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, device.Close()) })
	assert.True(t, colourful(device, none), "a terminal")
	for name, value := range map[string]string{"NO_COLOR": "1", "TERM": "dumb"} {
		assert.False(t, colourful(device, func(asked string) string {
			if asked == name {
				return value
			}
			return ""
		}), name)
	}
}

func TestShorten(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "Löhne", shorten("Löhne", 5))
	assert.Equal(t, "Löh…", shorten("Löhne", 4))
}

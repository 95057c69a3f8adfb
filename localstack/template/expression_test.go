package template_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/template"
)

func TestScheduleExpressions(t *testing.T) {
	// A Friday.
	at := time.Date(2026, 11, 20, 10, 17, 30, 0, time.UTC)
	for text, want := range map[string]string{
		"rate(1 minute)":                   "2026-11-20T10:18:30Z",
		"rate(2 days)":                     "2026-11-22T10:17:30Z",
		"cron(0/15 * * * ? *)":             "2026-11-20T10:30:00Z",
		"cron(0 3 * * ? *)":                "2026-11-21T03:00:00Z",
		"cron(0 18 ? * MON-FRI *)":         "2026-11-20T18:00:00Z",
		"cron(0 9 ? * 2 *)":                "2026-11-23T09:00:00Z",
		"cron(30 8 1 JAN,JUL ? 2028)":      "2028-01-01T08:30:00Z",
		"cron(17,18 10 20 11 ? 2026-2030)": "2026-11-20T10:18:00Z",
	} {
		t.Run(text, func(t *testing.T) {
			e, err := template.ParseExpression(text, "UTC")
			require.NoError(t, err)
			assert.Equal(t, want, e.Next(at).Format(time.RFC3339))
		})
	}

	t.Run("cron counts in the time zone", func(t *testing.T) {
		e, err := template.ParseExpression("cron(0 3 * * ? *)", "Europe/Berlin")
		require.NoError(t, err)
		assert.Equal(t, "2026-11-21T02:00:00Z", e.Next(at).UTC().Format(time.RFC3339))
	})

	t.Run("a date that never comes gives no time", func(t *testing.T) {
		e, err := template.ParseExpression("cron(0 3 31 FEB ? *)", "UTC")
		require.NoError(t, err)
		assert.True(t, e.Next(at).IsZero())
	})

	for _, text := range []string{"every minute", "rate(0 minutes)", "rate(1 week)", "cron(0 3 * * * *)", "cron(60 3 * * ? *)", "cron(0 3 L * ? *)"} {
		t.Run(text+" is refused", func(t *testing.T) {
			_, err := template.ParseExpression(text, "UTC")
			assert.Error(t, err)
		})
	}
}

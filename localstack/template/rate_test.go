package template_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/template"
)

func TestScheduleExpressions(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"rate(1 minute)": time.Minute,
		"rate(3 hours)":  3 * time.Hour,
		"rate(2 days)":   48 * time.Hour,
	} {
		t.Run(text, func(t *testing.T) {
			every, err := template.ParseRate(text)
			require.NoError(t, err)
			assert.Equal(t, want, every)
		})
	}

	for _, text := range []string{"every minute", "rate(0 minutes)", "rate(1 week)",
		"rate(99999999999999999999 days)", "cron(0 3 * * ? *)"} {
		t.Run(text+" is rejected", func(t *testing.T) {
			_, err := template.ParseRate(text)
			assert.Error(t, err)
		})
	}
}

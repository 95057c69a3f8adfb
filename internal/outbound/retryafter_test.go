package outbound_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/outbound"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "soon": 0, "-1": 0, "1.5": 0, "0": 0, "90": 90 * time.Second, "3600": time.Hour, "3601": time.Hour,
		"18446744073709551615": time.Hour, "99999999999999999999": 0,
		"Mon, 02 Mar 2026 12:01:00 GMT": time.Minute, "Mon, 02 Mar 2026 11:00:00 GMT": 0, "Tue, 03 Mar 2026 12:00:00 GMT": time.Hour,
	} {
		assert.Equal(t, want, outbound.RetryAfter(header, now, time.Hour), "%q", header)
	}
}

package identityapi

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDurations(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"2026-01-31T10:00:00Z", "P1M", "2026-02-28T10:00:00Z"},
		{"2028-01-31T10:00:00Z", "P1M", "2028-02-29T10:00:00Z"},
		{"2028-02-29T10:00:00Z", "P1Y", "2029-02-28T10:00:00Z"},
		{"2026-12-31T23:59:59Z", "PT1S", "2027-01-01T00:00:00Z"},
		{"2026-03-28T12:00:00Z", "P1W2DT3H4M5S", "2026-04-06T15:04:05Z"},
		{"2026-01-31T10:00:00Z", "P1M1D", "2026-03-01T10:00:00Z"},
		{"2026-01-01T00:00:00Z", "P1Y6M", "2027-07-01T00:00:00Z"},
		{"2026-01-01T00:00:00Z", "PT90M", "2026-01-01T01:30:00Z"},
	} {
		from, err := time.Parse(time.RFC3339, c[0])
		require.NoError(t, err)
		add, err := parseDuration(c[1])
		require.NoError(t, err, c[1])
		assert.Equal(t, c[2], add(from).Format(time.RFC3339), "%s and %s", c[0], c[1])
	}
	for _, bad := range []string{"", "P", "PT", "P1", "1M", "P-1M", "P1.5D", "P1MT", "p1m", "P1D1M", "P99999999999Y", "P1S"} {
		_, err := parseDuration(bad)
		assert.Error(t, err, bad)
	}
}

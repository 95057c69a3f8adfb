package pfm_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/pfm"
)

func TestParseDate(t *testing.T) {
	t.Run("accepts days that exist", func(t *testing.T) {
		for _, s := range []string{"2026-03-01", "2024-02-29", "0001-01-01", "9999-12-31"} {
			got, err := pfm.ParseDate(s)
			require.NoError(t, err)
			assert.Equal(t, pfm.Date(s), got)
		}
	})

	t.Run("rejects everything else without repeating it", func(t *testing.T) {
		for _, s := range []string{
			"", "2026-02-29", "2026-13-01", "2026-00-10", "2026-3-1", "01.03.2026", "20260301", " 2026-03-01",
			"2026-03-01T00:00:00Z", "10000-01-01", "-001-01-01", "２０２６-03-01",
		} {
			got, err := pfm.ParseDate(s)
			require.Error(t, err, s)
			assert.Empty(t, got)
			if s != "" {
				assert.NotContains(t, err.Error(), s)
			}
		}
	})
}

func TestDateOf(t *testing.T) {
	west := time.FixedZone("west", -5*60*60)
	assert.Equal(t, pfm.Date("2026-03-02"), pfm.DateOf(time.Date(2026, 3, 1, 20, 0, 0, 0, west)), "the UTC day counts")
}

func TestDateTime(t *testing.T) {
	assert.Equal(t, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), pfm.Date("2026-03-01").Time())
	assert.True(t, pfm.Date("").Time().IsZero())
}

func TestAddDays(t *testing.T) {
	for _, tt := range []struct {
		from pfm.Date
		n    int
		want pfm.Date
	}{
		{"2026-02-28", 1, "2026-03-01"},
		{"2024-02-28", 1, "2024-02-29"},
		{"2026-01-01", -1, "2025-12-31"},
		{"2026-03-01", 0, "2026-03-01"},
		{"2026-03-01", 180, "2026-08-28"},
		{"", 7, ""},
	} {
		assert.Equal(t, tt.want, tt.from.AddDays(tt.n))
	}
}

func TestDateProperties(t *testing.T) {
	days := rapid.Map(rapid.IntRange(-700_000, 2_500_000), func(n int) pfm.Date {
		return pfm.DateOf(time.Unix(0, 0).AddDate(0, 0, n))
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := days.Draw(t, "a"), days.Draw(t, "b")
		n := rapid.IntRange(-10_000, 10_000).Draw(t, "n")

		parsed, err := pfm.ParseDate(string(a))
		require.NoError(t, err)
		require.Equal(t, a, parsed)
		require.Equal(t, a, pfm.DateOf(a.Time()))
		require.Equal(t, a, a.AddDays(n).AddDays(-n))
		require.Equal(t, a.Time().Before(b.Time()), a < b, "dates sort as text")
	})
}

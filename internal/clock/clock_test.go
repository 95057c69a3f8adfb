package clock_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/clock"
)

func TestReadReturnsUTCInMilliseconds(t *testing.T) {
	at := time.Date(2026, 3, 2, 12, 0, 0, 1_999_999, time.FixedZone("CET", 3600))
	got := clock.Read(func() time.Time { return at })
	assert.Equal(t, time.Date(2026, 3, 2, 11, 0, 0, 1_000_000, time.UTC), got)
}

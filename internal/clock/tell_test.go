package clock_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/clock"
)

func TestTheUsersTimeIsTold(t *testing.T) {
	start := time.Date(2026, 3, 2, 12, 0, 0, 7_000_000, time.UTC)
	now := func() time.Time { return start }
	assert.Empty(t, clock.Tell(t.Context(), now), "in real time nothing is")
	for _, s := range []clock.Setting{
		{Ahead: 36 * time.Hour}, {Stopped: start.AddDate(1, 0, 0)}, {Ahead: time.Hour, Stopped: start.AddDate(0, 1, 0)},
	} {
		told := clock.Told(clock.Tell(clock.With(t.Context(), s), now), now)
		assert.Equal(t, clock.Setting{Ahead: s.At(clock.Real(start)).Sub(clock.OfUser(start))}, told, s)
	}
	assert.Equal(t, "2026-03-04T00:00:00.007Z", clock.Tell(clock.With(t.Context(), clock.Setting{Ahead: 36 * time.Hour}), now))
}

func TestWhatIsToldIsATimeInTheFuture(t *testing.T) {
	now := func() time.Time { return time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC) }
	for _, value := range []string{
		"", "tomorrow", "2026-03-03", "1772366400", "2026-03-03T12:00:00.000+01:00", "2026-03-02T11:59:59.999Z",
		"1990-01-01T00:00:00.000Z", "2036-03-12T12:00:00.000Z", "9999-12-31T23:59:59.999Z",
	} {
		assert.Zero(t, clock.Told(value, now), value)
	}
	assert.Equal(t, clock.Setting{Ahead: 24 * time.Hour}, clock.Told("2026-03-03T12:00:00.000Z", now))
}

package console_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/console"
)

func TestAgo(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for d, want := range map[time.Duration]string{
		0: "just now", 59 * time.Second: "just now", time.Minute: "1 minute ago", 59 * time.Minute: "59 minutes ago",
		time.Hour: "1 hour ago", 47 * time.Hour: "1 day ago", 72 * time.Hour: "3 days ago",
		-time.Second: "in less than a minute", -time.Hour: "in 1 hour", -48 * time.Hour: "in 2 days",
	} {
		assert.Equal(t, want, console.Ago(now, now.Add(-d)))
	}
}

func TestBars(t *testing.T) {
	t.Parallel()
	chart := console.Bars{
		Label: "Requests, last 24 hours", Unit: "requests", BadUnit: "errors",
		Values: []console.Bar{{"10:00", 400, 1}, {"11:00", 0, 0}, {"12:00", 1, 1}},
	}
	assert.Equal(t, "Requests, last 24 hours: 401 requests, 2 errors. The most were 400 (10:00).", chart.InWords())
	marks := chart.Marks()
	assert.Equal(t, []int{40, 0, 2}, []int{marks[0].Height, marks[1].Height, marks[2].Height}, "one can be seen")
	assert.Equal(t, 2, marks[0].BadHeight)
	assert.Equal(t, 38, marks[2].Y)
	spent := console.Bars{Label: "Spending", Unit: "EUR", Values: []console.Bar{{"Jan 2026", 1_055_617, 0}, {"Feb 2026", 12, 0}}}
	assert.Equal(t, "Spending: 1,055,629 EUR. The most were 1,055,617 (Jan 2026).", spent.InWords())
	assert.Equal(t, "Letters: 0 sent.", console.Bars{Label: "Letters", Unit: "sent"}.InWords())
}

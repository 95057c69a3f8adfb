package cancellation

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// Checks the complete table that partners see: from each status to each.
func TestTransitions(t *testing.T) {
	allowed := map[Status][]Status{
		StatusCreated:   {StatusQueued, StatusWithdrawn},
		StatusQueued:    {StatusSending, StatusWithdrawn, StatusDeliveryFailed},
		StatusSending:   {StatusQueued, StatusSent, StatusDeliveryFailed},
		StatusSent:      {StatusQueued, StatusDelivered, StatusDeliveryFailed, StatusConfirmed, StatusRejected},
		StatusDelivered: {StatusQueued, StatusDeliveryFailed, StatusConfirmed, StatusRejected}, StatusConfirmed: {},
		StatusDeliveryFailed: {}, StatusRejected: {}, StatusWithdrawn: {},
	}
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for from := range allowed {
		for to := range allowed {
			t.Run(string(from)+" to "+string(to), func(t *testing.T) {
				c := Cancellation{Status: from, NextTryAt: now}
				moved := c.Move(to, ReasonNone, now)
				assert.Equal(t, slices.Contains(allowed[from], to), moved)
				if !moved {
					assert.Equal(t, Cancellation{Status: from, NextTryAt: now}, c)
					return
				}
				assert.Equal(t, to, c.Status)
				assert.Equal(t, from.Shown() != to.Shown(), len(c.History) == 1, "the history has what partners are shown")
				assert.Equal(t, to.Waiting(), !c.NextTryAt.IsZero(), "only what waits is woken")
			})
		}
		assert.NotEmpty(t, statusEvents[from].cancellation)
	}
	assert.Equal(t, StatusQueued, StatusSending.Shown())
}

// Package clock reads the time with the precision in which it is stored, and waits.
package clock

import (
	"context"
	"time"
)

// Read returns now() in UTC and whole milliseconds, as stores keep times. A value
// therefore equals itself after it has been stored and read again.
func Read(now func() time.Time) time.Time { return now().UTC().Truncate(time.Millisecond) }

// Wait waits, and reports whether it waited for the whole time: ctx may end first.
func Wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

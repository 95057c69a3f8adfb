// Package clock reads the time with the precision in which it is stored.
package clock

import "time"

// Read returns now() in UTC and whole milliseconds, as stores keep times. A value
// therefore equals itself after it has been stored and read again.
func Read(now func() time.Time) time.Time { return now().UTC().Truncate(time.Millisecond) }

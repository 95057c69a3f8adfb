// Package clock reads the time as it is stored.
package clock

import "time"

// Read returns what now says as stores keep it, in UTC and whole milliseconds, so
// that a value equals itself after it has been stored.
func Read(now func() time.Time) time.Time { return now().UTC().Truncate(time.Millisecond) }

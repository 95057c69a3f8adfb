// Package outcome has the three outcomes that stores and workers of all areas share: not found, changed, and later.
package outcome

import (
	"errors"
	"time"
)

// ErrNotFound reports that an object does not exist or has another owner.
var ErrNotFound = errors.New("not found")

// ErrChanged reports a lost race: somebody else changed, deleted or created the row in the meantime, so the
// conditional write wrote nothing.
var ErrChanged = errors.New("changed in the meantime")

// Later asks to retry the work after a while. A queue worker hides the message for that long.
type Later struct {
	// After is how long to wait; zero or less means not at all.
	After time.Duration
	// Err is the cause; nil if waiting is normal.
	Err error
	// Normal says that Err is not our failure, such as a bank's outage.
	Normal bool
}

func (e *Later) Error() string {
	if e.Err == nil {
		return "retry after " + e.After.String()
	}
	return e.Err.Error()
}

func (e *Later) Unwrap() error { return e.Err }

// IsWait reports whether err only asks to wait, and waiting is normal.
func IsWait(err error) bool {
	later, ok := errors.AsType[*Later](err)
	return ok && (later.Err == nil || later.Normal)
}

// Package outcome holds the three outcomes that stores and workers of every
// area report in the same way: missing, changed, and later.
package outcome

import (
	"errors"
	"time"
)

// ErrNotFound reports that there is no such thing, or that it belongs to
// somebody else.
var ErrNotFound = errors.New("not found")

// ErrChanged reports a lost race: a conditional write found the row changed,
// gone, or already there, and wrote nothing.
var ErrChanged = errors.New("changed meanwhile")

// Later asks for the work to be done again after a while. Worker code that works
// off a queue hides the message for that long.
type Later struct {
	// After is how long to wait; zero or less means at once.
	After time.Duration
	// Err is the cause; nil where waiting is the normal course.
	Err error
}

func (e *Later) Error() string {
	if e.Err == nil {
		return "again after " + e.After.String()
	}
	return e.Err.Error()
}

func (e *Later) Unwrap() error { return e.Err }

package clock

import (
	"context"
	"time"
)

// Header is the HTTP header that tells the sandbox's banks and carriers the user's time. They know no users, but must
// follow the user's clock.
const Header = "Sandbox-Time"

// headerTime is the layout of the header: RFC 3339 in UTC with milliseconds.
const headerTime = "2006-01-02T15:04:05.000Z"

// MaxAhead is how far a user's time may be ahead of real time.
const MaxAhead = 10 * 366 * 24 * time.Hour

// Tell returns the value of Header. It is empty if the user has real time, as always in production.
func Tell(ctx context.Context, now func() time.Time) string {
	if From(ctx) == (Setting{}) {
		return ""
	}
	return Now(ctx, now).Format(headerTime)
}

// Told returns the setting for a value of Header. It is zero if the value is not a time, is not in the future, or is
// more than MaxAhead away.
func Told(value string, now func() time.Time) Setting {
	at, err := time.Parse(headerTime, value)
	ahead := at.Sub(Read(now).Time())
	if err != nil || ahead < 0 || ahead > MaxAhead {
		return Setting{}
	}
	return Setting{Ahead: ahead}
}

package pfm

import (
	"fmt"
	"time"
)

// Date is a calendar day, as ISO 8601 YYYY-MM-DD, or empty when not known. Its
// text order is its order in time.
type Date string

// ParseDate reads YYYY-MM-DD of a day that exists.
func ParseDate(s string) (Date, error) {
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return "", fmt.Errorf("not a calendar day of the form YYYY-MM-DD")
	}
	return Date(s), nil
}

// DateOf is the UTC day on which t lies.
func DateOf(t time.Time) Date { return Date(t.UTC().Format(time.DateOnly)) }

// Time is midnight UTC at the start of the day; the zero time for no day.
func (d Date) Time() time.Time {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return time.Time{}
	}
	return t
}

// AddDays is the day n days later; no day stays no day.
func (d Date) AddDays(n int) Date {
	if d == "" {
		return ""
	}
	return DateOf(d.Time().AddDate(0, 0, n))
}

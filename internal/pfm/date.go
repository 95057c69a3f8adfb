package pfm

import (
	"fmt"
	"time"
)

// Date is a calendar day as ISO 8601 YYYY-MM-DD, or empty if unknown. Dates sort as
// text.
type Date string

// ParseDate parses YYYY-MM-DD. The day must exist.
func ParseDate(s string) (Date, error) {
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return "", fmt.Errorf("not a calendar day of the form YYYY-MM-DD")
	}
	return Date(s), nil
}

// DateOf returns the UTC day of t.
func DateOf(t time.Time) Date { return Date(t.UTC().Format(time.DateOnly)) }

// Time returns midnight UTC at the start of the day, or the zero time if the date is
// empty.
func (d Date) Time() time.Time {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return time.Time{}
	}
	return t
}

// AddDays returns the day n days later. An empty date stays empty.
func (d Date) AddDays(n int) Date {
	if d == "" {
		return ""
	}
	return DateOf(d.Time().AddDate(0, 0, n))
}

// Package pfm is the personal finance management area. It has what its rooms share: bank providers,
// the port to banks, accounts and categories. A room imports only those before it:
//
//   - transaction reads a bank's rows, keeps them apart, and sums them up;
//   - contract finds and watches recurring payments;
//   - connection connects users with their banks and syncs both.
//
// HTTP is in pfmapi, DynamoDB in pfmdb, and the banks' protocols in xs2a and enablebanking.
package pfm

import (
	"fmt"
	"time"
)

// Page is a page of a list, and the position of the next page.
type Page[T any] struct {
	Items []T
	Next  string
}

// Event notifies partners of a change to a connection. It is stored together with the
// change.
type Event struct {
	Type string
	At   time.Time
	// Data marshals to the JSON object that the type's schema describes.
	Data any
}

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
	t, _ := time.Parse(time.DateOnly, string(d)) // after an error, it is the zero time
	return t
}

// AddDays returns the day n days later. An empty date stays empty.
func (d Date) AddDays(n int) Date {
	if d == "" {
		return ""
	}
	return DateOf(d.Time().AddDate(0, 0, n))
}

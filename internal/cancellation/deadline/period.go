package deadline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Period is a length of time as an ISO 8601 duration with one unit: P24M, P1Y, P2W, P14D.
// P2WD counts working days, which ISO 8601 does not know; only statutes use it. An empty
// period has no length.
type Period string

// ParsePeriod parses a duration of up to ten years.
func ParsePeriod(s string) (Period, error) {
	p := Period(s)
	if n, unit := p.parts(); unit == "" || unit == "WD" || unit == "Y" && n > 10 || unit == "M" && n > 120 {
		return "", fmt.Errorf("not a duration such as P1M, P2W, P14D or P1Y, of at most ten years")
	}
	return p, nil
}

// parts returns the number and the unit, or no unit if the period is empty.
func (p Period) parts() (int, string) {
	text, _ := strings.CutPrefix(string(p), "P")
	unit := strings.TrimLeft(text, "0123456789")
	n, err := strconv.Atoi(strings.TrimSuffix(text, unit))
	if len(text) == len(p) || len(text)-len(unit) > 3 || err != nil || !slices.Contains(units(), unit) {
		return 0, ""
	}
	return n, unit
}

func units() []string { return []string{"Y", "M", "W", "WD", "D"} }

// months returns the period in months. It reports false if the unit is shorter.
func (p Period) months() (int, bool) {
	switch n, unit := p.parts(); unit {
	case "Y":
		return 12 * n, true
	case "M":
		return n, true
	default:
		return 0, false
	}
}

func (p Period) days() int {
	n, unit := p.parts()
	if unit == "W" {
		return 7 * n
	}
	return n
}

func (p Period) isZero() bool {
	n, _ := p.parts()
	return n == 0
}

// longer reports whether p is longer than q. A month counts as 30 days.
func (p Period) longer(q Period) bool { return p.roughDays() > q.roughDays() }

func (p Period) roughDays() int {
	if months, ok := p.months(); ok {
		return 30 * months
	}
	return p.days()
}

// end returns the last day of a term of this length that begins with start. The last day
// of an empty term is the day before.
func (p Period) end(start time.Time) time.Time {
	if months, ok := p.months(); ok {
		return termEnd(start, months)
	}
	return addDays(start, p.days()-1)
}

// after returns the last day of a notice period whose notice arrives on a day.
func (p Period) after(arrival time.Time, c calendar) time.Time {
	if months, ok := p.months(); ok {
		return addMonths(arrival, months)
	}
	if n, unit := p.parts(); unit == "WD" {
		return c.WorkdaysFrom(arrival, n)
	}
	return addDays(arrival, p.days())
}

package deadline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Date is a calendar day as YYYY-MM-DD, or empty if unknown. Dates sort as text.
type Date string

// ParseDate parses YYYY-MM-DD. The day must exist and lie between 1900 and 2199.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil || t.Year() < 1900 || t.Year() > 2199 {
		return "", fmt.Errorf("not a day from 1900-01-01 to 2199-12-31 of the form YYYY-MM-DD")
	}
	return Date(s), nil
}

// Today returns a country's current day: in Europe in the time zone of its capital, elsewhere in UTC.
func Today(now time.Time, country string) Date {
	now = now.UTC()
	zone := slices.IndexFunc(zones(), func(countries string) bool {
		return slices.Contains(strings.Fields(countries), country)
	})
	offset := max(zone, 0)
	if zone >= 0 && country != "IS" && summer(now) {
		offset++
	}
	return dateOf(now.Add(time.Duration(offset) * time.Hour))
}

// zones has the countries by their winter time's offset from UTC in hours. Lambda's runtime has no time zones, and
// all of these change by the same rule.
func zones() []string {
	return []string{
		"GB IE IS PT", "AD AL AT BA BE CH CZ DE DK ES FR HR HU IT LI LU MC ME MK MT NL NO PL RS SE SI SK SM VA",
		"BG CY EE FI GR LT LV MD RO UA",
	}
}

// summer reports whether Europe has summer time: from 1:00 UTC on the last Sunday of
// March to 1:00 UTC on the last Sunday of October (Directive 2000/84/EC).
func summer(t time.Time) bool {
	change := func(month time.Month) time.Time {
		last := time.Date(t.Year(), month, 31, 1, 0, 0, 0, time.UTC)
		return last.AddDate(0, 0, -int(last.Weekday()))
	}
	return !t.Before(change(time.March)) && t.Before(change(time.October))
}

// AddYears returns the day n years later. For a leap day it may be the first of March.
func (d Date) AddYears(n int) Date { return dateOf(d.Day().AddDate(n, 0, 0)) }

// Day returns the start of a date in UTC. It is the zero time for an empty date.
func (d Date) Day() time.Time {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return time.Time{}
	}
	return t
}

func dateOf(day time.Time) Date {
	if day.IsZero() {
		return ""
	}
	return Date(day.Format(time.DateOnly))
}

func addDays(day time.Time, n int) time.Time { return day.AddDate(0, 0, n) }

// lastOfMonth returns the last day of the month n months after day's month.
func lastOfMonth(day time.Time, n int) time.Time {
	return time.Date(day.Year(), day.Month()+time.Month(n)+1, 0, 0, 0, 0, 0, time.UTC)
}

// addMonths returns the day with the same number n months later, or the last day of that month if it is too short.
func addMonths(day time.Time, n int) time.Time { return inMonth(day, n, day.Day()) }

// termEnd returns the last day of a term of n months that starts with start.
func termEnd(start time.Time, n int) time.Time { return inMonth(start, n, start.Day()-1) }

// inMonth returns the day with a number in the month n months after day's month, or the last day of that month if it
// is too short.
func inMonth(day time.Time, n, number int) time.Time {
	last := lastOfMonth(day, n)
	return addDays(last, min(number-last.Day(), 0))
}

// Period is a length of time as an ISO 8601 duration with one unit: P24M, P1Y, P2W, P14D. P2WD counts working days,
// which ISO 8601 does not have; only statutes use it. An empty period has no length.
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

// end returns the last day of a term of this length that starts with start. For an empty term, that is the day before
// start.
func (p Period) end(start time.Time) time.Time {
	if months, ok := p.months(); ok {
		return termEnd(start, months)
	}
	return addDays(start, p.days()-1)
}

// after returns the last day of a notice period, for a notice that arrives on a day.
func (p Period) after(arrival time.Time, c calendar) time.Time {
	if months, ok := p.months(); ok {
		return addMonths(arrival, months)
	}
	if n, unit := p.parts(); unit == "WD" {
		return c.WorkdaysFrom(arrival, n)
	}
	return addDays(arrival, p.days())
}

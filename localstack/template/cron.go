package template

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// cron is an AWS cron expression: minutes, hours, day of month, month, day of
// week, year. One of the two days is ?. L, W and # are not understood.
type cron struct {
	zone                                       *time.Location
	minutes, hours, days, months, weeks, years set
}

// set holds the numbers a field allows; nil allows all.
type set map[int]bool

func (s set) has(n int) bool { return s == nil || s[n] }

var (
	monthNames = map[string]int{"JAN": 1, "FEB": 2, "MAR": 3, "APR": 4, "MAY": 5, "JUN": 6,
		"JUL": 7, "AUG": 8, "SEP": 9, "OCT": 10, "NOV": 11, "DEC": 12}
	// AWS counts the days of the week from Sunday = 1.
	dayNames = map[string]int{"SUN": 1, "MON": 2, "TUE": 3, "WED": 4, "THU": 5, "FRI": 6, "SAT": 7}
)

func parseCron(body string, zone *time.Location) (*cron, error) {
	fields := strings.Fields(body)
	if len(fields) != 6 {
		return nil, fmt.Errorf("want six fields, got %d", len(fields))
	}
	if (fields[2] == "?") == (fields[4] == "?") {
		return nil, fmt.Errorf("exactly one of day of month and day of week is ?")
	}
	c := &cron{zone: zone}
	for i, f := range []struct {
		into      *set
		low, high int
		names     map[string]int
	}{
		{&c.minutes, 0, 59, nil}, {&c.hours, 0, 23, nil}, {&c.days, 1, 31, nil},
		{&c.months, 1, 12, monthNames}, {&c.weeks, 1, 7, dayNames}, {&c.years, 1970, 2199, nil},
	} {
		s, err := parseField(fields[i], f.low, f.high, f.names)
		if err != nil {
			return nil, err
		}
		*f.into = s
	}
	return c, nil
}

func parseField(text string, low, high int, names map[string]int) (set, error) {
	if text == "*" || text == "?" {
		return nil, nil
	}
	number := func(s string) (int, error) {
		if n, ok := names[strings.ToUpper(s)]; ok {
			return n, nil
		}
		n, err := strconv.Atoi(s)
		if err != nil || n < low || n > high {
			return 0, fmt.Errorf("%q: want %d to %d", s, low, high)
		}
		return n, nil
	}
	out := set{}
	for part := range strings.SplitSeq(text, ",") {
		span, stepText, stepped := strings.Cut(part, "/")
		step := 1
		if stepped {
			n, err := strconv.Atoi(stepText)
			if err != nil || n < 1 {
				return nil, fmt.Errorf("step %q: want a positive number", stepText)
			}
			step = n
		}
		from, to := low, high
		if span != "*" {
			first, last, ranged := strings.Cut(span, "-")
			n, err := number(first)
			if err != nil {
				return nil, err
			}
			from = n
			switch {
			case ranged:
				if to, err = number(last); err != nil {
					return nil, err
				}
			case !stepped:
				to = n
			}
		}
		for n := from; n <= to; n += step {
			out[n] = true
		}
	}
	return out, nil
}

// next walks forward by the coarsest field that does not fit, so that a rare
// date costs few steps.
func (c *cron) next(after time.Time) time.Time {
	t := after.In(c.zone).Truncate(time.Minute).Add(time.Minute)
	for t.Year() <= 2199 {
		year, month, day := t.Date()
		switch {
		case !c.years.has(year):
			t = time.Date(year+1, time.January, 1, 0, 0, 0, 0, c.zone)
		case !c.months.has(int(month)):
			t = time.Date(year, month+1, 1, 0, 0, 0, 0, c.zone)
		case !c.days.has(day) || !c.weeks.has(int(t.Weekday())+1):
			t = time.Date(year, month, day+1, 0, 0, 0, 0, c.zone)
		case !c.hours.has(t.Hour()):
			t = t.Truncate(time.Hour).Add(time.Hour)
		case !c.minutes.has(t.Minute()):
			t = t.Add(time.Minute)
		default:
			return t
		}
	}
	return time.Time{}
}

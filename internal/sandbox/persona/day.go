package persona

import (
	"errors"
	"time"
)

// Day is a calendar day, counted from 1 January 1970.
type Day int

// Epoch is the first day on which anything happens on an account: 1 January
// 2022.
const Epoch Day = 18993

// errInvalidDay says that a text is not a calendar day.
var errInvalidDay = errors.New("persona: not a calendar day of the form YYYY-MM-DD")

func day(y int, m time.Month, d int) Day {
	return Day(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// DayOf is the day that t shows in its own time zone.
func DayOf(t time.Time) Day { return day(t.Date()) }

// ParseDay reads YYYY-MM-DD.
func ParseDay(s string) (Day, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return 0, errInvalidDay
	}
	return DayOf(t), nil
}

// String is the day as YYYY-MM-DD.
func (d Day) String() string { return d.Time().Format(time.DateOnly) }

// Time is midnight UTC at the start of the day.
func (d Day) Time() time.Time { return time.Unix(int64(d)*86400, 0).UTC() }

// business tells whether banks book on this day.
func (d Day) isBusinessDay() bool {
	w := d.Time().Weekday()
	return w != time.Saturday && w != time.Sunday
}

// nextBusiness is the first business day from d on.
func (d Day) nextBusiness() Day {
	for !d.isBusinessDay() {
		d++
	}
	return d
}

// due tells whether something that falls on the given day of every month is
// booked today: on that day or, at a weekend, on the Monday after it. A day
// beyond the month's end is its last one.
func (d Day) isMonthly(dayOfMonth int) bool {
	if !d.isBusinessDay() {
		return false
	}
	reach := Day(0)
	if d.Time().Weekday() == time.Monday {
		reach = 2
	}
	for s := d - reach; s <= d; s++ {
		t := s.Time()
		last := t.AddDate(0, 1, -t.Day()).Day()
		if t.Day() == min(dayOfMonth, last) {
			return true
		}
	}
	return false
}

// month is 1 for January.
func (d Day) month() int { return int(d.Time().Month()) }

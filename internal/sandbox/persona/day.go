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

// errInvalidDay is returned when a text is not a calendar day.
var errInvalidDay = errors.New("persona: not a calendar day of the form YYYY-MM-DD")

func day(y int, m time.Month, d int) Day {
	return Day(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// DayOf returns the day that t shows in its own time zone.
func DayOf(t time.Time) Day { return day(t.Date()) }

// ParseDay reads YYYY-MM-DD.
func ParseDay(s string) (Day, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return 0, errInvalidDay
	}
	return DayOf(t), nil
}

// String returns the day as YYYY-MM-DD.
func (d Day) String() string { return d.Time().Format(time.DateOnly) }

// Time returns midnight UTC at the start of the day.
func (d Day) Time() time.Time { return time.Unix(int64(d)*86400, 0).UTC() }

// isBusinessDay reports whether banks book on this day: on weekdays, except the closing
// days of the euro's payment system.
func (d Day) isBusinessDay() bool {
	t := d.Time()
	if t.Weekday() == time.Saturday || t.Weekday() == time.Sunday {
		return false
	}
	year, month, day := t.Date()
	switch {
	case day == 1 && (month == time.January || month == time.May), month == time.December && (day == 25 || day == 26):
		return false
	}
	easter := easterOf(year)
	return d != easter-2 && d != easter+1
}

// easterOf returns Easter Sunday, which follows the first full moon of spring (valid from
// 1900 to 2099).
func easterOf(year int) Day {
	moon := (19*(year%19) + 24) % 30
	weekday := (2*(year%4) + 4*(year%7) + 6*moon + 5) % 7
	if moon == 29 || moon == 28 && year%19 > 10 {
		moon--
		weekday = (2*(year%4) + 4*(year%7) + 6*moon + 5) % 7
	}
	return day(year, time.March, 22+moon+weekday)
}

// nextBusiness returns the first business day from d on.
func (d Day) nextBusiness() Day {
	for !d.isBusinessDay() {
		d++
	}
	return d
}

// isMonthly reports whether something that falls on the given day of every month is
// booked on this day: on the day itself or, if banks are closed then, on the next business
// day, or the one before if it is due early. A day beyond the end of the month is the
// month's last day.
func (d Day) isMonthly(dayOfMonth int, early bool) bool {
	step := Day(-1)
	if early {
		step = 1
	}
	for s := d; d.isBusinessDay() && (s == d || !s.isBusinessDay()); s += step {
		t := s.Time()
		last := t.AddDate(0, 1, -t.Day()).Day()
		if t.Day() == min(dayOfMonth, last) {
			return true
		}
	}
	return false
}

// month returns 1 for January.
func (d Day) month() int { return int(d.Time().Month()) }

package deadline

import (
	"slices"
	"time"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/at"
	"github.com/rickar/cal/v2/be"
	"github.com/rickar/cal/v2/ch"
	"github.com/rickar/cal/v2/cz"
	"github.com/rickar/cal/v2/de"
	"github.com/rickar/cal/v2/dk"
	"github.com/rickar/cal/v2/es"
	"github.com/rickar/cal/v2/fr"
	"github.com/rickar/cal/v2/gb"
	"github.com/rickar/cal/v2/ie"
	"github.com/rickar/cal/v2/it"
	"github.com/rickar/cal/v2/nl"
	"github.com/rickar/cal/v2/no"
	"github.com/rickar/cal/v2/pl"
	"github.com/rickar/cal/v2/se"
)

// holidaySource is the source of steps that depend on public holidays.
const holidaySource = "https://github.com/rickar/cal"

// calendar knows the working days of a country: those of the whole country, in Switzerland those
// of any canton.
type calendar struct{ *cal.Calendar }

func newCalendar(country string) calendar {
	return calendar{&cal.Calendar{Holidays: holidaysOf(country)}}
}

// isKnown reports whether the library has the country's holidays.
func (c calendar) isKnown() bool { return c.Holidays != nil }

func (c calendar) isWorkday(day time.Time) bool {
	return day.Weekday() != time.Saturday && day.Weekday() != time.Sunday && !c.isHoliday(day)
}

func (c calendar) isHoliday(day time.Time) bool {
	actual, observed, _ := c.IsHoliday(day)
	return actual || observed
}

// back returns the last working day that is not after day.
func (c calendar) back(day time.Time) time.Time {
	for !c.isWorkday(day) {
		day = addDays(day, -1)
	}
	return day
}

// forward returns the first working day that is not before day.
func (c calendar) forward(day time.Time) time.Time {
	for !c.isWorkday(day) {
		day = addDays(day, 1)
	}
	return day
}

// addWorkdays counts n working days from day on, or back if n is negative.
func (c calendar) addWorkdays(day time.Time, n int) time.Time {
	for ; n > 0; n-- {
		day = c.forward(addDays(day, 1))
	}
	for ; n < 0; n++ {
		day = c.back(addDays(day, -1))
	}
	return day
}

func holidaysOf(country string) []*cal.Holiday {
	// Christmas Eve is a holiday in Poland since 2025 (act of 6 December 2024).
	eve := &cal.Holiday{StartYear: 2025, Month: time.December, Day: 24, Func: cal.CalcDayOfMonth}
	return map[string][]*cal.Holiday{
		"AT": at.Holidays, "BE": be.Holidays, "CH": ch.Holidays, "CZ": cz.Holidays, "DE": de.Holidays,
		"DK": dk.Holidays, "ES": es.Holidays, "FR": fr.Holidays, "GB": gb.Holidays, "IE": ie.Holidays,
		"IT": it.Holidays, "NL": nl.Holidays, "NO": no.Holidays, "PL": append(slices.Clone(pl.Holidays), eve), "SE": se.Holidays,
	}[country]
}

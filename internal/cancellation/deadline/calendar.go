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

// calendar knows the working days of a country. It uses national holidays, and in Switzerland those of any canton.
type calendar struct{ *cal.BusinessCalendar }

func newCalendar(country string) calendar {
	c := calendar{cal.NewBusinessCalendar()}
	c.Holidays = holidaysOf(country)
	return c
}

// isKnown reports whether the library has the country's holidays.
func (c calendar) isKnown() bool { return c.Holidays != nil }

func (c calendar) isHoliday(day time.Time) bool {
	actual, observed, _ := c.IsHoliday(day)
	return actual || observed
}

// back returns the last working day up to day.
func (c calendar) back(day time.Time) time.Time { return c.WorkdaysFrom(addDays(day, 1), -1) }

// forward returns the first working day from day on.
func (c calendar) forward(day time.Time) time.Time { return c.WorkdaysFrom(addDays(day, -1), 1) }

func holidaysOf(country string) []*cal.Holiday {
	// Christmas Eve is a holiday in Poland since 2025 (act of 6 December 2024).
	eve := &cal.Holiday{StartYear: 2025, Month: time.December, Day: 24, Func: cal.CalcDayOfMonth}
	return map[string][]*cal.Holiday{
		"AT": at.Holidays, "BE": be.Holidays, "CH": ch.Holidays, "CZ": cz.Holidays, "DE": de.Holidays,
		"DK": dk.Holidays, "ES": es.Holidays, "FR": fr.Holidays, "GB": gb.Holidays, "IE": ie.Holidays,
		"IT": it.Holidays, "NL": nl.Holidays, "NO": no.Holidays, "SE": se.Holidays,
		"PL": append(slices.Clone(pl.Holidays), eve),
	}[country]
}

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

// holidays returns the public holidays of a country in a year: those of the whole country, in
// Switzerland those of any canton. It reports false if the library does not have the country.
func holidays(country string, year int) (days []time.Time, known bool) {
	all := holidaysOf(country)
	for _, h := range all {
		actual, observed := h.Calc(year)
		days = append(days, actual, observed)
	}
	return days, all != nil
}

func holidaysOf(country string) []*cal.Holiday {
	switch country {
	case "PL": // Christmas Eve is a holiday since 2025 (act of 6 December 2024).
		eve := &cal.Holiday{StartYear: 2025, Month: time.December, Day: 24, Func: cal.CalcDayOfMonth}
		return append(slices.Clone(pl.Holidays), eve)
	default:
		return map[string][]*cal.Holiday{
			"AT": at.Holidays, "BE": be.Holidays, "CH": ch.Holidays, "CZ": cz.Holidays, "DE": de.Holidays,
			"DK": dk.Holidays, "ES": es.Holidays, "FR": fr.Holidays, "GB": gb.Holidays, "IE": ie.Holidays,
			"IT": it.Holidays, "NL": nl.Holidays, "NO": no.Holidays, "SE": se.Holidays,
		}[country]
	}
}

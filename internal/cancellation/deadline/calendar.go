package deadline

import "time"

// holidaySource is the source of steps that depend on public holidays.
const holidaySource = "https://github.com/rickar/cal"

// calendar knows the working days of a country.
type calendar struct {
	country string
	// off has the holidays of the years that were asked for, by year.
	off map[int]map[Date]bool
}

func newCalendar(country string) calendar {
	return calendar{country: country, off: map[int]map[Date]bool{}}
}

// isKnown reports whether the country's holidays are known in the year of day.
func (c calendar) isKnown(day time.Time) bool {
	_, known := holidays(c.country, day.Year())
	return known
}

func (c calendar) isWorkday(day time.Time) bool {
	return day.Weekday() != time.Saturday && day.Weekday() != time.Sunday && !c.isHoliday(day)
}

func (c calendar) isHoliday(day time.Time) bool {
	off, known := c.off[day.Year()]
	if !known {
		off = map[Date]bool{}
		days, _ := holidays(c.country, day.Year())
		for _, holiday := range days {
			off[dateOf(holiday)] = true
		}
		c.off[day.Year()] = off
	}
	return off[dateOf(day)]
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

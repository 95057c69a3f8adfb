package deadline

import "time"

// way is a way to end a contract: the days on which it can end, and the notice for them.
type way struct {
	// first is the first day on which the contract can end.
	first  time.Time
	notice Period
	source string
	// grace is the number of working days of a month that still count as the month before.
	grace int
	// closes is the last day for the notice to arrive, or zero.
	closes time.Time
	// costs is set if this way may cost the user something.
	costs bool
	// newProvider is set if only the new provider can cancel in this way. It is the text that says so.
	newProvider message
	// most is set if the law limits the notice. A month may be longer than thirty days.
	most Period

	// calendar is the length in months of the calendar periods at whose end the contract can end. If it is zero, months
	// or days is the length of the contract's own periods. The first of these ends base months after anchor. If all are
	// zero, the contract can end on any day.
	calendar     int
	anchor       time.Time
	base         int
	months, days int
}

// next returns the first possible end from day on.
func (w way) next(day time.Time) time.Time {
	if day.Before(w.first) {
		day = w.first
	}
	switch {
	case w.calendar > 0:
		return calendarEnd(day, w.calendar)
	case w.months > 0:
		return w.nextTerm(day)
	case w.days > 0:
		return w.nextDays(day)
	default:
		return day
	}
}

// arrived returns the day on which a notice counts, given the day of its arrival.
func (w way) arrived(day time.Time, c calendar) time.Time {
	monthBefore := lastOfMonth(day, -1)
	left := w.grace
	for d := addDays(monthBefore, 1); left > 0 && !d.After(day); d = addDays(d, 1) {
		if d.Weekday() == time.Saturday && !c.isHoliday(d) || c.IsWorkday(d) {
			left--
		}
		if d.Equal(day) {
			return monthBefore
		}
	}
	return day
}

// noticed returns the last day of the notice period, given the day of arrival.
func (w way) noticed(arrival time.Time, c calendar) time.Time {
	day := w.arrived(arrival, c)
	end := w.notice.after(day, c)
	if w.most != "" && end.After(w.most.after(day, c)) {
		return w.most.after(day, c)
	}
	return end
}

// latestArrival returns the last day on which a notice for an end can arrive.
func (w way) latestArrival(end time.Time, c calendar) time.Time {
	arrival := end
	if !w.closes.IsZero() && w.closes.Before(arrival) {
		arrival = w.closes
	}
	for w.noticed(arrival, c).After(end) {
		arrival = addDays(arrival, -1)
	}
	return arrival
}

// nextDays is next for periods of days. The first one starts at anchor.
func (w way) nextDays(day time.Time) time.Time {
	passed := max(0, int(day.Sub(w.anchor)/(24*time.Hour)))
	end := addDays(w.anchor, passed/w.days*w.days-1)
	if end.Before(day) {
		end = addDays(end, w.days)
	}
	return end
}

func (w way) nextTerm(day time.Time) time.Time {
	between := 12*(day.Year()-w.anchor.Year()) + int(day.Month()-w.anchor.Month()) - w.base
	k := max(0, between/w.months-1)
	for {
		if end := termEnd(w.anchor, w.base+k*w.months); !end.Before(day) {
			return end
		}
		k++
	}
}

// calendarEnd returns the last day of the calendar period that contains day. The period has so many months.
func calendarEnd(day time.Time, months int) time.Time {
	left := months - 1 - (int(day.Month())-1)%months
	return lastOfMonth(day, left)
}

// later returns the later of two days.
func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

package deadline

import (
	"slices"
	"time"
)

// Channel is how a cancellation is sent.
type Channel string

// The channels.
const (
	Email          Channel = "Email"
	Fax            Channel = "Fax"
	Mail           Channel = "Mail"
	RegisteredMail Channel = "RegisteredMail"
)

// lead returns how many working days a letter takes. E-mails and faxes that are sent
// after hours count on the next working day. Paper needs a day to be printed, and the
// post up to four; somebody must be there to sign for registered mail.
func (c Channel) lead() int {
	switch c {
	case Email, Fax:
		return 1
	case Mail:
		return 5
	default:
		return 6
	}
}

// Query asks for the deadline of one contract.
type Query struct {
	Facts

	// Terms are the product's, with those of former years.
	Terms  []Terms
	Agreed Agreed
	// Written is set if the contract asks for writing on paper.
	Written bool
	// Channels are the allowed channels. The first one counts for the earliest end.
	Channels []Channel
	// NotBefore is a day before which the contract shall not end. It may be empty.
	NotBefore Date
	// Law is the country whose statutes apply, and Recipient that in which the
	// cancellation arrives.
	Law, Recipient string
	Holidays       Holidays
	Language       string
}

// Answer is the deadline of one contract.
type Answer struct {
	// EarliestEnd is empty if it cannot be computed; Missing then says why.
	EarliestEnd Date
	// SendBy has the channels by which the contract can still end on EarliestEnd.
	SendBy []SendBy
	// NextChance is the next end if SendBy of the first channel is missed. It is empty if
	// there is none.
	NextChance Date
	Steps      []Step
	// Missing are the facts that would change the answer.
	Missing []string
}

// SendBy is the last day to send a cancellation by a channel.
type SendBy struct {
	Channel Channel
	Date    Date
}

// Step explains one step of the computation.
type Step struct{ Rule, Source, Text string }

// Compute answers a query.
func Compute(q Query) Answer {
	p, answer := q.solve()
	if answer.EarliestEnd != "" {
		q.addMissing(&p, &answer)
	}
	answer.Steps = p.render(q.Language)
	return answer
}

// EarliestEnd returns only that part of the answer. It is empty if it cannot be computed.
func EarliestEnd(q Query) Date {
	_, answer := q.solve()
	return answer.EarliestEnd
}

// solve computes the answer without its steps, and without the facts that would change
// it.
func (q Query) solve() (plan, Answer) {
	p := q.plan()
	if p.unknown != "" {
		return p, Answer{Missing: []string{p.unknown}}
	}
	today := q.CancelledOn.day()
	end, w := p.earliest(today, q.Channels[0])
	if !p.endsAlone.IsZero() && (end.IsZero() || !p.endsAlone.After(end)) {
		p.explain("ends_by_itself", p.source, stepEndsAlone, args{"date": p.endsAlone})
		return p, Answer{EarliestEnd: dateOf(p.endsAlone)}
	}
	p.explain("notice_period", w.source, stepNotice, args{"period": w.notice, "date": w.notice.before(end, p.calendar)})
	answer := Answer{EarliestEnd: dateOf(end), SendBy: p.sendBy(end, today, q.Channels)}
	next, _ := p.earliest(addDays(answer.SendBy[0].Date.day(), 1), q.Channels[0])
	if !p.endsAlone.IsZero() && next.After(p.endsAlone) {
		next = p.endsAlone
	}
	answer.NextChance = dateOf(next)
	p.explain("earliest_end", w.source, stepEarliest, args{"date": end, "next": next})
	return p, answer
}

// earliest returns the earliest end of a cancellation sent on a day, and the way to it.
// The end is zero if there is no way.
func (p *plan) earliest(sent time.Time, channel Channel) (time.Time, way) {
	arrival := p.calendar.addWorkdays(p.calendar.forward(sent), channel.lead())
	var best time.Time
	var chosen way
	for _, w := range p.ways {
		if end := w.next(later(w.notice.after(arrival, p.calendar), p.notBefore)); best.IsZero() || end.Before(best) {
			best, chosen = end, w
		}
	}
	return best, chosen
}

// sendBy returns the last day to send for an end, by each channel that is fast enough.
func (p *plan) sendBy(end, today time.Time, channels []Channel) []SendBy {
	var arrival time.Time
	for _, w := range p.ways {
		if w.next(end).Equal(end) {
			arrival = later(arrival, w.notice.before(end, p.calendar))
		}
	}
	working := p.calendar.back(arrival)
	if !working.Equal(arrival) {
		p.explain("working_day", holidaySource, stepWorkday, args{"date": arrival, "before": working})
	}
	var list []SendBy
	for _, c := range channels {
		last := p.calendar.addWorkdays(working, -c.lead())
		if last.Before(today) {
			p.explain("channel_too_slow", holidaySource, stepTooSlow, args{"channel": c})
			continue
		}
		p.explain("lead_time", holidaySource, stepLead, args{"channel": c, "days": workdays(c.lead()), "date": last})
		list = append(list, SendBy{c, dateOf(last)})
	}
	return list
}

// addMissing adds the facts that would change the answer.
func (q Query) addMissing(p *plan, a *Answer) {
	try := func(name string, text message, change func(*Facts), more args) {
		other := q
		change(&other.Facts)
		_, b := other.solve()
		if b.EarliestEnd == "" || b.EarliestEnd == a.EarliestEnd || slices.Contains(a.Missing, name) {
			return
		}
		a.Missing = append(a.Missing, name)
		more["date"] = b.EarliestEnd.day()
		p.explain("missing_fact", "", text, more)
	}
	if q.Customer == "" {
		try(MissingCustomer, missingCustomer, func(f *Facts) { f.Customer = Business }, args{})
	}
	if q.RenewalReminder == "" {
		try(MissingReminder, missingReminder, func(f *Facts) { f.RenewalReminder = ReminderNotSent }, args{})
	}
	if q.ConcludedOn == "" {
		for _, change := range q.changes() {
			before := dateOf(addDays(change.day(), -1))
			try(MissingConcludedOn, missingConcluded, func(f *Facts) { f.ConcludedOn = before }, args{"start": change.day()})
		}
	}
	if !p.calendar.isKnown(q.CancelledOn.day()) {
		a.Missing = append(a.Missing, MissingHolidays)
		p.explain("missing_fact", "", missingHolidays, args{})
	}
}

// changes returns the days in the year before the contract's start on which the law or
// the product's terms changed. A contract that was concluded before such a day has other
// rules.
func (q Query) changes() []Date {
	if q.ContractStart == "" {
		return nil
	}
	yearBefore := dateOf(addMonths(q.ContractStart.day(), -12))
	var days []Date
	for _, s := range statutes() {
		if s.Country == q.Law {
			days = append(days, s.ConcludedFrom)
		}
	}
	for _, t := range q.Terms {
		days = append(days, t.ValidFrom)
	}
	return slices.DeleteFunc(days, func(d Date) bool { return d <= yearBefore || d > q.ContractStart })
}

package deadline

import (
	"cmp"
	"slices"
	"time"
)

// Channel is the channel of a cancellation.
type Channel string

// The channels.
const (
	Email          Channel = "Email"
	Fax            Channel = "Fax"
	Mail           Channel = "Mail"
	RegisteredMail Channel = "RegisteredMail"
)

// lead returns how many working days a letter takes. E-mails and faxes sent after hours count on the next working
// day. Paper needs a day for printing, and the post up to four; registered mail needs somebody to sign for it.
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

	// Terms are the product's terms, including those of former years. Set members of Agreed replace them.
	Terms  []Terms
	Agreed Terms
	// Written is set if the contract requires writing on paper.
	Written bool
	// Channels are the allowed channels. The first one counts for the earliest end.
	Channels []Channel
	// NotBefore is a day before which the contract shall not end. It may be empty.
	NotBefore Date
	// Law is the country whose statutes apply, and Recipient is the country in which the cancellation arrives.
	Law, Recipient string
	Language       string
	// Own requests the ends that the user's own letter can reach.
	Own bool
	// certain leaves out unconfirmed statutes, and without one statute by its ID.
	certain bool
	without string
}

// Answer is the deadline of one contract.
type Answer struct {
	// EarliestEnd is empty if it cannot be computed; Missing then says why.
	EarliestEnd Date
	// EarliestFreeEnd is the earliest end without costs for the user. Costs is set if EarliestEnd may cost something.
	EarliestFreeEnd Date
	Costs           bool
	// Certainty says how sure the ends are. It is empty if there is none.
	Certainty Certainty
	// SendBy has the channels by which the contract can still end on EarliestFreeEnd. Users see LastChance.
	SendBy []SendBy
	// NextChance is the next free end after a missed SendBy of the first channel, or empty.
	NextChance Date
	// Form is the form of the cancellation.
	Form Form
	// Certain is the answer without the unconfirmed statutes, if it differs. SendBy has the earlier days of both.
	Certain *Answer
	Steps   []Step
	// Missing are the facts that would change the answer.
	Missing []string
	// Withdrawal is the right to withdraw, while it lasts.
	Withdrawal Withdrawal
}

// Certainty says how sure an end is.
type Certainty string

// The certainties.
const (
	// Exact: the end follows from the contract and the law.
	Exact Certainty = "Exact"
	// Latest: the law is not known, and may allow an earlier end than the contract does.
	Latest Certainty = "Latest"
)

// LastChance returns SendBy and NextChance, or nothing if the end is only the latest one: nobody should take the days
// of the contract for the last chance then.
func (a Answer) LastChance() ([]SendBy, Date) {
	if a.Certainty == Latest {
		return nil, ""
	}
	return a.SendBy, a.NextChance
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
		answer.Certainty, _ = q.certainty()
		q.addMissing(&p, &answer)
	}
	if answer.Certainty == Latest {
		p.steps = slices.DeleteFunc(p.steps, step.saysLastChance)
	}
	q.addWithdrawal(&p, &answer)
	w := wordsIn(q.Language)
	answer.Form.Reason = w.Texts[answer.Form.text]
	for _, s := range p.steps {
		answer.Steps = append(answer.Steps, Step{Rule: s.rule, Source: s.source, Text: w.fill(s.text, s.args)})
	}
	return answer
}

// Ends returns only the ends of the answer. They are empty if they cannot be computed, or if only the latest end is
// known.
func Ends(q Query) (earliest, free Date) {
	if certainty, _ := q.certainty(); certainty == Latest {
		return "", ""
	}
	_, answer := q.solve()
	return answer.EarliestEnd, answer.EarliestFreeEnd
}

// certainty says how sure an end is, and which fact is missing.
func (q Query) certainty() (Certainty, string) {
	switch terms, _ := q.termsInForce(); {
	case terms.Sector == "":
		return Latest, MissingSector
	case !knowsLaw(q.Law, terms.Sector):
		return Latest, MissingLaw
	default:
		return Exact, ""
	}
}

// solve computes the answer without its steps and without Missing.
func (q Query) solve() (plan, Answer) {
	p, answer := q.solveOnce()
	if p.unconfirmed == nil || q.certain {
		return p, answer
	}
	q.certain = true
	_, certain := q.solveOnce()
	if certain.EarliestFreeEnd == answer.EarliestFreeEnd && slices.Equal(certain.SendBy, answer.SendBy) {
		return p, answer
	}
	answer.Certain = &certain
	if len(answer.SendBy) == 0 { // that the contract ends by itself is uncertain
		answer.SendBy, answer.NextChance = slices.Clone(certain.SendBy), certain.NextChance
	}
	for i, s := range answer.SendBy {
		for _, other := range certain.SendBy {
			if other.Channel == s.Channel {
				answer.SendBy[i].Date = min(s.Date, other.Date)
			}
		}
	}
	var until time.Time
	if len(certain.SendBy) > 0 {
		until = certain.SendBy[0].Date.Day()
	}
	p.explain("unconfirmed", p.unconfirmed.source(), cmp.Or(p.unconfirmed.OnlyIf, "stepUnconfirmed"),
		args{"date": certain.EarliestFreeEnd.Day(), "until": until})
	return p, answer
}

// solveOnce is solve without a second answer for confirmed statutes.
func (q Query) solveOnce() (plan, Answer) {
	p := q.plan()
	if p.unknown != "" {
		return p, Answer{Missing: []string{p.unknown}, Form: p.form}
	}
	today, channels := q.CancelledOn.Day(), p.form.allowed(q.Channels)
	end, w := p.earliest(p.ways, today, channels[0])
	free := slices.DeleteFunc(slices.Clone(p.ways), func(w way) bool { return w.costs })
	freeEnd, freeWay := p.earliest(free, today, channels[0])
	endsAlone := !p.endsAlone.IsZero() && (freeEnd.IsZero() || !p.endsAlone.After(freeEnd))
	if endsAlone {
		freeEnd = p.endsAlone
	}
	answer := Answer{EarliestEnd: dateOf(freeEnd), EarliestFreeEnd: dateOf(freeEnd), Form: p.form}
	if !end.IsZero() && end.Before(freeEnd) {
		answer.EarliestEnd, answer.Costs = dateOf(end), true
		p.explain("costs", w.source, "stepEndWithCosts", args{"date": end, "period": w.notice})
	}
	if endsAlone {
		p.explain("ends_by_itself", p.source, "stepEndsAlone", args{"date": p.endsAlone})
		return p, answer
	}
	if freeWay.newProvider != "" {
		answer.Form = Form{Requirement: NewProvider, Source: freeWay.source, text: freeWay.newProvider}
		p.explain("form", freeWay.source, freeWay.newProvider, args{})
	}
	p.explain("notice_period", freeWay.source, "stepNotice",
		args{"period": freeWay.notice, "date": freeWay.latestArrival(freeEnd, p.calendar)})
	answer.SendBy = p.sendBy(free, freeEnd, today, channels)
	next, _ := p.earliest(free, addDays(answer.SendBy[0].Date.Day(), 1), channels[0])
	if !p.endsAlone.IsZero() && next.After(p.endsAlone) {
		next = p.endsAlone
	}
	answer.NextChance = dateOf(next)
	p.explain("earliest_end", freeWay.source, "stepEarliest", args{"date": freeEnd, "next": next})
	return p, answer
}

// earliest returns the earliest end of a cancellation sent on a day, and its way. The end is zero if there is no way.
func (p *plan) earliest(ways []way, sent time.Time, channel Channel) (time.Time, way) {
	arrival := p.calendar.WorkdaysFrom(p.calendar.forward(sent), channel.lead())
	var best time.Time
	var chosen way
	for _, w := range ways {
		if !w.closes.IsZero() && arrival.After(w.closes) {
			continue
		}
		if end := w.next(later(w.noticed(arrival, p.calendar), p.notBefore)); best.IsZero() || end.Before(best) {
			best, chosen = end, w
		}
	}
	return best, chosen
}

// sendBy returns the last day to send for an end, for each channel that is fast enough.
func (p *plan) sendBy(ways []way, end, today time.Time, channels []Channel) []SendBy {
	var arrival time.Time
	for _, w := range ways {
		if w.next(end).Equal(end) {
			arrival = later(arrival, w.latestArrival(end, p.calendar))
		}
	}
	working := p.calendar.back(arrival)
	if !working.Equal(arrival) {
		p.explain("working_day", holidaySource, "stepWorkday", args{"date": arrival, "before": working})
	}
	var list []SendBy
	for _, c := range channels {
		last := p.calendar.WorkdaysFrom(working, -c.lead())
		if last.Before(today) {
			p.explain("channel_too_slow", holidaySource, "stepTooSlow", args{"channel": c})
			continue
		}
		p.explain("lead_time", holidaySource, "stepLead", args{"channel": c, "days": workdays(c.lead()), "date": last})
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
		same := b.EarliestEnd == a.EarliestEnd && b.EarliestFreeEnd == a.EarliestFreeEnd
		if b.EarliestEnd == "" || same || slices.Contains(a.Missing, name) {
			return
		}
		a.Missing = append(a.Missing, name)
		more["date"] = b.EarliestFreeEnd.Day()
		p.explain("missing_fact", "", text, more)
	}
	if q.Customer == "" {
		try(MissingCustomer, "missingCustomer", func(f *Facts) { f.Customer = Business }, args{})
	}
	if q.RenewalReminder == "" {
		try(MissingReminder, "missingReminder", func(f *Facts) { f.RenewalReminder = ReminderNotSent }, args{})
	}
	if q.ConcludedOn == "" {
		for _, change := range q.changes() {
			before := dateOf(addDays(change.Day(), -1))
			try(MissingConcludedOn, "missingConcluded", func(f *Facts) { f.ConcludedOn = before }, args{"start": change.Day()})
		}
		if q.ContractStart != "" {
			before := dateOf(addDays(q.ContractStart.Day(), -1))
			try(MissingConcludedOn, "missingSigned", func(f *Facts) { f.ConcludedOn = before }, args{})
		}
	}
	if _, missing := q.certainty(); missing != "" {
		a.Missing = append(a.Missing, missing)
		text := map[string]message{MissingSector: "missingSector", MissingLaw: "missingLaw"}[missing]
		p.explain("missing_fact", "", text, args{"date": a.EarliestFreeEnd.Day()})
	}
	if !p.calendar.isKnown() {
		a.Missing = append(a.Missing, MissingHolidays)
		p.explain("missing_fact", "", "missingHolidays", args{})
	}
}

// changes returns the days before the contract's start, within a year, on which the law or the product's terms
// changed. If the contract was concluded before such a day, other rules apply.
func (q Query) changes() []Date {
	if q.ContractStart == "" {
		return nil
	}
	yearBefore := dateOf(addMonths(q.ContractStart.Day(), -12))
	var days []Date
	for _, s := range lawOf(q.Law).Statutes {
		days = append(days, s.Concluded.From)
	}
	for _, t := range q.Terms {
		days = append(days, t.ValidFrom)
	}
	return slices.DeleteFunc(days, func(d Date) bool { return d <= yearBefore || d > q.ContractStart })
}

package deadline

import (
	"slices"
	"time"
)

// plan has the ways to end a contract, and the steps that led to them.
type plan struct {
	// unknown is the fact without which nothing can be computed.
	unknown string
	ways    []way
	// endsAlone is the last day of a contract that does not renew.
	endsAlone time.Time
	// notBefore is a day before which the contract shall not end.
	notBefore time.Time
	// source is that of the terms.
	source   string
	calendar calendar
	steps    []step
}

// plan applies the statutes to the terms.
func (q Query) plan() plan {
	p := plan{calendar: newCalendar(q.Recipient, q.Holidays), notBefore: q.NotBefore.day()}
	terms, known := q.termsInForce()
	if !known {
		p.miss(MissingTerms, missingTerms)
		return p
	}
	if q.ContractStart == "" {
		if !q.needsNoStart(terms) {
			p.miss(MissingStart, missingStart)
			return p
		}
		q.ContractStart = q.CancelledOn
	}
	p.source = terms.Source
	c := contract{Terms: terms, facts: q.Facts, written: q.Written}
	laws := statutesFor(q.Law, c)
	p.capTerms(&c.Terms, laws)
	p.addContract(c)
	for _, s := range laws {
		if s.Exit.EndOf != "" {
			p.addExit(s, c)
		}
		if s.Note != "" {
			p.explain("form", s.source(), s.Note, args{})
		}
	}
	return p
}

func (p *plan) miss(name string, text message) {
	p.unknown = name
	p.explain("missing_fact", "", text, args{})
}

// termsInForce returns the terms of the contract. It reports false if they say too
// little.
func (q Query) termsInForce() (Terms, bool) {
	concluded := q.concluded()
	if concluded == "" {
		concluded = q.CancelledOn
	}
	var t Terms
	if i := slices.IndexFunc(q.Terms, func(t Terms) bool { return t.covers(concluded) }); i >= 0 {
		t = q.Terms[i]
	}
	t = t.with(q.Agreed)
	return t, t.complete()
}

// needsNoStart reports whether the answer is the same whenever the contract began.
func (q Query) needsNoStart(t Terms) bool {
	if len(q.Terms) > 1 || !t.MinimumTerm.isZero() || t.Renewal != RenewalOpen || t.EndOf.contractMonths() > 0 {
		return false
	}
	ids := func(concluded Date) (ids []string, dated bool) {
		c := contract{Terms: t, facts: q.Facts, written: q.Written}
		c.facts.ConcludedOn = concluded
		for _, s := range statutesFor(q.Law, c) {
			ids = append(ids, s.ID)
			dated = dated || s.Exit.From == AfterTime || s.Exit.EndOf.contractMonths() > 0
		}
		return ids, dated
	}
	long, datedLong := ids("1950-01-01")
	now, datedNow := ids(q.CancelledOn)
	return slices.Equal(long, now) && !datedLong && !datedNow
}

// capTerms shortens what the statutes limit.
func (p *plan) capTerms(t *Terms, laws []Statute) {
	limit := func(s Statute, rule string, text message, period *Period, most Period) {
		if most != "" && period.longer(most) {
			*period = most
			p.explain(rule, s.source(), text, args{"period": most})
		}
	}
	for _, s := range laws {
		limit(s, "statutory_minimum_term", stepMaxMinimum, &t.MinimumTerm, s.MaxMinimum)
		limit(s, "statutory_notice", stepMaxNotice, &t.NoticePeriod, s.MaxNotice)
		limit(s, "statutory_renewal", stepMaxRenewal, &t.RenewalTerm, s.MaxRenewal)
		if s.NoRenewal && t.Renewal != RenewalNone {
			t.Renewal = RenewalNone
			p.explain("statutory_renewal", s.source(), stepNoRenewal, args{})
		}
	}
}

// term returns the first day of the first term and its length. If the last renewal is
// known, the first term is over.
func (c contract) term() (start time.Time, length Period) {
	if c.facts.LastRenewal != "" {
		return c.facts.LastRenewal.day(), ""
	}
	return c.facts.ContractStart.day(), c.MinimumTerm
}

// firstEnd returns the last day of the first term. Without one it is the day before the
// contract's first.
func (c contract) firstEnd() time.Time {
	start, length := c.term()
	end := length.end(start)
	if months := c.EndOf.calendarMonths(); months > 0 && !length.isZero() {
		return calendarEnd(end, months)
	}
	return end
}

// addContract adds the contract's own way.
func (p *plan) addContract(c contract) {
	start, length := c.term()
	end := c.firstEnd()
	if !length.isZero() {
		p.explain("minimum_term", c.Source, stepMinimum, args{"period": length, "start": start, "date": end})
	}
	if c.Renewal == RenewalNone {
		p.endsAlone = end
		return
	}
	w := way{first: later(start, end), notice: c.NoticePeriod, source: c.Source}
	if c.Renewal == RenewalOpen {
		w.calendar, w.months, w.anchor = c.EndOf.calendarMonths(), c.EndOf.contractMonths(), start
		p.explain("renewal", c.Source, stepOpen, args{"endOf": c.EndOf})
	} else {
		w.months, _ = c.RenewalTerm.months()
		if w.months == 0 {
			w.days = c.RenewalTerm.days()
		}
		w.anchor, w.base = c.renewals(start, end)
		p.explain("renewal", c.Source, stepFixed, args{"period": c.RenewalTerm})
	}
	p.ways = append(p.ways, w)
}

// renewals returns where the renewals are counted from: the start of the contract if all
// terms have whole months, so that a contract of the 31st keeps its day, or else the day
// after the first term.
func (c contract) renewals(start, end time.Time) (anchor time.Time, base int) {
	_, length := c.term()
	months, whole := length.months()
	_, monthly := c.RenewalTerm.months()
	calendar := c.EndOf.calendarMonths()
	switch {
	case calendar > 0 && c.facts.LastRenewal == "": // without a first term, the rest of the period is one
		return addDays(calendarEnd(later(start, end), calendar), 1), 0
	case (whole || length.isZero()) && monthly:
		return start, months
	default:
		return addDays(end, 1), 0
	}
}

// addExit adds the way out that a statute gives.
func (p *plan) addExit(s Statute, c contract) {
	x := s.Exit
	start := c.facts.ContractStart.day()
	w := way{first: start, notice: x.Notice, source: s.source(), anchor: start}
	switch x.From {
	case AfterFirstTerm:
		w.first = later(start, addDays(c.firstEnd(), 1))
	case AfterTime:
		w.first = x.After.end(start)
	}
	if x.AtMost {
		w.notice = shorter(c.NoticePeriod, x.Notice)
	}
	if x.OnlyOnceOpen {
		opened := w.first
		if x.From == AfterTime {
			opened = addDays(opened, 1)
		}
		w.first = w.notice.after(p.calendar.forward(opened), p.calendar)
	}
	w.calendar, w.months = x.EndOf.calendarMonths(), x.EndOf.contractMonths()
	endOf := x.EndOf
	if endOf == EndOfContractYear && c.EndOf == EndOfCalendarYear {
		endOf, w.calendar, w.months = EndOfCalendarYear, 12, 0
	}
	p.ways = append(p.ways, w)
	p.explain("statutory_exit", s.source(), stepExit, args{"endOf": endOf, "date": w.first, "period": w.notice})
	if s.Costs {
		p.explain("costs", s.source(), stepCosts, args{})
	}
}

package deadline

import (
	"cmp"
	"slices"
	"time"
)

// plan has the ways to end a contract, and the steps to them.
type plan struct {
	// unknown is the missing fact without which nothing can be computed.
	unknown string
	ways    []way
	// endsAlone is the last day of a contract that does not renew.
	endsAlone time.Time
	// notBefore is the day before which the contract must not end.
	notBefore time.Time
	// unconfirmed is an unconfirmed statute that changes the plan, if there is one.
	unconfirmed *Statute
	form        Form
	// source is the source of the terms.
	source   string
	calendar calendar
	steps    []step
}

// onceMonths is the length of the periods of a way that is open once only: on that day, or in a hundred years.
const onceMonths = 1200

// plan applies the statutes to the terms.
func (q Query) plan() plan {
	p := plan{calendar: newCalendar(q.Recipient), notBefore: q.NotBefore.Day()}
	terms, known := q.termsInForce()
	if !known {
		p.miss(MissingTerms, "missingTerms")
		return p
	}
	if q.ContractStart == "" {
		if !q.needsNoStart(terms) {
			p.miss(MissingStart, "missingStart")
			return p
		}
		q.ContractStart = q.CancelledOn
	}
	p.source = terms.Source
	c := contract{Terms: terms, facts: q.Facts, written: q.Written}
	p.form = q.formOf(c)
	laws := q.statutesFor(c)
	agreed := c.MinimumTerm
	p.capTerms(&c, laws)
	p.addContract(c)
	if c.MinimumTerm != agreed && c.Renewal != RenewalNone {
		// The limit protects customers, who may still use the contract's own renewals.
		longer := c
		longer.MinimumTerm = agreed
		p.ways = append(p.ways, longer.way())
	}
	for _, s := range laws {
		if s.Exit != nil && (!q.Own || !s.Exit.ByNewProvider) {
			p.addExit(s, c)
		}
		if s.isUncertain() && s.Note == "" {
			p.unconfirmed = &s
		}
		if s.Note != "" {
			p.explain("note", s.source(), s.Note, args{})
		}
	}
	if p.form.Requirement != "" {
		p.explain("form", p.form.Source, p.form.text, args{})
	}
	return p
}

func (p *plan) miss(name string, text message) {
	p.unknown = name
	p.explain("missing_fact", "", text, args{})
}

// termsInForce returns the terms of the contract. It returns false if they are incomplete.
func (q Query) termsInForce() (Terms, bool) {
	concluded := cmp.Or(q.concluded(), q.CancelledOn)
	var t Terms
	if i := slices.IndexFunc(q.Terms, func(t Terms) bool { return t.covers(concluded) }); i >= 0 {
		t = q.Terms[i]
	}
	t = t.with(q.Agreed)
	return t, t.complete()
}

// needsNoStart reports whether the answer does not depend on the contract's start.
func (q Query) needsNoStart(t Terms) bool {
	if len(q.Terms) > 1 || !t.MinimumTerm.isZero() || t.Renewal != RenewalOpen || t.EndOf.contractMonths() > 0 {
		return false
	}
	ids := func(concluded Date) (ids []string, dated bool) {
		c := contract{Terms: t, facts: q.Facts, written: q.Written}
		c.facts.ConcludedOn = concluded
		for _, s := range q.statutesFor(c) {
			ids = append(ids, s.ID)
			x := cmp.Or(s.Exit, &Exit{})
			dated = dated || x.After != "" || x.EndOf.contractMonths() > 0
		}
		return ids, dated
	}
	long, datedLong := ids("1950-01-01")
	now, datedNow := ids(q.CancelledOn)
	return slices.Equal(long, now) && !datedLong && !datedNow
}

// capTerms shortens terms to the limits of statutes.
func (p *plan) capTerms(c *contract, laws []Statute) {
	limit := func(s Statute, rule string, text message, period *Period, most Period) {
		if most != "" && period.longer(most) {
			*period = most
			p.explain(rule, s.source(), text, args{"period": most})
		}
	}
	for _, s := range laws {
		if c.capFirstTerm(s.Limits) {
			p.explain("statutory_minimum_term", s.source(), "stepMaxMinimum", args{"period": s.Limits.FirstTerm})
		}
		limit(s, "statutory_notice", "stepMaxNotice", &c.NoticePeriod, s.Limits.Notice)
		limit(s, "statutory_renewal", "stepMaxRenewal", &c.RenewalTerm, s.Limits.Renewal)
		if s.Limits.NoRenewal && c.Renewal != RenewalNone {
			c.Renewal = RenewalNone
			p.explain("statutory_renewal", s.source(), "stepNoRenewal", args{})
		}
	}
}

// capFirstTerm shortens the first term to the legal maximum. It reports whether it was longer.
func (c *contract) capFirstTerm(l Limits) bool {
	if l.FirstTerm == "" {
		return false
	}
	start := c.facts.ContractStart.Day()
	from := start
	if l.FromConclusion && c.facts.concluded() < c.facts.ContractStart {
		from = c.facts.concluded().Day()
	}
	if !l.ToNextMonth && from.Equal(start) {
		longer := c.MinimumTerm.longer(l.FirstTerm)
		if longer {
			c.MinimumTerm = l.FirstTerm
		}
		return longer
	}
	latest := l.FirstTerm.end(from)
	if l.ToNextMonth && from.Day() > 1 {
		latest = addDays(lastOfMonth(latest, 0), 1)
	}
	longer := c.firstEnd().After(latest)
	if longer {
		c.latest = latest
	}
	return longer
}

// term returns the first day of the first term, and its length. If the last renewal is known, the first term is over.
func (c contract) term() (start time.Time, length Period) {
	if c.facts.LastRenewal != "" {
		return c.facts.LastRenewal.Day(), ""
	}
	return c.facts.ContractStart.Day(), c.MinimumTerm
}

// agreedEnd returns the contract's last day of the first term. Without a first term, it is the day before the
// contract's start.
func (c contract) agreedEnd() time.Time {
	start, length := c.term()
	end := length.end(start)
	if months := c.EndOf.calendarMonths(); months > 0 && !length.isZero() {
		return calendarEnd(end, months)
	}
	return end
}

// firstEnd returns the legal last day of the first term.
func (c contract) firstEnd() time.Time {
	end := c.agreedEnd()
	if !c.latest.IsZero() && end.After(c.latest) && c.facts.LastRenewal == "" {
		return c.latest
	}
	return end
}

// addContract adds the contract's own way.
func (p *plan) addContract(c contract) {
	start, length := c.term()
	end, byLaw := c.agreedEnd(), c.firstEnd()
	if !length.isZero() {
		p.explain("minimum_term", c.Source, "stepMinimum", args{"period": length, "start": start, "date": byLaw})
	}
	if c.Renewal == RenewalNone {
		p.endsAlone = byLaw
		return
	}
	if byLaw.Before(end) {
		p.ways = append(p.ways, way{
			first: later(start, byLaw), notice: c.NoticePeriod, source: c.Source, anchor: addDays(byLaw, 1), months: onceMonths,
		})
	}
	if c.Renewal == RenewalOpen {
		p.explain("renewal", c.Source, "stepOpen", args{"endOf": c.EndOf})
	} else {
		p.explain("renewal", c.Source, "stepFixed", args{"period": c.RenewalTerm})
	}
	p.ways = append(p.ways, c.way())
}

// way returns the contract's own way: the ends of its first term and of its renewals.
func (c contract) way() way {
	start, _ := c.term()
	end := c.agreedEnd()
	w := way{first: later(start, end), notice: c.NoticePeriod, source: c.Source}
	if c.Renewal == RenewalOpen {
		w.calendar, w.months, w.anchor = c.EndOf.calendarMonths(), c.EndOf.contractMonths(), start
		return w
	}
	w.months, _ = c.RenewalTerm.months()
	if w.months == 0 {
		w.days = c.RenewalTerm.days()
	}
	w.anchor, w.base = c.renewals(start, end)
	return w
}

// renewals returns the day from which renewals are counted. If all terms are whole months, it is the start of the
// contract, so that a contract of the 31st keeps its day. Otherwise it is the day after the first term.
func (c contract) renewals(start, end time.Time) (anchor time.Time, base int) {
	_, length := c.term()
	months, whole := length.months()
	_, monthly := c.RenewalTerm.months()
	calendar := c.EndOf.calendarMonths()
	switch {
	case calendar > 0 && c.facts.LastRenewal == "": // without a first term, the rest of the calendar period is one
		return addDays(calendarEnd(later(start, end), calendar), 1), 0
	case (whole || length.isZero()) && monthly:
		return start, months
	default:
		return addDays(end, 1), 0
	}
}

// addExit adds a statute's way out.
func (p *plan) addExit(s Statute, c contract) {
	x := s.Exit
	start := c.facts.ContractStart.Day()
	if x.NextMonth && start.Day() > 1 {
		start = addDays(lastOfMonth(start, 0), 1)
	}
	w := way{first: start, notice: x.Notice, source: s.source(), anchor: start, grace: x.Grace, costs: x.Costs}
	if x.Within != "" {
		w.closes = x.Within.after(c.facts.concluded().Day(), p.calendar)
	}
	switch {
	case x.ByNewProvider && c.Sector == HomeInsurance:
		w.newProvider = "noteTenant"
	case x.ByNewProvider:
		w.newProvider = "noteNewProvider"
	}
	opened := start
	switch x.From {
	case FirstTermEnd:
		w.first = later(start, c.firstEnd())
	case AfterFirstTerm:
		opened = later(start, addDays(c.firstEnd(), 1))
		w.first = opened
	case AfterTime:
		w.first = x.After.end(start)
		opened = addDays(w.first, 1)
	case AfterConclusion:
		opened = addDays(x.After.end(c.facts.concluded().Day()), 1)
		w.first = later(start, addDays(opened, -1))
	}
	if x.AtMost && !c.NoticePeriod.longer(x.Notice) {
		w.notice, w.most = c.NoticePeriod, x.Notice
	}
	if x.OnlyOnceOpen {
		w.first = later(w.first, w.notice.after(p.calendar.forward(opened), p.calendar))
	}
	w.calendar, w.months = x.EndOf.calendarMonths(), x.EndOf.contractMonths()
	if x.Once {
		w.anchor, w.months = addDays(w.first, 1), onceMonths
	}
	endOf := x.EndOf
	if endOf == EndOfContractYear && c.EndOf == EndOfCalendarYear {
		endOf, w.calendar, w.months = EndOfCalendarYear, 12, 0
	}
	p.ways = append(p.ways, w)
	p.explain("statutory_exit", s.source(), "stepExit", args{"endOf": endOf, "date": w.first, "period": w.notice})
	if x.Costs {
		p.explain("costs", s.source(), "stepCosts", args{})
	}
}

package deadline

import (
	"cmp"
	"slices"
)

// ConcludedAt says where a contract was concluded. It is empty if unknown.
type ConcludedAt string

// The places.
const (
	// Distance: online, by phone or by letter.
	Distance ConcludedAt = "Distance"
	// Doorstep: with the organization's agent, outside its premises.
	Doorstep ConcludedAt = "Doorstep"
	Shop     ConcludedAt = "Shop"
)

// Withdrawal is the right to withdraw from a new contract. It is zero if there is none.
type Withdrawal struct {
	// Until is the last day to send the withdrawal.
	Until Date
	// Source is the statute, and Form the form that it requires.
	Source string
	Form   Form
}

// withdrawalRight is a law that lets consumers withdraw from a new contract. Without sectors, it is for all that
// traders sell.
type withdrawalRight struct {
	Article `yaml:",inline"`

	// ConcludedAt limits the right to contracts concluded there.
	ConcludedAt []ConcludedAt `yaml:"concludedAt"`
	// For is counted from the day of the signature. Uninvited is for visits that nobody asked for.
	For, Uninvited Period
	// Strict is set if the last day counts even if it is not a working day. Else the next one counts, as in
	// Regulation (EEC, Euratom) No 1182/71, article 3 (4).
	Strict bool
	Form   *FormRule
}

func (r withdrawalRight) covers(at ConcludedAt) bool {
	return len(r.ConcludedAt) == 0 || slices.Contains(r.ConcludedAt, at)
}

// until returns the last day of a period that begins with the signature.
func (r withdrawalRight) until(q Query, length Period) Date {
	own := newCalendar(q.Law)
	last := length.after(q.ConcludedOn.Day(), own)
	if !r.Strict {
		last = own.forward(last)
	}
	return dateOf(last)
}

// right returns the right in the law of the query's country.
func (r withdrawalRight) right(q Query, length Period) Withdrawal {
	w := Withdrawal{Until: r.until(q, length), Source: r.Cite(q.Language) + ", " + r.URL}
	if r.Form != nil {
		w.Form = Form{Requirement: r.Form.Requirement, Void: r.Form.Void, Source: w.Source, text: "formRegistered"}
	}
	return w
}

// withdrawalRights returns the rights for contracts of a sector, the special ones first. Directive 2011/83/EU,
// article 3 (3), leaves out rent and care. What is not sold by traders has no such right, either.
func withdrawalRights(country string, sector Sector) []withdrawalRight {
	if slices.Contains([]Sector{"Rental", "Care", "Association", "Party", "StatutoryHealth"}, sector) {
		return nil
	}
	var special, general []withdrawalRight
	for _, r := range lawOf(country).Withdrawals {
		switch {
		case len(r.Sectors) == 0:
			general = append(general, r)
		case slices.Contains(r.Sectors, sector):
			special = append(special, r)
		}
	}
	if len(special) > 0 {
		return special
	}
	return general
}

// LongestWithdrawal returns the right to withdraw that lasts longest, wherever the contract was concluded.
func LongestWithdrawal(q Query) Withdrawal {
	var longest Withdrawal
	for _, r := range q.withdrawals() {
		if w := r.right(q, cmp.Or(r.Uninvited, r.For)); w.Until > longest.Until {
			longest = w
		}
	}
	longest.Form.Reason = wordsIn(q.Language).Texts[longest.Form.text]
	return longest
}

// withdrawals returns the rights for the query's contract. Businesses have none.
func (q Query) withdrawals() []withdrawalRight {
	if q.ConcludedOn == "" || cmp.Or(q.Customer, Consumer) != Consumer {
		return nil
	}
	terms, _ := q.termsInForce()
	return slices.DeleteFunc(withdrawalRights(q.Law, terms.Sector), func(r withdrawalRight) bool {
		return !r.InForce.has(q.ConcludedOn)
	})
}

// addWithdrawal puts the right to withdraw before everything else, while it lasts.
func (q Query) addWithdrawal(p *plan, a *Answer) {
	rights, own := q.withdrawals(), p.steps
	i := slices.IndexFunc(rights, func(r withdrawalRight) bool { return r.covers(q.Agreed.ConcludedAt) })
	text := message("stepWithdraw")
	if i < 0 && q.Agreed.ConcludedAt == "" && len(rights) > 0 {
		i, text = 0, "stepWithdrawIf"
	}
	if i < 0 {
		return
	}
	r := rights[i]
	length := r.For
	if q.Agreed.ConcludedAt == Doorstep {
		length = cmp.Or(r.Uninvited, r.For)
	}
	w := r.right(q, length)
	if w.Until < q.CancelledOn {
		return
	}
	p.steps = nil
	p.explain("withdrawal", w.Source, text, args{"date": w.Until.Day()})
	if length != r.For {
		p.explain("withdrawal", w.Source, "stepWithdrawVisit", args{"date": r.until(q, r.For).Day()})
	}
	if w.Form.text != "" {
		p.explain("form", w.Source, w.Form.text, args{})
	}
	if len(r.Sectors) > 0 {
		p.explain("withdrawal_exceptions", w.Source, "stepWithdrawCover", args{})
	} else {
		p.explain("withdrawal_exceptions", w.Source, "stepWithdrawExceptions", args{})
	}
	p.steps = append(p.steps, own...)
	if text == "stepWithdrawIf" {
		a.Missing = append(a.Missing, MissingConcludedAt)
		return
	}
	a.Withdrawal = w
}

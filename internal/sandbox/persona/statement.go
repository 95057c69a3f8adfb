package persona

import "slices"

// Entry is one row of an account.
type Entry struct {
	// Entered is the day it happened; Booked the day it is booked.
	Entered Day
	Booked  Day
	// Minute is the time of a card payment, in minutes after midnight. Until then the bank
	// does not know the row.
	Minute int
	// Vanishes is set on a hold that is never booked: the day it is released.
	Vanishes Day
	// Amount is in the account's currency and negative for a debit.
	Amount Cents
	// Party and PartyIBAN are the other side, if the bank knows it.
	Party     string
	PartyIBAN string
	// Text is the unstructured remittance information; some rows have the structured
	// Reference instead.
	Text      string
	Reference string
	// Code is the ISO 20022 bank transaction code.
	Code     string
	Purpose  string
	Mandate  string
	Creditor string
	EndToEnd string
	MCC      string
	// Exchange is set if the payment was in another currency.
	Exchange *Exchange
	// Identity is unique in the account and never changes.
	Identity uint64
}

// Exchange is a payment in another currency.
type Exchange struct {
	Currency string
	// Amount in that currency, unsigned.
	Amount Cents
	// Rate is the price of one unit of Currency in the account's currency.
	Rate string
	Day  Day
}

// Statement is an account as of one day.
type Statement struct {
	Account Account
	// Booked rows, oldest first. A later statement begins with the same rows, and shares
	// them: nobody may change them.
	Booked []Entry
	// Pending rows, oldest first.
	Pending []Entry
	// Released are the holds that ended without being booked; banks do not report them.
	Released []Entry
}

// BookedBalance returns the opening balance plus every booked row.
func (s Statement) BookedBalance() Cents { return s.Account.Opening + sum(s.Booked) }

// At returns the statement at a minute of the day: without later card payments. These are
// all pending.
func (s Statement) At(today Day, minute int) Statement {
	s.Pending = slices.DeleteFunc(slices.Clone(s.Pending), func(e Entry) bool {
		return e.Entered == today && e.Minute > minute
	})
	return s
}

// ExpectedBalance also includes the pending rows.
func (s Statement) ExpectedBalance() Cents { return s.BookedBalance() + sum(s.Pending) }

func sum(entries []Entry) Cents {
	total := Cents(0)
	for _, e := range entries {
		total += e.Amount
	}
	return total
}

// Statements simulates the persona's life at the branch up to and including today and
// returns the statement of each account by its key.
func (p Persona) Statements(b Branch, today Day) map[string]Statement {
	return newSimulation(p, b).statements(today)
}

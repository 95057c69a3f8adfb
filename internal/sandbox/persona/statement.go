package persona

import "sort"

// Entry is one row of an account.
type Entry struct {
	// Entered is the day it happened; Booked the day it is booked.
	Entered Day
	Booked  Day
	// Vanishes is set on a hold that is never booked: the day it is released.
	Vanishes Day
	// Amount is in the account's currency and negative for a debit.
	Amount Cents
	// Party and PartyIBAN are the other side, where the bank knows it.
	Party     string
	PartyIBAN string
	// Text is the unstructured remittance information; Reference the structured
	// one, in rows that have that instead.
	Text      string
	Reference string
	// Code is the ISO 20022 bank transaction code.
	Code     string
	Purpose  string
	Mandate  string
	Creditor string
	EndToEnd string
	MCC      string
	// Exchange tells what was paid in another currency; nil where none was.
	Exchange *Exchange
	// Identity is unique on the account and the same on every reading.
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
	// Booked rows, oldest first. The rows of a later statement begin with these.
	Booked []Entry
	// Pending rows, oldest first.
	Pending []Entry
	// Released are the holds that have ended without being booked; no bank tells
	// them.
	Released []Entry
}

// BookedBalance is the opening balance and every booked row.
func (s Statement) BookedBalance() Cents { return s.Account.Opening + sum(s.Booked) }

// ExpectedBalance also counts what is pending.
func (s Statement) ExpectedBalance() Cents { return s.BookedBalance() + sum(s.Pending) }

func sum(entries []Entry) Cents {
	total := Cents(0)
	for _, e := range entries {
		total += e.Amount
	}
	return total
}

// Statements plays the persona's life at the branch up to and including today
// and returns each account's statement by its key.
func (p Persona) Statements(b Branch, today Day) map[string]Statement {
	sim := newSimulation(p, b)
	sim.run(today)
	out := make(map[string]Statement, len(sim.books))
	for key, book := range sim.books {
		s := Statement{Account: book.account}
		for _, e := range book.entries {
			switch {
			case e.Vanishes != 0:
				if today < e.Vanishes {
					s.Pending = append(s.Pending, e)
				} else {
					s.Released = append(s.Released, e)
				}
			case e.Booked <= today:
				s.Booked = append(s.Booked, e)
			default:
				s.Pending = append(s.Pending, e)
			}
		}
		// By the day of booking first, so that a later statement only appends.
		sort.SliceStable(s.Booked, func(i, j int) bool { return s.Booked[i].Booked < s.Booked[j].Booked })
		out[key] = s
	}
	return out
}

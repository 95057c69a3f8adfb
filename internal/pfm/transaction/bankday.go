package transaction

import (
	"cmp"
	"time"

	"aviso/internal/pfm"
)

// LatestHours is how far ahead of UTC the clocks of banks are.
const LatestHours = 3

// maxTextDays is how long before a fetch a day in a text may be.
const maxTextDays = 60

// day returns a row's day: the booking day, if it has come. The day of a pending row may
// be the last on which it may be booked. Without any day that has come, it is today, and
// guessed, so that a known row keeps the day on which we saw it first.
func (r *reader) day(b pfm.BankTransaction) (day pfm.Date, guessed bool) {
	days := []pfm.Date{b.BookingDate, b.ValueDate, b.TransactionDate}
	switch {
	case r.profile.Date == pfm.DateValue:
		days = []pfm.Date{b.ValueDate, b.BookingDate, b.TransactionDate}
	case r.profile.Date == pfm.DateTransaction, r.isMonthlyBill(b):
		days = []pfm.Date{b.TransactionDate, b.ValueDate, b.BookingDate}
	}
	for _, d := range days {
		if d != "" && d <= r.latest {
			return d, false
		}
	}
	if d := r.dayInText(b); d != "" {
		return d, false
	}
	return r.today, true
}

// isMonthlyBill reports whether a card's rows are all booked on the first of a month, when
// the card is billed.
func (r *reader) isMonthlyBill(b pfm.BankTransaction) bool {
	paid := cmp.Or(b.TransactionDate, b.ValueDate)
	return r.account.Type == pfm.AccountCreditCard && r.profile.Date == "" && b.Booked && paid != "" &&
		b.BookingDate.Time().Day() == 1 && paid < b.BookingDate.AddDays(-2)
}

func textLayouts() []string {
	return []string{time.DateOnly, "02.01.2006", "02.01.06", "02/01/2006", "02/01/06", "02-01-2006", "02-01-06"}
}

// dayInText returns a day shortly before the fetch that is in the row's text, or "".
func (r *reader) dayInText(b pfm.BankTransaction) pfm.Date {
	for _, found := range patterns().day.FindAllString(b.Remittance+" "+b.AdditionalInformation, -1) {
		for _, layout := range textLayouts() {
			at, err := time.Parse(layout, found)
			if d := pfm.DateOf(at); err == nil && d <= r.latest && d >= r.today.AddDays(-maxTextDays) {
				return d
			}
		}
	}
	return ""
}

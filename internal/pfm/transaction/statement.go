package transaction

import "aviso/internal/pfm"

const (
	// OverlapDays is how many days before the last success a sync reads again, because
	// pending rows are booked, and bookings arrive, days later.
	OverlapDays = 14
	// PendingDays is how long before the first day of a sync a pending row may be, and
	// still be compared with what the bank lists now.
	PendingDays = 45
)

// Statement holds a bank's rows of one account.
type Statement struct {
	pfm.Account
	// Requested is the first day that was requested, From that of the first row if it is
	// earlier.
	Requested, From pfm.Date
	Rows            []Transaction
	// Unreadable is how many rows cannot be read. Err is set if none can be.
	Unreadable int
	Err        error
	// SignsFound: the account's SignsInverted has just been inferred.
	SignsFound bool
}

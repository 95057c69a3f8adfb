package pfm

const (
	// overlapDays is how many days before the last success a sync reads again, because
	// pending rows are booked, and bookings arrive, days later.
	overlapDays = 14
	// pendingDays is how long before the first day of a sync a pending row may be, and
	// still be compared with what the bank lists now.
	pendingDays = 45
)

// statement holds a bank's rows of one account.
type statement struct {
	account Account
	// requested is the first day that was requested, from that of the first row if it is
	// earlier.
	requested, from Date
	rows            []Transaction
	// unreadable is how many rows cannot be read. err is set if none can be.
	unreadable int
	err        error
	// signsFound: the account's SignsInverted has just been inferred.
	signsFound bool
}

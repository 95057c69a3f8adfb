package contract

import (
	"cmp"
	"slices"
	"time"

	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
	"aviso/internal/textfold"
)

// Watch looks whether the debits of a cancelled contract stop.
type Watch struct {
	CancellationID string     `json:"-"`
	Owner          owner.User `json:"-"`
	// Stopped: the cancellation came to nothing, so the contract goes on.
	Stopped bool `json:"stopped,omitempty"`
	// SentOn is the day on which the letter was sent. End is the last day of the contract;
	// empty if nobody knows it.
	SentOn pfm.Date `json:"sentOn,omitempty"`
	End    pfm.Date `json:"end,omitempty"`
	// Contract is the contract as it was when the letter was sent. Its ID is empty once its
	// account has been deleted.
	Contract WatchedContract `json:"contract,omitzero"`
	// Last is the last payment that was owed. FinalBill is its ID if it came after the end.
	Last      Debit  `json:"last,omitzero"`
	FinalBill string `json:"finalBill,omitempty"`
	// AfterEnd are the debits after the end, oldest first.
	AfterEnd []Debit      `json:"afterEnd,omitempty"`
	Outcome  WatchOutcome `json:"outcome,omitempty"`
	Reason   WatchReason  `json:"reason,omitempty"`
	// Reports counts the reports to the cancellation.
	Reports int64 `json:"reports,omitempty"`
	// CheckedOn is the day to which the rows after the end have been looked at.
	CheckedOn pfm.Date `json:"checkedOn,omitempty"`
	// DueAt is when housekeeping has the watch looked after; zero if never.
	DueAt   time.Time `json:"dueAt,omitzero"`
	Version int64     `json:"-"`
}

// WatchedContract is what a watch has to know of a Subscription.
type WatchedContract struct {
	SubscriptionID string       `json:"id"`
	AccountID      string       `json:"account"`
	Merchant       pfm.Merchant `json:"merchant"`
	Subcategory    int          `json:"category"`
	// Amount is negative, YearlyCost positive.
	Amount       money.Amount          `json:"amount"`
	YearlyCost   money.Amount          `json:"yearlyCost"`
	Currency     string                `json:"currency"`
	Frequency    transaction.Frequency `json:"frequency"`
	TimesPerYear int                   `json:"timesPerYear"`
	MandateID    string                `json:"mandate,omitempty"`
}

// Debit is a payment for a watched contract.
type Debit struct {
	TransactionID string       `json:"transactionId"`
	Date          pfm.Date     `json:"date"`
	Amount        money.Amount `json:"amount"`
	Currency      string       `json:"currencyCode"`
	// RefundID is the transaction that paid it back; empty if none did.
	RefundID string `json:"refundTransactionId,omitempty"`
}

// WatchOutcome is whether the debits have stopped.
type WatchOutcome string

// The outcomes.
const (
	WatchWaiting      WatchOutcome = "Waiting"
	WatchStillDebited WatchOutcome = "StillDebited"
	WatchEnded        WatchOutcome = "Ended"
	WatchUnknown      WatchOutcome = "Unknown"
)

// WatchReason is the reason for an outcome.
type WatchReason string

// The reasons.
const (
	// With WatchWaiting.
	WatchNotEnded  WatchReason = "ContractRuns"
	WatchQuiet     WatchReason = "NoDebitSince"
	WatchFinalBill WatchReason = "FinalBill"
	WatchRefunded  WatchReason = "Refunded"
	// With WatchStillDebited.
	WatchDebited WatchReason = "DebitAfterEnd"
	// With WatchEnded.
	WatchStoppedDebits WatchReason = "DebitsStopped"
	// With WatchUnknown.
	WatchConnectionLost WatchReason = "ConnectionLost"
	WatchDataOutdated   WatchReason = "DataOutdated"
	WatchAccountDeleted WatchReason = "AccountDeleted"
)

const (
	// watchEvery is the time between two looks at a watch if no sync comes before.
	watchEvery = 24 * time.Hour
	// outdatedDays is after how many days without a sync nobody knows what happened.
	outdatedDays = 7
	// watchedDays is for how long after the end a debit is looked for.
	watchedDays = 400
	// lateDays is how many days after the end a payment may be booked that was due before it.
	lateDays = 5
	// refundDays is how many days before the debit a refund may have been booked.
	refundDays = 2
)

// watchView is what is seen of the user's accounts.
type watchView struct {
	today pfm.Date
	// rows are those of all accounts since from, ours the IDs of the contract's known
	// payments, others those of the user's other contracts.
	from         pfm.Date
	rows         []transaction.Transaction
	ours, others map[string]bool
	// lost is the reason if the contract's account is not read any longer, and readTo the day
	// to which it has been.
	lost   WatchReason
	readTo pfm.Date
}

// end returns the last day of the contract. If nobody knows it, that is one period after the
// letter was sent.
func (w Watch) end() pfm.Date {
	if w.End != "" {
		return w.End
	}
	return w.Contract.after(w.SentOn, 1)
}

// lookFrom returns the day since which rows may say something new, and empty if none do yet.
func (w Watch) lookFrom(today pfm.Date) pfm.Date {
	switch {
	case today <= w.end():
		return ""
	case w.CheckedOn == "":
		return w.Last.Date
	default:
		return w.CheckedOn.AddDays(-transaction.PendingDays)
	}
}

// OpenUntil returns the last day on which debits are looked for.
func (w Watch) OpenUntil() pfm.Date {
	if w.Stopped || w.Contract.SubscriptionID == "" {
		return ""
	}
	return max(w.end(), w.silence()).AddDays(watchedDays)
}

// after returns the day n periods after a day.
func (c WatchedContract) after(day pfm.Date, n int) pfm.Date {
	all := cadences()
	i := slices.IndexFunc(all, func(a cadence) bool { return a.perYear == c.TimesPerYear })
	return dateOf(all[i].after(dayOf(day), n))
}

// silence returns the day by which the debits have stopped if no more come: one and a half
// periods after the last one, and not before half a period after the end.
func (w Watch) silence() pfm.Date {
	last := w.Last.Date
	if n := len(w.AfterEnd); n > 0 {
		last = max(last, w.AfterEnd[n-1].Date)
	}
	return max(w.Contract.after(last, 1), w.end()).AddDays(364 / w.Contract.TimesPerYear / 2)
}

// isLate reports whether a payment after the end was due before it, and booked late.
func (w Watch) isLate(day pfm.Date) bool {
	end := w.end()
	if day > end.AddDays(lateDays) {
		return false
	}
	due, next := w.Last.Date, w.Contract.after(w.Last.Date, 1)
	for n := 2; next <= day; n++ {
		due, next = next, w.Contract.after(w.Last.Date, n)
	}
	return due > w.Last.Date && due <= end && day.Time().Sub(due.Time()) < next.Time().Sub(day.Time())
}

// inArrears reports whether such contracts are paid after the period, by what was used.
func (c WatchedContract) inArrears() bool {
	return c.Subcategory == pfm.HousingUtilities || c.Subcategory == pfm.HousingTelecom
}

// look updates the watch with what is seen of the accounts. It depends on the watch and the
// rows only, so looking twice changes nothing.
func (w *Watch) look(v watchView) {
	end := w.end()
	if v.today > end {
		w.AfterEnd = slices.DeleteFunc(slices.Clone(w.AfterEnd), func(d Debit) bool { return d.Date >= v.from })
		for _, t := range v.rows {
			if w.isDebit(t, v) {
				w.add(debitOf(t))
			}
		}
		w.joinRefunds(v.rows)
		w.CheckedOn = v.today
	}
	w.Outcome, w.Reason = w.judge(v, end)
}

// add sorts a debit into those that were owed and those after the end.
func (w *Watch) add(d Debit) {
	end := w.end()
	owed := d.Date <= end || d.TransactionID == w.FinalBill || w.isLate(d.Date)
	if !owed && w.FinalBill == "" && w.Contract.inArrears() && d.Date <= w.Contract.after(end, 1).AddDays(lateDays) {
		owed, w.FinalBill = true, d.TransactionID
	}
	switch {
	case d.TransactionID == w.Last.TransactionID:
	case !owed:
		w.AfterEnd = append(w.AfterEnd, d)
	case d.Date >= w.Last.Date:
		w.Last = d
	}
}

// isDebit reports whether a row is a payment for the contract: one of its series or, if the
// user pays from another account by now, one to the same merchant that fits it.
func (w Watch) isDebit(t transaction.Transaction, v watchView) bool {
	c := w.Contract
	if t.State != transaction.Cleared || t.Amount.Sign() >= 0 || t.Currency != c.Currency || t.RecordDate < w.Last.Date {
		return false
	}
	if v.ours[t.ID] {
		return true
	}
	return !v.others[t.ID] && c.isWith(t) &&
		(t.Amount.Equal(c.Amount) || t.MandateID != "" && t.MandateID == c.MandateID)
}

// isWith reports whether the contract is with the transaction's merchant.
func (c WatchedContract) isWith(t transaction.Transaction) bool {
	if c.Merchant.ID != "" {
		return t.Merchant.ID == c.Merchant.ID
	}
	return textfold.Name(cmp.Or(t.PartyName, t.Counterparty)) == textfold.Name(c.Merchant.Name)
}

// joinRefunds links the debits after the end to the rows that paid them back in full.
func (w *Watch) joinRefunds(rows []transaction.Transaction) {
	used := map[string]bool{}
	for _, d := range w.AfterEnd {
		used[d.RefundID] = true
	}
	for i, d := range w.AfterEnd {
		for _, t := range rows {
			if d.RefundID == "" && !used[t.ID] && t.State == transaction.Cleared && t.Currency == d.Currency &&
				t.Amount.Equal(d.Amount.Neg()) && t.RecordDate >= d.Date.AddDays(-refundDays) && w.Contract.isWith(t) {
				w.AfterEnd[i].RefundID, used[t.ID] = t.ID, true
				break
			}
		}
	}
}

func (w Watch) judge(v watchView, end pfm.Date) (WatchOutcome, WatchReason) {
	unpaid := slices.ContainsFunc(w.AfterEnd, func(d Debit) bool { return d.RefundID == "" })
	switch {
	case v.lost == WatchAccountDeleted:
		return WatchUnknown, v.lost
	case v.readTo >= w.silence():
		return WatchEnded, WatchStoppedDebits
	case unpaid:
		return WatchStillDebited, WatchDebited
	case v.lost != "":
		return WatchUnknown, v.lost
	case v.today <= end:
		return WatchWaiting, WatchNotEnded
	case len(w.AfterEnd) > 0:
		return WatchWaiting, WatchRefunded
	case w.FinalBill != "":
		return WatchWaiting, WatchFinalBill
	default:
		return WatchWaiting, WatchQuiet
	}
}

// forget removes what came from the account, which has been deleted.
func (w *Watch) forget() {
	w.Contract, w.Last, w.FinalBill, w.AfterEnd = WatchedContract{}, Debit{}, "", nil
	w.Outcome, w.Reason = WatchUnknown, WatchAccountDeleted
}

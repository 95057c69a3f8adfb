package transaction

import (
	"cmp"
	"slices"
	"strings"

	"aviso/internal/textfold"
)

// idsOf returns the IDs that the bank has given a row.
func idsOf(t Transaction) []string {
	ids := make([]string, 0, 2)
	for _, id := range []string{t.BankID, t.EntryReference} {
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// goodIDsOf leaves out IDs that look like a row's place in a list.
func goodIDsOf(t Transaction) []string {
	return slices.DeleteFunc(idsOf(t), func(id string) bool {
		return len(id) < len("10000") && strings.Trim(id, "0123456789") == ""
	})
}

// saysNothing reports whether a bank sends an ID because it has to send one.
func saysNothing(id string) bool {
	switch textfold.Name(id) {
	case "notprovided", "not provided", "nonref", "none", "null", "na", "n a", "unknown", "undefined":
		return true
	}
	return strings.Trim(id, "0- ") == ""
}

func contentOfRow(t Transaction) []string { return []string{t.Content} }

// entriesOf returns a key of the row's content and day.
func entriesOf(t Transaction) []string { return []string{contentAndDay(t)} }

func contentAndDay(t Transaction) string { return t.Content + string(t.RecordDate) }

func amountOf(t Transaction) []string { return []string{amountKey(t)} }

func amountKey(t Transaction) string { return canonical(t.Amount) + t.Currency }

// partyOf returns the counterparty or, if there is none, the text.
func partyOf(t Transaction) []string {
	if name := textfold.Name(cmp.Or(t.Counterparty, t.Note)); name != "" {
		return []string{name}
	}
	return nil
}

// allRows is one key for all rows.
func allRows(Transaction) []string { return []string{""} }

func sameAmount(a, b Transaction) bool { return a.Currency == b.Currency && a.Amount.Equal(b.Amount) }

func sameBalance(a, b Transaction) bool {
	return a.BalanceAfter != "" && a.BalanceAfter == b.BalanceAfter
}

// areOpposite reports whether one is an expense and the other an income. Some banks send a pending
// expense as zero.
func areOpposite(a, b Transaction) bool { return a.Amount.Sign()*b.Amount.Sign() < 0 }

// sameDirection reports whether both may be expenses or incomes. Some banks send a pending
// expense without its minus.
func sameDirection(a, b Transaction) bool {
	return !areOpposite(a, b) || a.Amount.Equal(b.Amount.Neg())
}

// closeAmounts reports whether the larger amount is at most half as much again, as with
// a tip.
func closeAmounts(a, b Transaction) bool {
	small, large := absolute(a.Amount), absolute(b.Amount)
	if small.Cmp(large) > 0 {
		small, large = large, small
	}
	more, err := large.Add(small.Neg())
	if err != nil {
		return false
	}
	twice, err := more.Add(more)
	return err == nil && a.Amount.Sign() == b.Amount.Sign() && twice.Cmp(small) <= 0
}

// sameDay reports whether a row may still be of the day that we know.
func sameDay(k, f Transaction) bool { return f.DayGuessed || k.RecordDate == f.RecordDate }

// near reports whether a row can have moved from one day to the other.
func near(k, f Transaction, days int) bool { return f.DayGuessed || daysBetween(k, f) <= days }

// looksLike reports whether two rows of one amount may be the same purchase.
func looksLike(a, b Transaction) bool { return a.Content == b.Content || alike(a, b) }

// alike reports whether two rows have similar counterparties or texts.
func alike(a, b Transaction) bool {
	return shareMost(words(a.Counterparty), words(b.Counterparty)) ||
		shareMost(words(a.Counterparty+" "+a.Note), words(b.Counterparty+" "+b.Note))
}

// shareMost reports whether most words of the shorter text are in the other one, too.
func shareMost(some, other map[string]bool) bool {
	shared := 0
	for word := range some {
		if other[word] {
			shared++
		}
	}
	return shared > 0 && 3*shared > 2*min(len(some), len(other))
}

// words returns the words of a text without those that have digits, because banks add
// times, terminals and references.
func words(text string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(textfold.Name(text)) {
		if len(word) > 1 && !strings.ContainsAny(word, "0123456789") {
			all[word] = true
		}
	}
	return all
}

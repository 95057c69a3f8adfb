package transaction

import "slices"

// distinct drops rows that a bank lists twice, and clears IDs that it uses for different
// rows.
func distinct(listed []Transaction) []Transaction {
	repeated := repeatedReferences(listed)
	rows := make([]Transaction, 0, len(listed))
	seen := map[string]int{} // into rows
	for _, f := range listed {
		entry := string(f.State) + contentAndDay(f)
		var keys []string
		if f.BankID != "" {
			keys = append(keys, "id "+f.BankID+entry)
		}
		if f.EntryReference != "" && !repeated[f.EntryReference] {
			keys = append(keys, "reference "+f.EntryReference+entry)
		}
		if f.BalanceAfter != "" {
			keys = append(keys, "balance "+f.BalanceAfter+entry)
		}
		isSeen := slices.ContainsFunc(keys, func(key string) bool {
			i, ok := seen[key]
			return ok && !differ(rows[i].BalanceAfter, f.BalanceAfter)
		})
		if isSeen {
			continue
		}
		for _, key := range keys {
			seen[key] = len(rows)
		}
		rows = append(rows, f)
	}
	rows = withoutBooked(rows)
	users := map[string]int{}
	for _, f := range rows {
		for _, id := range idsOf(f) {
			users[id]++
		}
	}
	for i := range rows {
		if users[rows[i].BankID] > 1 {
			rows[i].BankID = ""
		}
		if users[rows[i].EntryReference] > 1 {
			rows[i].EntryReference = ""
		}
	}
	return rows
}

// differ reports whether two rows say different things.
func differ(a, b string) bool { return a != "" && b != "" && a != b }

// repeatedReferences returns the references that several payments have in common, such
// as that of a standing order.
func repeatedReferences(rows []Transaction) map[string]bool {
	entries, repeated := map[string]string{}, map[string]bool{}
	for _, f := range rows {
		entry := contentAndDay(f)
		if first, ok := entries[f.EntryReference]; ok && first != entry && f.State == Cleared {
			repeated[f.EntryReference] = true
		}
		entries[f.EntryReference] = entry
	}
	return repeated
}

// withoutBooked drops pending rows that are also listed as booked, under the same ID. The
// text may differ, or the amount.
func withoutBooked(rows []Transaction) []Transaction {
	isOpen := func(f Transaction) bool { return f.State != Cleared }
	if !slices.ContainsFunc(rows, isOpen) {
		return rows
	}
	booked := map[string][]Transaction{}
	for _, f := range rows {
		if !isOpen(f) {
			for _, id := range idsOf(f) {
				booked[id] = append(booked[id], f)
			}
		}
	}
	return slices.DeleteFunc(rows, func(f Transaction) bool {
		isBooking := func(b Transaction) bool { return sameAmount(b, f) || alike(b, f) }
		return isOpen(f) && slices.ContainsFunc(idsOf(f), func(id string) bool {
			return slices.ContainsFunc(booked[id], isBooking)
		})
	})
}

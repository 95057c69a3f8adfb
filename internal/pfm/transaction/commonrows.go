package transaction

// HaveCommonRows reports whether the rows that a bank lists are those of a known account. At least half of the known
// booked rows of their days must be among them.
func HaveCommonRows(known, listed []Transaction) bool {
	if len(listed) == 0 {
		return len(known) == 0
	}
	sorted := inOrder(listed)
	first, last := sorted[0].RecordDate, sorted[len(sorted)-1].RecordDate
	taken := make([]bool, len(sorted))
	all, common := 0, 0
	for _, row := range known {
		if row.State != Cleared || row.RecordDate < first || row.RecordDate > last {
			continue
		}
		all++
		for i, other := range sorted {
			isSame := row.Amount.Equal(other.Amount) || row.BankID != "" && row.BankID == other.BankID
			if !taken[i] && isSame && row.RecordDate == other.RecordDate {
				taken[i] = true
				common++
				break
			}
		}
	}
	return common > 0 && common*2 >= all
}

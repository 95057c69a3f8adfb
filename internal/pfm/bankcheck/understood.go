package bankcheck

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"aviso/internal/pfm"
)

// checkRead looks at what Aviso makes of an account's rows.
func checkRead(r *Report, profile pfm.Profile, a pfm.InspectedAccount, sent []sentRow) {
	if a.Err != nil {
		r.add(rowsRefused, inWords(a.Err), nil)
		return
	}
	positive, negative, foreign, billed := 0, 0, 0, 0
	pending, turned, expenses := 0, 0, 0
	for _, row := range a.Rows {
		if row.Amount.Sign() < 0 {
			negative++
		} else {
			positive++
		}
		if row.Currency != a.Currency && a.Currency != pfm.MultiCurrency {
			foreign++
		}
		if row.State == pfm.Uncleared {
			pending++
			if row.Amount.Sign() < 0 {
				expenses++
			}
		}
	}
	for _, row := range ofAccount(sent, a) {
		day := row.text("bookingDate")
		if row.booked && strings.HasSuffix(day, "-01") && isDay(day) {
			billed++
		}
		if !row.booked && !strings.HasPrefix(row.inner("transactionAmount").text("amount"), "-") &&
			row.text("creditDebitIndicator") == "" {
			turned++
		}
	}
	isCard := a.Type == pfm.AccountCreditCard
	switch {
	case !isCard || profile.CardSigns != "":
	case a.SignsInverted:
		r.add(cardSigns, "purchases on a card are positive", nil)
	case positive > 2*negative && positive >= 3:
		r.add(cardSignsUnclear, fmt.Sprintf("%d of %d rows of a card are positive", positive, len(a.Rows)),
			map[string]any{"profile.cardSigns": string(pfm.SignsInverted)})
	}
	switch {
	case turned == 0 || turned < pending || isCard && a.SignsInverted || profile.PendingSigns != "":
	case expenses > 0:
		r.add(pendingSigns, fmt.Sprintf("%d pending rows, none of them with a minus", pending), nil)
	default:
		r.add(pendingUnclear, fmt.Sprintf("%d pending rows, none of them with a minus", pending),
			map[string]any{"profile.pendingSigns": string(pfm.SignsMissing)})
	}
	if foreign > 0 {
		r.add(foreignAmount, fmt.Sprintf("%d of %d rows are not in the account's currency", foreign, len(a.Rows)), nil)
	}
	if isCard && billed >= 2 && billed == bookedOf(sent, a) {
		r.add(monthlyBill, fmt.Sprintf("all %d booked rows of a card are of the first of a month", billed), nil)
	}
}

// ofAccount returns the rows of an account.
func ofAccount(sent []sentRow, a pfm.InspectedAccount) (rows []sentRow) {
	for _, row := range sent {
		if strings.Contains(row.account, a.ResourceID+"/") {
			rows = append(rows, row)
		}
	}
	return rows
}

func bookedOf(sent []sentRow, a pfm.InspectedAccount) (n int) {
	for _, row := range ofAccount(sent, a) {
		if row.booked {
			n++
		}
	}
	return n
}

// id is the first ID of a row.
func (row sentRow) id() string {
	return orWord(orWord(row.text("transactionId"), row.text("cardTransactionId")), row.text("entryReference"))
}

// content is what a row is about, without its IDs.
func (row sentRow) content() string {
	parts := []string{row.account}
	for _, name := range []string{
		"transactionAmount", "bookingDate", "valueDate", "transactionDate", "creditorName", "debtorName",
		"remittanceInformationUnstructured", "remittanceInformationUnstructuredArray", "balanceAfterTransaction",
	} {
		parts = append(parts, string(row.object[name]))
	}
	return strings.Join(parts, "\n")
}

// checkIDs looks at the IDs of booked rows.
func checkIDs(r *Report, rows []sentRow) {
	positional := regexp.MustCompile(`^(\d{4}-?\d\d-?\d\d[-./_]?)?\d{1,4}$`)
	missing, repeated, byPosition, total := 0, 0, 0, 0
	seen := map[string]string{}
	for _, row := range rows {
		if !row.booked {
			continue
		}
		total++
		id := row.id()
		first, known := seen[row.account+"\n"+id]
		switch {
		case id == "":
			missing++
			continue
		case known && first != row.content():
			repeated++
		case positional.MatchString(id):
			byPosition++
		}
		seen[row.account+"\n"+id] = row.content()
	}
	if missing > 0 {
		r.add(idMissing, fmt.Sprintf("%d of %d booked rows have no ID", missing, total), nil)
	}
	if repeated > 0 {
		r.add(idRepeated, fmt.Sprintf("%d of %d booked rows have the ID of another row", repeated, total), nil)
	}
	if byPosition > 1 && byPosition*2 > total {
		r.add(idPositional, fmt.Sprintf("%d of %d booked rows are numbered, some by day", byPosition, total), nil)
	}
}

// againDays is how much of an account is read again to compare it.
const againDays = 30

// readAgain reads the first account with rows once more, and compares the IDs.
func (c *Checker) readAgain(ctx context.Context, r *Report, found pfm.Inspection) {
	i := slices.IndexFunc(found.Accounts, func(a pfm.InspectedAccount) bool { return a.Err == nil && len(a.Rows) > 0 })
	if i < 0 {
		return
	}
	a, before := found.Accounts[i], len(c.seen)
	from := max(a.From, pfm.DateOf(c.now()).AddDays(-againDays))
	for _, err := range c.client.Transactions(ctx, c.Provider.Endpoint, found.Session, a.ResourceID, from) {
		if err != nil {
			r.fact("A second read of an account was refused: " + inWords(err) + ".")
			return
		}
	}
	old, again := map[string]sentRow{}, map[string]sentRow{}
	for n, e := range c.seen {
		into := old
		if n >= before {
			into = again
		}
		for _, row := range sentRows(e) {
			if row.booked && len(ofAccount([]sentRow{row}, a)) == 1 {
				if _, twice := into[row.content()]; twice {
					row = sentRow{} // equal rows tell nothing
				}
				into[row.content()] = row
			}
		}
	}
	compare(r, old, again)
}

// compare reports IDs that differ although the content is the same.
func compare(r *Report, old, again map[string]sentRow) {
	both, changed, otherReference, withReference := 0, 0, 0, 0
	for content, row := range again {
		before, ok := old[content]
		if !ok || before.id() == "" || row.id() == "" {
			continue
		}
		both++
		if before.id() != row.id() {
			changed++
		}
		if before.text("entryReference") != row.text("entryReference") {
			otherReference++
		}
		if row.text("entryReference") != "" {
			withReference++
		}
	}
	if both > 0 {
		r.fact(fmt.Sprintf("Read twice: %d rows compared.", both))
	}
	if changed == 0 {
		return
	}
	stable := pfm.IDNone
	if otherReference == 0 && withReference == both {
		stable = pfm.IDEntry
	}
	r.add(idChanges, fmt.Sprintf("the ID of %d of %d rows is another one at the next read", changed, both),
		map[string]any{"profile.rowId": string(stable)})
}

// usualHistories are the days of history that banks have, counted in both ways.
func usualHistories() []int { return []int{730, 729, 547, 365, 364, 180, 179} }

// lookForHistory finds the longest history of an account for which the bank refused what
// was requested, among the usual ones.
func (c *Checker) lookForHistory(ctx context.Context, r *Report, found pfm.Inspection) {
	today := pfm.DateOf(c.now())
	i := slices.IndexFunc(found.Accounts, func(a pfm.InspectedAccount) bool {
		return a.Err == nil && a.From > today.AddDays(-c.Provider.MaxFetchInterval)
	})
	if i < 0 {
		return
	}
	a := found.Accounts[i]
	longest := int(today.Time().Sub(a.From.Time()).Hours() / 24)
	for _, days := range usualHistories() {
		if days >= c.Provider.MaxFetchInterval || days <= longest {
			continue
		}
		if c.accepts(ctx, found.Session, a.ResourceID, today.AddDays(-days)) {
			longest = days
		}
	}
	r.add(historyShort, fmt.Sprintf("%d days are refused, %d are accepted", c.Provider.MaxFetchInterval, longest),
		map[string]any{"maxFetchInterval": longest})
}

// accepts reports whether the bank lists an account's rows since a day.
func (c *Checker) accepts(ctx context.Context, s pfm.Session, resourceID string, from pfm.Date) bool {
	for _, err := range c.client.Transactions(ctx, c.Provider.Endpoint, s, resourceID, from) {
		return err == nil
	}
	return true // there are no rows
}

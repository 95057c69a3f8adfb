package bankcheck

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/transaction"
)

// checkConsent compares the consent with what was requested.
func (c *Checker) checkConsent(r *Report, consent pfm.Consent) {
	days := 1 - c.daysSince(consent.ValidUntil) // today and the last day count
	if consent.ValidUntil != "" && days < c.Provider.ConsentDays() {
		r.add(Setting, "consent-shorter", fmt.Sprintf("%d days are requested, %d are granted", c.Provider.ConsentDays(), days),
			"The bank's day counts. Partners see the right length of consents if maxConsentDays has it.",
			map[string]any{"maxConsentDays": days})
	}
}

// checkAccounts says what a first sync reads, and what of it is missing.
func (c *Checker) checkAccounts(r *Report, found connection.Inspection) {
	if found.Incomplete > 0 {
		r.add(Lost, "account-unreadable", fmt.Sprintf("%d of %d accounts cannot be read in full", found.Incomplete, found.Listed),
			"The others are read. Partners see PartialData with the number of accounts.", nil)
	}
	checkBalances(r, found.Accounts)
	for _, a := range found.Accounts {
		if a.Err != nil {
			r.add(Lost, "rows-refused", inWords(a.Err),
				"The other accounts are read; this one is asked for again by each sync.", nil)
			continue
		}
		checkRows(r, a, c.Provider.Profile)
	}
}

// standardBalances are the types of balance that the standard has.
const standardBalances = "closingBooked expected openingBooked interimAvailable interimBooked forwardAvailable nonInvoiced"

func checkBalances(r *Report, accounts []connection.InspectedAccount) {
	without, unknown := 0, map[string]bool{}
	isType := regexp.MustCompile(`^[A-Za-z]{1,40}$`)
	for _, a := range accounts {
		if len(a.Balances) == 0 {
			without++
		}
		for _, b := range a.Balances {
			if isType.MatchString(b.Type) && !slices.Contains(strings.Fields(standardBalances), b.Type) {
				unknown[b.Type] = true
			}
		}
	}
	if without > 0 {
		r.add(Lost, "balance-missing", fmt.Sprintf("%d of %d accounts have no balance that can be read", without, len(accounts)),
			"The account's balance is 0.", nil)
	}
	if types := slices.Sorted(maps.Keys(unknown)); len(types) > 0 {
		r.add(Decide, "balance-types", "balances of the types "+strings.Join(types, ", "),
			"They come after those of the standard that are booked or expected. Set the order if the wrong one is shown.",
			map[string]any{"profile.balances": types})
	}
}

// checkRows looks at what Aviso makes of an account's rows.
func checkRows(r *Report, a connection.InspectedAccount, profile pfm.Profile) {
	count := func(holds func(transaction.Transaction) bool) (n int) {
		for _, t := range a.Rows {
			if holds(t) {
				n++
			}
		}
		return n
	}
	all, isPending := len(a.Rows), func(t transaction.Transaction) bool { return t.State == transaction.Uncleared }
	pending := count(isPending)
	r.Facts = append(r.Facts, fmt.Sprintf("%s in %s: %d rows since %s, %d of them pending.", a.Type, a.Currency, all, a.From, pending))
	if n := a.Unreadable; n > 0 {
		r.add(Lost, "row-unreadable", fmt.Sprintf("%d of %d rows of an account", n, all+n),
			"The other rows are read. Partners see PartialData with the number of rows.", nil)
	}
	// look adds a finding if at least so many rows are like that.
	look := func(least int, holds func(transaction.Transaction) bool, level Level, code, what, aviso string, settings map[string]any) {
		if n := count(holds); n > 0 && n >= least {
			r.add(level, code, fmt.Sprintf("%d of %d rows of an account %s", n, all, what), aviso, settings)
		}
	}
	look(1, func(t transaction.Transaction) bool { return t.Note == "" && t.Counterparty == "" }, Lost, "text-missing",
		"have neither a text nor a name", "Such rows are kept. Their category is unknown, unless a code tells it.", nil)
	// Fees and interest have no counterparty.
	look(all/2+1, func(t transaction.Transaction) bool { return t.Note != "" && t.Counterparty == "" },
		Decide, "names-missing", "have no name of a counterparty",
		"The payee is looked for in the text. If it is among fixed words that the rules do not know, set texts.", nil)
	look(1, func(t transaction.Transaction) bool { return t.DayGuessed }, Decide, "date-guessed", "have no day that has come",
		"The day on which Aviso saw the row first counts, and stays. Set date if another field has it.", nil)
	if a.Type == pfm.AccountCreditCard && profile.CardSigns == "" && !a.SignsInverted {
		look(max(3, all*2/3+1), func(t transaction.Transaction) bool { return t.Amount.Sign() >= 0 },
			Decide, "card-signs-unclear", "are positive, and it is a card",
			"Nothing in the rows says what they are, so the signs stay. Turn them if these are purchases.",
			map[string]any{"profile.cardSigns": string(pfm.SignsInverted)})
	}
	if profile.PendingSigns == "" && !a.SignsInverted {
		look(pending, func(t transaction.Transaction) bool { return isPending(t) && t.Amount.Sign() >= 0 },
			Decide, "pending-signs-unclear", "are pending, none of them with a minus",
			"Nothing says that they are purchases, so they count as income. Set it if they are expenses.",
			map[string]any{"profile.pendingSigns": string(pfm.SignsMissing)})
	}
}

// againDays is how much of the accounts is read again to compare it.
const againDays = 30

// readAgain reads the last rows once more, also those of card accounts that nothing leads
// to, and compares the IDs.
func (c *Checker) readAgain(ctx context.Context, r *Report, found connection.Inspection) {
	p := c.Provider
	p.MaxFetchInterval, p.Profile.CardAccounts = min(againDays, p.MaxFetchInterval), true
	again, err := connection.Inspect(ctx, c.client, p, found.Session, c.Client.Now)
	if err != nil {
		r.Facts = append(r.Facts, "A second read was refused: "+inWords(err)+".")
		return
	}
	if more := again.Listed - found.Listed; more > 0 {
		r.add(Setting, "card-accounts-apart", fmt.Sprintf("%d accounts at /card-accounts, to which the consent has no link", more),
			"Cards are read if the consent links them, or if the profile says so.", map[string]any{"profile.cardAccounts": true})
	}
	before, both, changed, stable := contents(found), 0, 0, pfm.IDEntry
	for content, row := range contents(again) {
		old, ok := before[content]
		if !ok || old.BankID == "" || row.BankID == "" {
			continue
		}
		both++
		if old.BankID != row.BankID {
			changed++
		}
		if row.EntryReference == "" || row.EntryReference != old.EntryReference {
			stable = pfm.IDNone
		}
	}
	if changed > 0 {
		r.add(Setting, "row-id-changes", fmt.Sprintf("the ID of %d of %d rows is another one at the next read", changed, both),
			"Rows are recognised by their content, which equal rows do not have. Set the ID that stays.",
			map[string]any{"profile.rowId": string(stable)})
	}
}

// contents returns the booked rows by what they are about, without those that are equal.
func contents(found connection.Inspection) map[string]transaction.Transaction {
	rows := map[string]transaction.Transaction{}
	for _, a := range found.Accounts {
		for _, row := range a.Rows {
			content := strings.Join([]string{a.ResourceID, row.Content, string(row.RecordDate), row.BalanceAfter}, "\n")
			if _, twice := rows[content]; twice || row.State != transaction.Cleared {
				row = transaction.Transaction{}
			}
			rows[content] = row
		}
	}
	return rows
}

// lookForHistory finds the longest history of an account for which the bank refused what
// was requested, among those that banks usually have, counted in both ways.
func (c *Checker) lookForHistory(ctx context.Context, r *Report, found connection.Inspection) {
	for _, a := range found.Accounts {
		longest, wanted := c.daysSince(a.From), c.Provider.MaxFetchInterval
		if a.Err != nil || longest >= wanted {
			continue
		}
		for _, days := range []int{730, 729, 547, 365, 364, 180, 179} {
			if days < wanted && days > longest && c.accepts(ctx, found.Session, a.ResourceID, days) {
				longest = days
			}
		}
		r.add(Setting, "history-short", fmt.Sprintf("%d days are refused, %d are accepted", wanted, longest),
			"Only 90, 89 or 30 days are read if more is refused. With maxFetchInterval, all of it is.",
			map[string]any{"maxFetchInterval": longest})
		return
	}
}

// accepts reports whether the bank lists an account's rows of so many days.
func (c *Checker) accepts(ctx context.Context, s pfm.Session, resourceID string, days int) bool {
	for _, err := range c.client.Transactions(ctx, c.Provider.Endpoint, s, resourceID, c.today().AddDays(-days)) {
		return err == nil
	}
	return true // there are no rows
}

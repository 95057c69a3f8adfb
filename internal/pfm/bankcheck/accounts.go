package bankcheck

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"aviso/internal/pfm"
)

// sentAccounts returns the accounts that the bank has listed, as it sent them.
func (c *Checker) sentAccounts() (all []object) {
	for _, e := range c.of("list accounts") {
		if isOK(e) {
			answer := parse(e.Body)
			all = append(append(all, answer.list("accounts")...), answer.list("cardAccounts")...)
		}
	}
	return all
}

// standardBalances are the types of balance that the standard has.
func standardBalances() []string {
	return []string{
		"closingBooked", "expected", "openingBooked", "interimAvailable", "interimBooked", "forwardAvailable", "nonInvoiced",
	}
}

// checkAccounts looks at the accounts and their balances.
func (c *Checker) checkAccounts(r *Report, found pfm.Inspection) {
	lists := c.of("list accounts")
	if len(lists) == 0 {
		return
	}
	if len(lists) > 1 && lists[0].Status >= http.StatusBadRequest && lists[0].URL.RawQuery != "" && isOK(lists[1]) {
		r.add(withBalanceRefused, fmt.Sprintf("withBalance=true is refused with %d", lists[0].Status), nil)
	}
	sent := c.sentAccounts()
	if len(sent) == 0 && slices.ContainsFunc(lists, isOK) {
		r.add(noAccounts, "the list of accounts is empty", nil)
	}
	number := counter{of: len(sent), noun: "accounts"}
	for _, a := range sent {
		number.add(a)
	}
	number.report(r)
	if found.Incomplete > 0 {
		r.add(accountUnreadable, fmt.Sprintf("%d of %d accounts cannot be read in full", found.Incomplete, found.Listed), nil)
	}
	c.checkKinds(r, found, sent)
	c.checkBalances(r, found)
}

// counter counts the deviations of accounts.
type counter struct {
	of   int
	noun string

	noID, noCurrency, noNumber, noIBAN, apart int
}

func (n *counter) add(a object) {
	has := a.has
	if !has("resourceId") {
		n.noID++
	}
	if !has("currency") {
		n.noCurrency++
	}
	if !has("iban") && !has("bban") && !has("maskedPan") && !has("pan") && !has("msisdn") {
		n.noNumber++
	}
	if iban := strings.TrimSpace(a.text("iban")); iban != "" && (iban[0] < 'A' || strings.ContainsAny(iban, "*•#")) {
		n.noIBAN++
	}
	if len(a["balances"]) == 0 {
		n.apart++
	}
}

func (n *counter) report(r *Report) {
	for _, finding := range []struct {
		code  Code
		count int
		what  string
	}{
		{accountNoID, n.noID, "without resourceId"},
		{accountNoCurrency, n.noCurrency, "without currency"},
		{accountNoNumber, n.noNumber, "without any number"},
		{ibanNoIBAN, n.noIBAN, "with another number in the field iban"},
		{balancesApart, n.apart, "without balances in the list"},
	} {
		if finding.count > 0 {
			r.add(finding.code, fmt.Sprintf("%d of %d %s %s", finding.count, n.of, n.noun, finding.what), nil)
		}
	}
}

// checkKinds compares what accounts are with what the bank calls them.
func (c *Checker) checkKinds(r *Report, found pfm.Inspection, sent []object) {
	if len(found.Accounts) == 0 {
		return
	}
	types := map[pfm.AccountType]int{}
	for _, a := range found.Accounts {
		types[a.Type]++
		i := slices.IndexFunc(sent, func(o object) bool { return o.text("resourceId") == a.ResourceID })
		if a.Type == pfm.AccountCreditCard && i >= 0 && !strings.EqualFold(sent[i].text("cashAccountType"), "CARD") {
			r.add(cardAsAccount, "a card account has the type "+orWord(word(sent[i].text("cashAccountType")), "none"), nil)
		}
	}
	var kinds []string
	for _, t := range slices.Sorted(maps.Keys(types)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", types[t], t))
	}
	r.fact(fmt.Sprintf("Accounts: %d (%s).", len(found.Accounts), strings.Join(kinds, ", ")))
}

func (c *Checker) checkBalances(r *Report, found pfm.Inspection) {
	var unknown []string
	without := 0
	for _, a := range found.Accounts {
		if len(a.Balances) == 0 {
			without++
		}
		for _, b := range a.Balances {
			kind := orWord(word(b.Type), "(none)")
			if !slices.Contains(standardBalances(), b.Type) && !slices.Contains(unknown, kind) {
				unknown = append(unknown, kind)
			}
		}
	}
	if without > 0 {
		r.add(balanceMissing, fmt.Sprintf("%d of %d accounts have no balance that can be read", without, len(found.Accounts)), nil)
	}
	if len(unknown) > 0 {
		r.add(balanceTypes, "balances of the types "+strings.Join(unknown, ", "), map[string]any{"profile.balances": unknown})
	}
}

// lookForCards looks for card accounts that nothing leads to.
func (c *Checker) lookForCards(ctx context.Context, r *Report, session pfm.Session) {
	if session.CardAccounts {
		return
	}
	before := len(c.seen)
	session.CardAccounts = true
	_, err := c.client.Accounts(ctx, c.Provider.Endpoint, session)
	probes := c.seen[before:]
	c.seen = c.seen[:before] // a refusal of what nothing leads to is none of the bank's deviations
	if err != nil {
		return
	}
	for _, e := range probes {
		if cards := parse(e.Body).list("cardAccounts"); isOK(e) && len(cards) > 0 {
			r.add(cardsApart, fmt.Sprintf("%d accounts at /card-accounts, to which the consent has no link", len(cards)),
				map[string]any{"profile.cardAccounts": true})
		}
	}
}

package xs2a

import (
	"context"
	"net/url"
	"slices"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// Accounts lists the accounts that can be read under the consent. It leaves out accounts without a resource ID, which
// cannot be read. It also leaves out multi-currency accounts whose sub-accounts are listed, because their rows would
// count twice.
func (c *Client) Accounts(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) ([]pfm.BankAccount, error) {
	r := read(bank, s, listAccounts, "accounts")
	if !s.NoBalances {
		r.query = "withBalance=true"
	}
	listed, err := c.accounts(ctx, r)
	// The balances of some accounts may not be granted.
	if isAsked := r.query != ""; isAsked && (refusesRows(err) || pfm.FailureOf(err).Kind == pfm.SupplierConsentInvalid) {
		r.query = ""
		listed, err = c.accounts(ctx, r)
	}
	if err != nil {
		return nil, err
	}
	if s.CardAccounts {
		cards, err := c.cards(ctx, bank, s, listed)
		if err != nil {
			return nil, err
		}
		listed = append(listed, cards...)
	}
	accounts := make([]pfm.BankAccount, 0, len(listed))
	for _, l := range listed {
		switch {
		case len(l.account.Balances) > 0 || l.account.ResourceID == "":
		case s.NoBalances:
			l.account.Incomplete = true
		default:
			r := read(bank, s, readBalances, accountPath(l.account.ResourceID, "balances")...)
			r.link = l.balances
			l.account.Balances, err = c.balances(ctx, r)
			// Rows can be read without a balance, unless nothing answers.
			if e := pfm.FailureOf(err); e.Kind == pfm.SupplierUnavailable && e.Status == 0 {
				return nil, err
			}
			l.account.Incomplete = l.account.Incomplete || err != nil
		}
		accounts = append(accounts, l.account)
	}
	return accounts, nil
}

// listedAccount is an account, with the address of its balances if the bank links it.
type listedAccount struct {
	account  pfm.BankAccount
	balances string
}

func (c *Client) accounts(ctx context.Context, r request) (listed []listedAccount, err error) {
	var w struct {
		Accounts *[]bankwire.Object `json:"accounts"`
		Cards    *[]bankwire.Object `json:"cardAccounts"`
	}
	err = c.do(ctx, r, &w, func(at *url.URL) error {
		switch {
		case w.Accounts != nil:
			listed = readAccounts(r.bank, at, *w.Accounts, false)
		case w.Cards != nil:
			listed = readAccounts(r.bank, at, *w.Cards, true)
		default:
			return bankwire.ErrMalformed
		}
		return nil
	})
	return listed, err
}

// readAccounts reads accounts one by one, so that an unreadable one does not affect the others.
func readAccounts(bank pfm.BankEndpoint, at *url.URL, list []bankwire.Object, isCard bool) []listedAccount {
	listed := make([]listedAccount, 0, len(list))
	for _, w := range list {
		id := w.Text("resourceId")
		switch {
		case w == nil, id != "" && !isIdentifier(id):
			listed = append(listed, listedAccount{account: pfm.BankAccount{Incomplete: true}})
		case w.Text("status") == "deleted": // the user closed it; some banks list such accounts for years
		case id != "" && !isSummary(w, list):
			l := listedAccount{account: readAccount(w, isCard)}
			if to, err := follow(bank, at, href(w.At("_links"), "balances")); err == nil {
				l.balances = to.String()
			}
			listed = append(listed, l)
		}
	}
	return listed
}

func readAccount(w bankwire.Object, isCard bool) pfm.BankAccount {
	balances, isComplete := convertBalances(bankwire.Get[[]bankwire.Object](w, "balances"))
	currency, _ := w.Currency()
	a := pfm.BankAccount{
		ResourceID:      w.Text("resourceId"),
		IBAN:            bankwire.Compact(w.Text("iban")),
		BBAN:            bankwire.Compact(w.Text("bban")),
		MaskedPAN:       w.Text("maskedPan"),
		Currency:        currency,
		Name:            w.Text("displayName", "name"),
		Product:         w.Text("product"),
		CashAccountType: w.Text("cashAccountType"),
		Balances:        balances,
		Incomplete:      !isComplete && len(balances) == 0,
	}
	if isCard {
		a.ResourceID, a.CashAccountType = cardList+"/"+a.ResourceID, "CARD"
		a.SignsInverted = bankwire.Get[bool](w, "debitAccounting")
	}
	return a
}

// balances reads an account's balances from the bank's link, or else from the standard's address.
func (c *Client) balances(ctx context.Context, r request) (balances []pfm.BankBalance, err error) {
	var w struct {
		Balances *[]bankwire.Object `json:"balances"`
	}
	err = c.do(ctx, r, &w, func(*url.URL) error {
		if w.Balances == nil {
			return bankwire.ErrMalformed
		}
		var isComplete bool
		if balances, isComplete = convertBalances(*w.Balances); !isComplete && len(balances) == 0 {
			return bankwire.ErrMalformed
		}
		return nil
	})
	return balances, err
}

// convertBalances keeps the bank's order, except that balances with the credit limit come last: a balance of the same
// type without it is the real one. It reports whether all could be read.
func convertBalances(listed []bankwire.Object) (balances []pfm.BankBalance, isComplete bool) {
	var withCredit []pfm.BankBalance
	isComplete = true
	for _, w := range listed {
		amount, currency, ok := w.At("balanceAmount").Amount()
		b := pfm.BankBalance{
			Type: w.Text("balanceType"), Amount: amount, Currency: currency, ReferenceDate: w.Day("referenceDate"),
			CreditLimitIncluded: bankwire.Get[bool](w, "creditLimitIncluded"),
		}
		switch {
		case !ok:
			isComplete = false
		case b.CreditLimitIncluded:
			withCredit = append(withCredit, b)
		default:
			balances = append(balances, b)
		}
	}
	return append(balances, withCredit...), isComplete
}

// isSummary reports whether the account is the sum of others in the list.
func isSummary(w bankwire.Object, all []bankwire.Object) bool {
	isSum := func(w bankwire.Object) bool { return w.Text("currency") == pfm.MultiCurrency }
	iban := bankwire.Compact(w.Text("iban"))
	return isSum(w) && iban != "" && slices.ContainsFunc(all, func(other bankwire.Object) bool {
		return other.Text("resourceId") != "" && !isSum(other) && bankwire.Compact(other.Text("iban")) == iban
	})
}

package enablebanking

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// accountOf returns the identification of an account. The other identification may be a card number.
func accountOf(w bankwire.Object) string {
	other := w.At("other")
	number := other.Text("identification")
	if other.Text("scheme_name") == "CPAN" {
		number = masked(number)
	}
	return cmp.Or(bankwire.Compact(w.Text("iban")), number)
}

// convert returns an account. Only a closed or blocked account has no ID.
func convert(w bankwire.Object) pfm.BankAccount {
	own := w.At("account_id")
	// in returns the account's identification in a scheme, such as BBAN or CPAN (a card number).
	in := func(scheme string) string {
		all := bankwire.Get[bankwire.List[bankwire.Object]](w, "all_account_ids")
		for _, one := range append(all, own.At("other")) {
			if id := one.Text("identification"); id != "" && one.Text("scheme_name") == scheme {
				return id
			}
		}
		return ""
	}
	kind := w.Text("cash_account_type")
	if kind == "OTHR" {
		kind = ""
	}
	currency, _ := w.Currency()
	return pfm.BankAccount{
		ResourceID: w.Text("uid"), IdentificationHash: w.Text("identification_hash"),
		IBAN:      bankwire.Compact(cmp.Or(own.Text("iban"), in("IBAN"))),
		BBAN:      cmp.Or(bankwire.Compact(in("BBAN")), bankwire.Compact(in("MIBN")), in("BANK")),
		MaskedPAN: masked(in("CPAN")),
		Name:      w.Text("details", "name"), Product: w.Text("product"), CashAccountType: kind,
		Currency: currency,
	}
}

// masked hides all but the last four digits of a card number, unless the bank already has.
func masked(number string) string {
	digits := strings.ReplaceAll(number, " ", "")
	if len(digits) <= 4 || strings.Trim(digits, "0123456789") != "" {
		return number
	}
	return strings.Repeat("*", len(digits)-4) + digits[len(digits)-4:]
}

// Accounts implements pfm.Supplier. The aggregator lists the accounts of the session, the session's Secret has their
// data, and the balances come from the bank.
func (c *Client) Accounts(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) ([]pfm.BankAccount, error) {
	m, err := c.recall(s)
	if err != nil {
		return nil, bankwire.Failure(readAccount, pfm.SupplierConsentInvalid, err)
	}
	listed, err := c.session(ctx, bank, s)
	if err != nil {
		return nil, err
	}
	switch states[listed.Status] {
	case pfm.ConsentValid:
	case pfm.ConsentExpired, pfm.ConsentTerminatedByTPP:
		return nil, bankwire.Failure(readConsent, pfm.SupplierConsentExpired, nil)
	default:
		return nil, bankwire.Failure(readConsent, pfm.SupplierConsentInvalid, nil)
	}
	uids, hashes, read := listed.Accounts, map[string]string{}, map[string]bool{}
	for _, a := range listed.Data {
		uids = append(uids, bankwire.Text(a.Text("uid")))
		hashes[a.Text("uid")] = a.Text("identification_hash")
	}
	var accounts []pfm.BankAccount
	for _, id := range uids {
		uid := string(id)
		if !isIdentifier(uid) || read[uid] {
			continue
		}
		read[uid] = true
		a, err := c.account(ctx, bank, s, m, uid)
		if pfm.FailureOf(err).Kind == pfm.SupplierRejected { // the other accounts can still be read
			accounts = append(accounts, pfm.BankAccount{Incomplete: true})
			continue
		}
		a.IdentificationHash = cmp.Or(a.IdentificationHash, hashes[uid])
		if err == nil {
			err = c.addBalances(ctx, bank, s, &a)
		}
		if err != nil {
			return nil, err
		}
		accounts = append(accounts, a)
	}
	return accounts, nil
}

// account returns the account from the Secret or, if it is not there, from the bank.
func (c *Client) account(
	ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, m memory, uid string,
) (pfm.BankAccount, error) {
	if i := slices.IndexFunc(m.Accounts, func(a pfm.BankAccount) bool { return a.ResourceID == uid }); i >= 0 {
		return m.Accounts[i], nil
	}
	var w bankwire.Object
	address := at(bank, "accounts", uid, "details")
	r := bankwire.Request{Operation: readAccount, URL: address, Header: userHeader(bank, s)}
	err := c.do(ctx, bank, r, &w, nil)
	a := convert(w)
	a.ResourceID = uid
	return a, err
}

// balanceTypes maps the aggregator's types of balance to the standard's.
var balanceTypes = map[string]string{
	"CLBD": "closingBooked", "ITBD": "interimBooked", "OPBD": "openingBooked", "XPCD": "expected",
	"ITAV": "interimAvailable", "FWAV": "forwardAvailable", "CLAV": "closingAvailable",
	"PRCD": "previouslyClosedBooked", "INFO": "information",
}

// addBalances adds the balances. Some banks fail to return balances, or limit them, but do return rows. The account is
// then read without balances.
func (c *Client) addBalances(
	ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, a *pfm.BankAccount,
) error {
	var w struct {
		Balances []bankwire.Object `json:"balances"`
	}
	address := at(bank, "accounts", a.ResourceID, "balances")
	r := bankwire.Request{Operation: readBalances, URL: address, Header: userHeader(bank, s)}
	err := c.do(ctx, bank, r, &w, nil)
	e := pfm.FailureOf(err)
	isLimited := e.Kind == pfm.SupplierRejected || e.Kind == pfm.SupplierRateLimited
	if isLimited || e.BankCode == "ASPSP_ERROR" && e.Temporary() {
		a.Incomplete = true
		return nil
	}
	for _, b := range w.Balances {
		amount, currency, ok := b.At("balance_amount").Amount()
		if !ok {
			a.Incomplete = true
			continue
		}
		kind := b.Text("balance_type")
		a.Balances = append(a.Balances, pfm.BankBalance{
			Type: cmp.Or(balanceTypes[kind], kind), Amount: amount, Currency: currency,
			ReferenceDate: b.Day("reference_date"),
		})
	}
	return err
}

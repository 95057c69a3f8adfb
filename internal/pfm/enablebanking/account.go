package enablebanking

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

type wireAccount struct {
	UID      text                            `json:"uid"`
	Hash     text                            `json:"identification_hash"`
	ID       bankwire.Lenient[wireReference] `json:"account_id"`
	AllIDs   bankwire.List[identification]   `json:"all_account_ids"`
	Name     text                            `json:"name"`
	Details  text                            `json:"details"`
	Product  text                            `json:"product"`
	Type     text                            `json:"cash_account_type"`
	Currency text                            `json:"currency"`
}

type wireReference struct {
	IBAN  text                             `json:"iban"`
	Other bankwire.Lenient[identification] `json:"other"`
}

func (w wireReference) String() string { return bankwire.FirstOf(bankwire.Compact(w.IBAN), w.number()) }

// number returns the other identification. A card's number is masked.
func (w wireReference) number() text {
	other := w.Other.Value
	if other.Scheme == "CPAN" {
		return text(masked(string(other.Identification)))
	}
	return other.Identification
}

// in returns what names the account in a scheme; empty if nothing does.
func (w wireAccount) in(scheme text) text {
	for _, one := range append(slices.Clip(w.AllIDs), w.ID.Value.Other.Value) {
		if one.Scheme == scheme && one.Identification != "" {
			return one.Identification
		}
	}
	return ""
}

func (w wireAccount) convert() pfm.BankAccount {
	kind := w.Type
	if kind == "OTHR" {
		kind = ""
	}
	return pfm.BankAccount{
		ResourceID: string(w.UID), IdentificationHash: string(w.Hash),
		IBAN:      bankwire.FirstOf(bankwire.Compact(w.ID.Value.IBAN), bankwire.Compact(w.in("IBAN"))),
		BBAN:      bankwire.FirstOf(bankwire.Compact(w.in("BBAN")), bankwire.Compact(w.in("MIBN")), w.in("BANK")),
		MaskedPAN: masked(string(w.in("CPAN"))),
		Name:      bankwire.FirstOf(w.Details, w.Name), Product: string(w.Product), CashAccountType: string(kind),
		Currency: strings.ToUpper(string(w.Currency)),
	}
}

// masked hides all but the last four digits of a card's number, unless the bank has.
func masked(number string) string {
	digits := strings.ReplaceAll(number, " ", "")
	if len(digits) <= 4 || strings.Trim(digits, "0123456789") != "" {
		return number
	}
	return strings.Repeat("*", len(digits)-4) + digits[len(digits)-4:]
}

// convert leaves out closed and blocked accounts, which have no ID, and what is not an account.
func convert(listed []wireAccount) []pfm.BankAccount {
	var accounts []pfm.BankAccount
	for _, w := range listed {
		if isIdentifier(string(w.UID)) {
			accounts = append(accounts, w.convert())
		}
	}
	return accounts
}

// Accounts implements pfm.Supplier. The aggregator lists the accounts of the session, their
// data are in the session's Secret, and the balances come from the bank.
func (c *Client) Accounts(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) ([]pfm.BankAccount, error) {
	m, err := c.recall(s)
	if err != nil {
		return nil, bankwire.Failure(readAccount, pfm.SupplierConsentInvalid, 0, err)
	}
	listed, err := c.session(ctx, bank, s)
	if err != nil {
		return nil, err
	}
	switch states[listed.Status] {
	case pfm.ConsentValid:
	case pfm.ConsentExpired, pfm.ConsentTerminatedByTPP:
		return nil, bankwire.Failure(readConsent, pfm.SupplierConsentExpired, http.StatusOK, nil)
	default:
		return nil, bankwire.Failure(readConsent, pfm.SupplierConsentInvalid, http.StatusOK, nil)
	}
	var accounts []pfm.BankAccount
	for _, uid := range listed.uids() {
		a, err := c.account(ctx, bank, s, m, uid)
		if pfm.FailureOf(err).Kind == pfm.SupplierRejected { // the others can be read
			accounts = append(accounts, pfm.BankAccount{Incomplete: true})
			continue
		}
		if err != nil {
			return nil, err
		}
		a.IdentificationHash = cmp.Or(a.IdentificationHash, listed.hash(uid))
		if err := c.addBalances(ctx, bank, s, &a); err != nil {
			return nil, err
		}
		accounts = append(accounts, a)
	}
	return accounts, nil
}

// uids returns the accounts of the session.
func (w wireSession) uids() []string {
	var uids []string
	all := w.Accounts
	for _, a := range w.Data {
		all = append(all, a.UID)
	}
	for _, uid := range all {
		if isIdentifier(string(uid)) && !slices.Contains(uids, string(uid)) {
			uids = append(uids, string(uid))
		}
	}
	return uids
}

func (w wireSession) hash(uid string) string {
	for _, a := range w.Data {
		if string(a.UID) == uid {
			return string(a.Hash)
		}
	}
	return ""
}

// account returns the account from the Secret or, if it is not there, from the bank.
func (c *Client) account(
	ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, m memory, uid string,
) (pfm.BankAccount, error) {
	if i := slices.IndexFunc(m.Accounts, func(a pfm.BankAccount) bool { return a.ResourceID == uid }); i >= 0 {
		return m.Accounts[i], nil
	}
	var w wireAccount
	err := c.do(ctx, request{
		bank: bank, op: readAccount, method: http.MethodGet, path: []string{"accounts", uid, "details"},
		header: userHeader(bank, s),
	}, &w, nil)
	a := w.convert()
	a.ResourceID = uid
	return a, err
}

// balanceTypes are the aggregator's types of balance in the standard's words.
var balanceTypes = map[text]string{
	"CLBD": "closingBooked", "ITBD": "interimBooked", "OPBD": "openingBooked", "XPCD": "expected",
	"ITAV": "interimAvailable", "FWAV": "forwardAvailable", "CLAV": "closingAvailable",
	"PRCD": "previouslyClosedBooked", "INFO": "information",
}

// addBalances adds the balances. Some banks fail to tell them, although they tell the rows:
// the account is then read without.
func (c *Client) addBalances(
	ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, a *pfm.BankAccount,
) error {
	var w struct {
		Balances []bankwire.Lenient[wireBalance] `json:"balances"`
	}
	err := c.do(ctx, request{
		bank: bank, op: readBalances, method: http.MethodGet, path: []string{"accounts", a.ResourceID, "balances"},
		header: userHeader(bank, s),
	}, &w, nil)
	e := pfm.FailureOf(err)
	if e.Kind == pfm.SupplierRejected || e.BankCode == "ASPSP_ERROR" && e.Temporary() {
		a.Incomplete = true
		return nil
	}
	for _, b := range w.Balances {
		if b.Value.Amount.Value.Amount.Value == nil {
			a.Incomplete = true
			continue
		}
		a.Balances = append(a.Balances, b.Value.convert())
	}
	return err
}

type wireBalance struct {
	Amount    bankwire.Lenient[wireAmount] `json:"balance_amount"`
	Type      text                         `json:"balance_type"`
	Reference day                          `json:"reference_date"`
}

func (w wireBalance) convert() pfm.BankBalance {
	kind := string(w.Type)
	if known, ok := balanceTypes[w.Type]; ok {
		kind = known
	}
	return pfm.BankBalance{
		Type: kind, Amount: *w.Amount.Value.Amount.Value, Currency: string(w.Amount.Value.Currency),
		ReferenceDate: pfm.Date(w.Reference),
	}
}

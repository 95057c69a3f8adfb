package enablebanking

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// account is what we keep about an account of a session.
type account struct {
	UID      string `json:"uid"`
	Hash     string `json:"hash,omitempty"`
	IBAN     string `json:"iban,omitempty"`
	BBAN     string `json:"bban,omitempty"`
	Card     string `json:"card,omitempty"`
	Name     string `json:"name,omitempty"`
	Product  string `json:"product,omitempty"`
	Type     string `json:"type,omitempty"`
	Currency string `json:"currency"`
}

type wireAccount struct {
	UID      text                              `json:"uid"`
	Hash     text                              `json:"identification_hash"`
	ID       bankwire.Lenient[wireReference]   `json:"account_id"`
	AllIDs   bankwire.Lenient[identifications] `json:"all_account_ids"`
	Name     text                              `json:"name"`
	Details  text                              `json:"details"`
	Product  text                              `json:"product"`
	Type     text                              `json:"cash_account_type"`
	Currency text                              `json:"currency"`
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

func (w wireAccount) convert() account {
	id, all := w.ID.Value, w.AllIDs.Value
	if other := id.Other.Value; other.Identification != "" {
		all = append(slices.Clip(all), other)
	}
	kind := w.Type
	if kind == "OTHR" {
		kind = ""
	}
	return account{
		UID: string(w.UID), Hash: string(w.Hash), IBAN: bankwire.FirstOf(bankwire.Compact(id.IBAN), bankwire.Compact(all.in("IBAN"))),
		BBAN: bankwire.FirstOf(bankwire.Compact(all.in("BBAN")), bankwire.Compact(all.in("MIBN")), all.in("BANK")),
		Card: masked(string(all.in("CPAN"))),
		Name: bankwire.FirstOf(w.Details, w.Name), Product: string(w.Product), Type: string(kind),
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

// wireListing is a list of accounts. It leaves out closed and blocked ones, which have no
// ID, and what is not an account.
type wireListing []bankwire.Lenient[wireAccount]

// UnmarshalJSON never fails.
func (w *wireListing) UnmarshalJSON(b []byte) error {
	var list []bankwire.Lenient[wireAccount]
	_ = json.Unmarshal(b, &list)
	*w = slices.DeleteFunc(list, func(a bankwire.Lenient[wireAccount]) bool { return !isIdentifier(string(a.Value.UID)) })
	return nil
}

func (w wireListing) convert() []account {
	accounts := make([]account, len(w))
	for i, a := range w {
		accounts[i] = a.Value.convert()
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
		told, err := c.account(ctx, bank, s, m, uid)
		if pfm.FailureOf(err).Kind == pfm.SupplierRejected { // the others can be read
			accounts = append(accounts, pfm.BankAccount{Incomplete: true})
			continue
		}
		if err != nil {
			return nil, err
		}
		told.Hash = bankwire.FirstOf(text(told.Hash), listed.hash(uid))
		read, err := c.withBalances(ctx, bank, s, told)
		if err != nil {
			return nil, err
		}
		accounts = append(accounts, read)
	}
	return accounts, nil
}

// uids returns the accounts of the session.
func (w wireSession) uids() []string {
	var uids []string
	for _, uid := range w.Accounts {
		if isIdentifier(string(uid)) && !slices.Contains(uids, string(uid)) {
			uids = append(uids, string(uid))
		}
	}
	for _, a := range w.Data {
		if uid := string(a.Value.UID); !slices.Contains(uids, uid) {
			uids = append(uids, uid)
		}
	}
	return uids
}

func (w wireSession) hash(uid string) text {
	for _, a := range w.Data {
		if string(a.Value.UID) == uid {
			return a.Value.Hash
		}
	}
	return ""
}

// account returns the account from the Secret or, if it is not there, from the bank.
func (c *Client) account(
	ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, m memory, uid string,
) (account, error) {
	if i := slices.IndexFunc(m.Accounts, func(a account) bool { return a.UID == uid }); i >= 0 {
		return m.Accounts[i], nil
	}
	var w wireAccount
	err := c.do(ctx, request{
		bank: bank, op: readAccount, method: http.MethodGet, path: []string{"accounts", uid, "details"},
		header: userHeader(bank, s),
	}, func(body []byte) error { return bankwire.Unmarshal(body, &w) })
	a := w.convert()
	a.UID = uid
	return a, err
}

// balanceTypes are the aggregator's types of balance in the standard's words.
var balanceTypes = map[text]string{
	"CLBD": "closingBooked", "ITBD": "interimBooked", "OPBD": "openingBooked", "XPCD": "expected",
	"ITAV": "interimAvailable", "FWAV": "forwardAvailable", "CLAV": "closingAvailable",
	"PRCD": "previouslyClosedBooked", "INFO": "information",
}

// withBalances adds the balances. Some banks fail to tell them, although they tell the rows:
// the account is then read without.
func (c *Client) withBalances(
	ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, a account,
) (pfm.BankAccount, error) {
	read := pfm.BankAccount{
		ResourceID: a.UID, IdentificationHash: a.Hash, IBAN: a.IBAN, BBAN: a.BBAN, MaskedPAN: a.Card,
		Currency: a.Currency, Name: a.Name, Product: a.Product, CashAccountType: a.Type,
	}
	var w struct {
		Balances []bankwire.Lenient[wireBalance] `json:"balances"`
	}
	err := c.do(ctx, request{
		bank: bank, op: readBalances, method: http.MethodGet, path: []string{"accounts", a.UID, "balances"},
		header: userHeader(bank, s),
	}, func(body []byte) error { return bankwire.Unmarshal(body, &w) })
	e := pfm.FailureOf(err)
	if e.Kind == pfm.SupplierRejected || e.BankCode == "ASPSP_ERROR" && e.Temporary() {
		read.Incomplete = true
		return read, nil
	}
	for _, b := range w.Balances {
		if b.Value.Amount.Value.Amount.Value == nil {
			read.Incomplete = true
			continue
		}
		read.Balances = append(read.Balances, b.Value.convert())
	}
	return read, err
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

package xs2a

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

type wireAccount struct {
	ResourceID      text              `json:"resourceId"`
	IBAN            text              `json:"iban"`
	BBAN            text              `json:"bban"`
	MaskedPAN       text              `json:"maskedPan"`
	Currency        text              `json:"currency"`
	Name            text              `json:"name"`
	DisplayName     text              `json:"displayName"`
	Product         text              `json:"product"`
	CashAccountType text              `json:"cashAccountType"`
	DebitAccounting json.RawMessage   `json:"debitAccounting"`
	Balances        []json.RawMessage `json:"balances"`
	Links           links             `json:"_links"`
}

type wireBalance struct {
	BalanceAmount       *wireAmount `json:"balanceAmount"`
	BalanceType         text        `json:"balanceType"`
	CreditLimitIncluded bool        `json:"creditLimitIncluded"`
	ReferenceDate       day         `json:"referenceDate"`
}

type wireAmount struct {
	Currency text    `json:"currency"`
	Amount   *amount `json:"amount"`
}

// value returns the amount, which is required, and its currency.
func (w *wireAmount) value() (money.Amount, string, error) {
	if w == nil || w.Amount == nil {
		return money.Amount{}, "", bankwire.ErrMalformed
	}
	currency, ok := currencyOf(w.Currency)
	if !ok {
		return money.Amount{}, "", bankwire.ErrMalformed
	}
	return money.Amount(*w.Amount), currency, nil
}

// amount is an amount as banks write it.
type amount money.Amount

// UnmarshalJSON reads a number, or a text with one, which may have a plus sign or a
// comma before its decimals.
func (a *amount) UnmarshalJSON(b []byte) error {
	s := strings.TrimPrefix(strings.TrimSpace(strings.Trim(string(b), `"`)), "+")
	if whole, decimals, found := strings.Cut(s, ","); found && len(decimals) <= 2 && !strings.Contains(whole, ".") {
		s = whole + "." + decimals
	}
	parsed, err := money.Parse(s)
	*a = amount(parsed)
	return err
}

// currencyOf returns a currency in upper case, and false if there is something else.
func currencyOf(t text) (string, bool) {
	c := text(strings.ToUpper(string(t)))
	return string(c), c == "" || isCurrency(c)
}

// Accounts lists the accounts that can be read under the consent. It leaves out
// accounts without a resource ID, which cannot be read, and multi-currency accounts
// whose sub-accounts are listed too, since their rows would count twice.
func (c *Client) Accounts(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) ([]pfm.BankAccount, error) {
	listed, err := c.accounts(ctx, bank, s, "accounts", "withBalance=true")
	if refusesRows(err) {
		listed, err = c.accounts(ctx, bank, s, "accounts", "")
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
		if len(l.account.Balances) == 0 && l.account.ResourceID != "" {
			l.account.Balances, err = c.balances(ctx, bank, s, l)
			// Rows can be read without a balance, if the consent is good.
			switch pfm.FailureOf(err).Kind {
			case "":
			case pfm.SupplierRejected, pfm.SupplierInvalidResponse:
				l.account.Incomplete = true
			default:
				return nil, err
			}
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

func (c *Client) accounts(
	ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, list, query string,
) ([]listedAccount, error) {
	var listed []listedAccount
	err := c.do(ctx, request{
		bank: bank, op: listAccounts, method: http.MethodGet, path: []string{list}, query: query,
		header: sessionHeader(s), session: s,
	}, func(at *url.URL, body []byte) error {
		var w struct {
			Accounts *[]json.RawMessage `json:"accounts"`
			Cards    *[]json.RawMessage `json:"cardAccounts"`
		}
		if err := bankwire.Unmarshal(body, &w); err != nil {
			return err
		}
		switch {
		case w.Accounts != nil:
			listed = decodeAccounts(bank, at, *w.Accounts, false)
		case w.Cards != nil:
			listed = decodeAccounts(bank, at, *w.Cards, true)
		default:
			return bankwire.ErrMalformed
		}
		return nil
	})
	return listed, err
}

// decodeAccounts reads accounts one by one, so that one that cannot be read costs no other.
func decodeAccounts(bank pfm.BankEndpoint, at *url.URL, list []json.RawMessage, cards bool) []listedAccount {
	var all []wireAccount
	listed := make([]listedAccount, 0, len(list))
	for _, b := range list {
		var w wireAccount
		if bankwire.Unmarshal(b, &w) != nil || w.ResourceID != "" && !isIdentifier(string(w.ResourceID)) {
			listed = append(listed, listedAccount{account: pfm.BankAccount{Incomplete: true}})
			continue
		}
		all = append(all, w)
	}
	for _, w := range all {
		if w.ResourceID != "" && !isSummary(w, all) {
			listed = append(listed, w.convert(bank, at, cards))
		}
	}
	return listed
}

func (w wireAccount) convert(bank pfm.BankEndpoint, at *url.URL, isCard bool) listedAccount {
	balances, complete := convertBalances(w.Balances)
	currency, ok := currencyOf(w.Currency)
	if !ok {
		currency = ""
	}
	l := listedAccount{account: pfm.BankAccount{
		ResourceID:      string(w.ResourceID),
		IBAN:            string(bankwire.Compact(w.IBAN)),
		BBAN:            string(bankwire.Compact(w.BBAN)),
		MaskedPAN:       string(w.MaskedPAN),
		Currency:        currency,
		Name:            bankwire.FirstOf(w.DisplayName, w.Name),
		Product:         string(w.Product),
		CashAccountType: string(w.CashAccountType),
		Balances:        balances,
		Incomplete:      !complete && len(balances) == 0,
	}}
	if isCard {
		l = l.asCard(w)
	}
	if to, err := follow(bank, at, w.Links["balances"].Href); err == nil {
		l.balances = to.String()
	}
	return l
}

// balances reads an account's balances where the bank links them, or else where the standard
// has them.
func (c *Client) balances(
	ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, l listedAccount,
) ([]pfm.BankBalance, error) {
	var balances []pfm.BankBalance
	err := c.do(ctx, request{
		bank: bank, op: readBalances, method: http.MethodGet,
		link: l.balances, path: accountPath(l.account.ResourceID, "balances"), header: sessionHeader(s), session: s,
	}, func(_ *url.URL, body []byte) error {
		var w struct {
			Balances *[]json.RawMessage `json:"balances"`
		}
		if err := bankwire.Unmarshal(body, &w); err != nil {
			return err
		}
		if w.Balances == nil {
			return bankwire.ErrMalformed
		}
		var complete bool
		if balances, complete = convertBalances(*w.Balances); !complete && len(balances) == 0 {
			return bankwire.ErrMalformed
		}
		return nil
	})
	return balances, err
}

// convertBalances keeps the bank's order, except that balances which include the
// credit limit come last: a balance of the same type without it is the real one. It
// reports whether all could be read.
func convertBalances(listed []json.RawMessage) (balances []pfm.BankBalance, complete bool) {
	complete = true
	for _, b := range listed {
		var w wireBalance
		err := bankwire.Unmarshal(b, &w)
		amount, currency, missing := w.BalanceAmount.value()
		if err != nil || missing != nil {
			complete = false
			continue
		}
		balances = append(balances, pfm.BankBalance{
			Type:          string(w.BalanceType),
			Amount:        amount,
			Currency:      currency,
			ReferenceDate: pfm.Date(w.ReferenceDate),

			CreditLimitIncluded: w.CreditLimitIncluded,
		})
	}
	rank := map[bool]int{true: 1}
	slices.SortStableFunc(balances, func(a, b pfm.BankBalance) int {
		return rank[a.CreditLimitIncluded] - rank[b.CreditLimitIncluded]
	})
	return balances, complete
}

// isSummary reports whether the account is the sum of others in the list.
func isSummary(w wireAccount, all []wireAccount) bool {
	if w.Currency != pfm.MultiCurrency || w.IBAN == "" {
		return false
	}
	return slices.ContainsFunc(all, func(other wireAccount) bool {
		return other.ResourceID != "" && other.Currency != pfm.MultiCurrency && bankwire.Compact(other.IBAN) == bankwire.Compact(w.IBAN)
	})
}

func isCurrency(t text) bool {
	return len(t) == 3 && strings.Trim(string(t), "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

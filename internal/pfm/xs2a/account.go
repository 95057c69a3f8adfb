package xs2a

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

type wireAccount struct {
	ResourceID      string        `json:"resourceId"`
	IBAN            text          `json:"iban"`
	BBAN            text          `json:"bban"`
	MaskedPAN       text          `json:"maskedPan"`
	Currency        text          `json:"currency"`
	Name            text          `json:"name"`
	DisplayName     text          `json:"displayName"`
	Product         text          `json:"product"`
	CashAccountType text          `json:"cashAccountType"`
	Balances        []wireBalance `json:"balances"`
	Links           links         `json:"_links"`
}

type wireBalance struct {
	BalanceAmount       *wireAmount `json:"balanceAmount"`
	BalanceType         text        `json:"balanceType"`
	CreditLimitIncluded bool        `json:"creditLimitIncluded"`
	ReferenceDate       day         `json:"referenceDate"`
}

type wireAmount struct {
	Currency text          `json:"currency"`
	Amount   *money.Amount `json:"amount"`
}

// value returns the amount and its currency. Both are required.
func (w *wireAmount) value() (money.Amount, string, error) {
	if w == nil || w.Amount == nil || !isCurrency(w.Currency) {
		return money.Amount{}, "", errMalformed
	}
	return *w.Amount, string(w.Currency), nil
}

// Accounts lists the accounts that can be read under the consent. It leaves out
// accounts without a resource ID, which cannot be read, and multi-currency accounts
// whose sub-accounts are listed too, since their rows would count twice.
func (c *Client) Accounts(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) ([]pfm.BankAccount, error) {
	to, err := address(bank, "accounts")
	if err != nil {
		return nil, failure(listAccounts, pfm.SupplierRejected, 0, err)
	}
	withBalance := *to
	withBalance.RawQuery = "withBalance=true"
	listed, err := c.accounts(ctx, bank, s, &withBalance)
	if refusesForm(err) {
		listed, err = c.accounts(ctx, bank, s, to)
	}
	if err != nil {
		return nil, err
	}
	accounts := make([]pfm.BankAccount, 0, len(listed))
	for _, l := range listed {
		if l.balances != nil {
			if l.account.Balances, err = c.balances(ctx, bank, s, l.balances); err != nil {
				return nil, err
			}
		}
		accounts = append(accounts, l.account)
	}
	return accounts, nil
}

// listedAccount is an account, with the URL of its balances if the list does not
// contain them.
type listedAccount struct {
	account  pfm.BankAccount
	balances *url.URL
}

func (c *Client) accounts(
	ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, at *url.URL,
) ([]listedAccount, error) {
	var listed []listedAccount
	r := request{bank: bank, op: listAccounts, method: http.MethodGet, url: at, header: sessionHeader(s)}
	err := c.do(ctx, r, func(body []byte) error {
		var w struct {
			Accounts *[]wireAccount `json:"accounts"`
		}
		if err := unmarshal(body, &w); err != nil {
			return err
		}
		if w.Accounts == nil {
			return errMalformed
		}
		for _, wa := range *w.Accounts {
			if wa.ResourceID == "" || isSummary(wa, *w.Accounts) {
				continue
			}
			l, err := wa.convert(bank, at)
			if err != nil {
				return err
			}
			listed = append(listed, l)
		}
		return nil
	})
	return listed, err
}

func (w wireAccount) convert(bank pfm.BankEndpoint, at *url.URL) (listedAccount, error) {
	if !isIdentifier(w.ResourceID) {
		return listedAccount{}, errBadIdentifier
	}
	if !isCurrency(w.Currency) {
		return listedAccount{}, errMalformed
	}
	balances, err := convertBalances(w.Balances)
	if err != nil {
		return listedAccount{}, err
	}
	l := listedAccount{account: pfm.BankAccount{
		ResourceID:      w.ResourceID,
		IBAN:            compact(w.IBAN),
		BBAN:            compact(w.BBAN),
		MaskedPAN:       string(w.MaskedPAN),
		Currency:        string(w.Currency),
		Name:            firstOf(w.DisplayName, w.Name),
		Product:         string(w.Product),
		CashAccountType: string(w.CashAccountType),
		Balances:        balances,
	}}
	if link, ok := w.Links["balances"]; ok && len(balances) == 0 {
		l.balances, err = follow(bank, at, link.Href)
	}
	return l, err
}

func (c *Client) balances(
	ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, at *url.URL,
) ([]pfm.BankBalance, error) {
	var balances []pfm.BankBalance
	r := request{bank: bank, op: readBalances, method: http.MethodGet, url: at, header: sessionHeader(s)}
	err := c.do(ctx, r, func(body []byte) error {
		var w struct {
			Balances *[]wireBalance `json:"balances"`
		}
		err := unmarshal(body, &w)
		if err == nil && w.Balances == nil {
			err = errMalformed
		}
		if err == nil {
			balances, err = convertBalances(*w.Balances)
		}
		return err
	})
	return balances, err
}

// convertBalances keeps the bank's order, except that balances which include the
// credit limit come last: a balance of the same type without it is the real one.
func convertBalances(listed []wireBalance) ([]pfm.BankBalance, error) {
	ordered := slices.Clone(listed)
	slices.SortStableFunc(ordered, func(a, b wireBalance) int {
		switch {
		case a.CreditLimitIncluded == b.CreditLimitIncluded:
			return 0
		case a.CreditLimitIncluded:
			return 1
		default:
			return -1
		}
	})
	balances := make([]pfm.BankBalance, 0, len(ordered))
	for _, w := range ordered {
		amount, currency, err := w.BalanceAmount.value()
		if err != nil {
			return nil, err
		}
		balances = append(balances, pfm.BankBalance{
			Type:          string(w.BalanceType),
			Amount:        amount,
			Currency:      currency,
			ReferenceDate: pfm.Date(w.ReferenceDate),
		})
	}
	return balances, nil
}

// isSummary reports whether the account is the sum of others in the list.
func isSummary(w wireAccount, all []wireAccount) bool {
	if w.Currency != pfm.MultiCurrency || w.IBAN == "" {
		return false
	}
	return slices.ContainsFunc(all, func(other wireAccount) bool {
		return other.ResourceID != "" && other.Currency != pfm.MultiCurrency && compact(other.IBAN) == compact(w.IBAN)
	})
}

// compact returns an account number in its electronic form, without the spaces of
// the printed form, so that every fetch returns the same text.
func compact(t text) string { return strings.ToUpper(strings.ReplaceAll(string(t), " ", "")) }

func isCurrency(t text) bool {
	return len(t) == 3 && strings.Trim(string(t), "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

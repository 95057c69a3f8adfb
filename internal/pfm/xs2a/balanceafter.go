package xs2a

import (
	"aviso/internal/money"
	"aviso/internal/pfm/bankwire"
)

// balanceAfter is the account's balance after a row. A row can do without it, so anything
// that is not a balance is none.
type balanceAfter struct{ amount *money.Amount }

// UnmarshalJSON reads the amount of a balance.
func (a *balanceAfter) UnmarshalJSON(b []byte) error {
	var w struct {
		BalanceAmount *struct {
			Amount *money.Amount `json:"amount"`
		} `json:"balanceAmount"`
	}
	if bankwire.Unmarshal(b, &w) == nil && w.BalanceAmount != nil {
		a.amount = w.BalanceAmount.Amount
	}
	return nil
}

package connection

import (
	"context"
	"fmt"

	"aviso/internal/clock"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// A bank may list an account under another number, name or currency after a new consent: after a merger of banks,
// when a country gets the euro, or because it is a pot that the user has renamed. If one account is left over on each
// side, then the rows tell whether it is the same.

// heirDays is how many days of rows are compared.
const heirDays = 90

// findHeir finds the account that a known one is now, and keeps it as r.heir with its rows.
func (r *reading) findHeir(ctx context.Context, fetched []pfm.BankAccount) error {
	own, others := r.known()
	consent, now := r.Connection.ConsentID, clock.Now(ctx, r.now)
	matched := map[string]bool{}
	var fresh []pfm.BankAccount
	for i, a := range r.matchOwn(own, fetched) {
		if matched[a.ID] = true; a.ID == "" {
			fresh = append(fresh, fetched[i])
		}
	}
	var left []pfm.Account
	for _, a := range own {
		if !matched[a.ID] && a.ConsentID != consent {
			left = append(left, a)
		}
	}
	if len(left) != 1 || len(fresh) != 1 || left[0].Type != accountType(fresh[0].CashAccountType) ||
		matchAccounts(accountsOf(others), fresh, consent)[0].ID != "" {
		return nil
	}
	a := refreshed(left[0], fresh[0], consent, now)
	a.MissingFrom = pfm.DateOf(now).AddDays(-heirDays)
	st := r.fetchStatement(ctx, a)
	if e := pfm.FailureOf(st.Err); e.Kind == "" && st.Err != nil || e.Temporary() {
		return st.Err
	}
	known, err := r.store.AccountTransactions(ctx, a.Owner, a.ID, a.MissingFrom)
	if err != nil {
		return fmt.Errorf("read transactions: %w", err)
	}
	if transaction.HaveCommonRows(known, st.Rows) {
		r.heir = st
	}
	return nil
}

package connection

import (
	"context"
	"time"

	"aviso/internal/clock"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// Inspection is what a first sync would read of a bank.
type Inspection struct {
	// Session is renewed: use it for further calls.
	Session pfm.Session
	// Listed is how many accounts the bank lists, Incomplete how many of them cannot be
	// read in full.
	Listed, Incomplete int
	Accounts           []InspectedAccount
}

// InspectedAccount is an account with its rows, as a first sync would store them.
type InspectedAccount struct {
	// From of the Statement is the first day that the bank accepts; empty if the rows cannot be
	// read.
	transaction.Statement
	// Balances are those that the bank sent for the account.
	Balances []pfm.BankBalance
}

// Inspect reads a bank as a first sync does, without storing anything. After an error, the
// result is what was read until then.
func Inspect(
	ctx context.Context, bank pfm.Supplier, p pfm.Provider, session pfm.Session, clockNow func() time.Time,
) (Inspection, error) {
	of := func(pfm.BankEndpoint) pfm.Supplier { return bank }
	s, now := &Syncer{bank: of, watch: &watch{}, now: clockNow}, clock.Now(ctx, clockNow)
	session, err := bank.RenewSession(ctx, p.Endpoint, reads(p, session))
	found := Inspection{Session: session}
	if err != nil {
		return found, err
	}
	var fetched []pfm.BankAccount
	found.Listed, fetched, found.Incomplete, err = s.listAccounts(ctx, p, session)
	if err != nil {
		return found, err
	}
	for _, f := range fetched {
		a := refreshed(pfm.Account{CreatedAt: now}, f, session.ConsentID, now)
		st := s.fetchStatement(ctx, p, session, a, Connection{}.readFrom(p, a, now), true)
		if st.Err != nil && !costsOneAccount(st.Err) {
			return found, st.Err
		}
		st.From = st.Requested
		found.Accounts = append(found.Accounts, InspectedAccount{st, f.Balances})
	}
	return found, nil
}

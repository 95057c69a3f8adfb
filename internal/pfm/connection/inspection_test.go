package connection_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/pfmtest"
)

// What a check sees of a bank is what a first sync stores.
func TestInspectReadsWhatASyncStores(t *testing.T) {
	w := newWorld(t)
	p := pfmtest.Provider()
	p.Profile = pfm.Profile{Date: pfm.DateValue, CardAccounts: true}
	require.NoError(t, w.store.PutProvider(t.Context(), p))
	c := w.activate()
	card := current("r2", "")
	card.MaskedPAN, card.CashAccountType, card.SignsInverted = "525412******3241", "CARD", true
	w.bank.Listed = []pfm.BankAccount{current("r1", "DE1"), card, {Incomplete: true}}
	payment := booked("2026-03-01", "t1", "23.90")
	payment.ValueDate = "2026-02-27"
	w.bank.Rows = map[string][]pfm.BankTransaction{
		"r1": {payment, {Unreadable: true}}, "r2": {booked("2026-03-01", "t2", "5.00")},
	}
	w.clock.Advance(time.Minute)
	require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))

	found, err := connection.Inspect(t.Context(), w.bank, p, pfm.Session{ConsentID: c.ConsentID}, w.clock.Now)
	require.NoError(t, err)
	assert.Equal(t, 3, found.Listed)
	assert.Equal(t, 1, found.Incomplete)
	type row struct {
		Amount string
		Day    pfm.Date
		Note   string
	}
	var stored, inspected []row
	for _, r := range w.transactions() {
		stored = append(stored, row{r.Amount.String(), r.RecordDate, r.Note})
	}
	balances, types := map[string]string{}, map[string]pfm.AccountType{}
	for _, a := range w.accounts() {
		balances[a.Number+a.IBAN], types[a.Number+a.IBAN] = a.Balance.String(), a.Type
	}
	for _, a := range found.Accounts {
		assert.Equal(t, balances[a.Number+a.IBAN], a.Balance.String())
		assert.Equal(t, types[a.Number+a.IBAN], a.Type)
		for _, r := range a.Rows {
			inspected = append(inspected, row{r.Amount.String(), r.RecordDate, r.Note})
		}
	}
	assert.ElementsMatch(t, stored, inspected)
	assert.Equal(t, 1, found.Accounts[0].Unreadable)
	assert.Len(t, stored, 2)
	calls := w.bank.Calls
	require.Len(t, calls, 4)
	assert.Equal(t, calls[0].From, calls[2].From, "the same days")
	assert.True(t, calls[2].Session.CardAccounts, "the profile counts")

	w.bank.RefuseRows = func(string) error { return pfmtest.Failure(pfm.SupplierRateLimited) }
	_, err = connection.Inspect(t.Context(), w.bank, p, pfm.Session{ConsentID: c.ConsentID}, w.clock.Now)
	require.Error(t, err, "as a sync, it ends when the bank wants no more calls")
}

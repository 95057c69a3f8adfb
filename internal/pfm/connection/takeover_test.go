package connection_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outcome"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
)

// renamed returns the row as the bank lists it under another consent.
func renamed(row pfm.BankTransaction) pfm.BankTransaction {
	row.ID = "again-" + row.ID
	return row
}

// listedAgain makes the bank list accounts with other resource IDs, and the rows of synced
// with other IDs: what it does under another consent. DE3 was not there before.
func (w *world) listedAgain(ibans ...string) {
	w.Helper()
	w.bank.Listed, w.bank.Rows = nil, map[string][]pfm.BankTransaction{
		"of-DE1": {renamed(booked("2026-03-01", "t1", "-23.90")), renamed(booked("2026-02-01", "t2", "-1.00"))},
		"of-DE2": {renamed(booked("2026-02-01", "t3", "1800.00"))},
		"of-DE3": {booked("2026-02-03", "t4", "-7.00")},
	}
	for _, iban := range ibans {
		w.bank.Listed = append(w.bank.Listed, current("of-"+iban, iban))
	}
}

// connectedAgain connects the user to the same bank once more, an hour later.
func (w *world) connectedAgain(ibans ...string) connection.Connection {
	w.Helper()
	w.clock.Advance(time.Hour)
	c := w.activate()
	w.listedAgain(ibans...)
	w.run(w.jobs()...)
	return w.read(c.ID)
}

// holders returns the connections that hold accounts, by IBAN. It requires that no IBAN is
// there twice.
func (w *world) holders() map[string]string {
	w.Helper()
	holders := map[string]string{}
	for _, a := range w.accounts() {
		assert.NotContains(w, holders, a.IBAN)
		holders[a.IBAN] = a.ConnectionID
	}
	return holders
}

// countOf returns how many transactions the sums of all time have.
func (w *world) countOf() int {
	w.Helper()
	sums, err := w.store.Aggregates(w.Context(), pfmtest.User(), transaction.LevelAllTime, "", "")
	require.NoError(w, err)
	n := 0
	for _, sum := range sums {
		for key, tally := range sum.Tallies {
			if key.MerchantID == "" {
				n += tally.Count
			}
		}
	}
	return n
}

// expired returns the data of the events connection.expired so far, and removes all events.
func (w *world) expired() (list []connection.EventData) {
	w.Helper()
	for _, e := range w.takeEvents() {
		if e.Type == connection.EventExpired {
			list = append(list, dataOf[connection.EventData](w, e))
		}
	}
	return list
}

func TestSameBankAgain(t *testing.T) {
	t.Run("takes over accounts with their IDs, history and categories", func(t *testing.T) {
		w, older := synced(t)
		accounts, rows := w.accounts(), w.transactions()
		food, _ := pfm.CategoryOf(pfm.FoodGroceries)
		_, err := w.store.OverrideCategory(t.Context(), pfmtest.User(), rows[0].ID, food, false, w.clock.Now())
		require.NoError(t, err)
		w.takeEvents()

		newer := w.connectedAgain("DE1", "DE2")

		got := w.accounts()
		require.Len(t, got, 2)
		for i := range got {
			assert.Equal(t, accounts[i].ID, got[i].ID)
			assert.Equal(t, accounts[i].CreatedAt, got[i].CreatedAt)
			assert.Equal(t, newer.ID, got[i].ConnectionID)
		}
		again := w.transactions()
		require.Len(t, again, 3)
		for i := range again {
			assert.Equal(t, rows[i].ID, again[i].ID)
		}
		assert.Equal(t, pfm.SourceOverride, again[0].Source)
		assert.Equal(t, food, again[0].Category)
		assert.Equal(t, 3, w.countOf())

		assert.Equal(t, connection.Active, newer.Status)
		was := w.shows(older.ID, connection.Expired, connection.ReasonConsentReplaced)
		assert.Equal(t, w.clock.Now(), was.ConsentExpiresAt)
		expired := w.expired()
		require.Len(t, expired, 1)
		assert.Equal(t, older.ID, expired[0].ConnectionID)
		assert.Equal(t, connection.ReasonConsentReplaced, expired[0].Reason)
		assert.Equal(t, w.clock.Now(), *expired[0].ConsentExpiresAt)
	})

	t.Run("ends the consent of the older connection", func(t *testing.T) {
		w := newWorld(t)
		w.synced()
		w.clock.Advance(time.Hour)
		w.activate()
		w.listedAgain("DE1", "DE2")
		for _, job := range w.jobs() {
			require.NoError(t, w.syncer.Do(t.Context(), job, 1))
		}
		w.run(w.jobs()...)
		assert.Equal(t, []string{"consent-1"}, w.bank.Ended)
	})

	t.Run("reads the rows that came in the meantime", func(t *testing.T) {
		w := newWorld(t)
		w.synced()
		w.clock.Advance(40 * 24 * time.Hour)
		c := w.activate()
		w.listedAgain("DE1", "DE2")
		w.bank.Rows["of-DE1"] = append(w.bank.Rows["of-DE1"], booked("2026-04-01", "t9", "-4.00"))
		w.run(w.jobs()...)
		assert.Len(t, w.transactions(), 4)
		changes, err := w.store.Changes(t.Context(), pfmtest.User(), transaction.ChangePosition{Read: 3, CaughtUp: 3}, 100)
		require.NoError(t, err)
		kinds := map[transaction.ChangeKind]int{}
		for _, change := range changes.Changes {
			kinds[change.Kind]++
		}
		assert.Equal(t, 1, kinds[transaction.Added])
		assert.Equal(t, connection.Active, w.read(c.ID).Status)
	})

	t.Run("leaves what it does not list with an older connection that goes on", func(t *testing.T) {
		w, older := synced(t)
		w.takeEvents()
		newer := w.connectedAgain("DE2", "DE3")
		want := map[string]string{"DE1": older.ID, "DE2": newer.ID, "DE3": newer.ID}
		assert.Equal(t, want, w.holders())
		assert.Equal(t, connection.Active, w.read(older.ID).Status)
		assert.Empty(t, w.expired())
		assert.Equal(t, 4, w.countOf())

		for range 2 { // neither takes anything back
			w.clock.Advance(time.Hour)
			w.listedAgain("DE1", "DE2")
			w.syncOnce(older.ID)
			w.listedAgain("DE2", "DE3")
			w.syncOnce(newer.ID)
		}
		assert.Equal(t, want, w.holders())
		assert.Equal(t, 4, w.countOf())
		assert.Equal(t, w.clock.Now(), w.read(older.ID).LastSuccessAt)
	})

	for state, want := range map[pfm.ConsentState]connection.Status{
		pfm.ConsentExpired: connection.Expired, pfm.ConsentTerminatedByTPP: connection.Expired,
		pfm.ConsentRevokedByPSU: connection.Revoked,
	} {
		t.Run("leaves what it does not list with an older connection whose consent is "+string(state), func(t *testing.T) {
			w, older := synced(t)
			w.bank.SetConsent("consent-1", pfm.Consent{State: state, ValidUntil: "2026-08-01", LastAction: "2026-03-02"})
			newer := w.connectedAgain("DE2")
			assert.Equal(t, map[string]string{"DE1": older.ID, "DE2": newer.ID}, w.holders())
			was := w.read(older.ID)
			assert.Equal(t, want, was.Status)
			assert.Equal(t, w.clock.Now(), was.ConsentExpiresAt)
			assert.Equal(t, 3, w.countOf(), "the history stays")
		})
	}

	t.Run("goes back when the newer connection ends", func(t *testing.T) {
		w, older := synced(t)
		newer := w.connectedAgain("DE2", "DE3")
		w.bank.On(pfmtest.ReadAccounts, func() error { return pfmtest.Failure(pfm.SupplierConsentInvalid) })
		w.bank.SetConsent("consent-2", pfm.Consent{State: pfm.ConsentRevokedByPSU})
		w.syncOnce(newer.ID)
		require.Equal(t, connection.Revoked, w.read(newer.ID).Status)
		w.bank.Before = nil

		w.clock.Advance(time.Hour)
		w.listedAgain("DE1", "DE2")
		w.bank.Rows["of-DE2"] = append(w.bank.Rows["of-DE2"], booked("2025-11-01", "t8", "-8.00"))
		w.syncOnce(older.ID)
		assert.Equal(t, map[string]string{"DE1": older.ID, "DE2": older.ID, "DE3": newer.ID}, w.holders())
		assert.Equal(t, 5, w.countOf(), "a row from before the other connection read the account, too")
		assert.Equal(t, connection.Revoked, w.read(newer.ID).Status)
	})

	t.Run("goes back with a reconnect", func(t *testing.T) {
		w, older := synced(t)
		ids := w.accountIDs()
		newer := w.connectedAgain("DE1", "DE2")
		w.clock.Advance(time.Hour)
		w.reauthorise(older.ID)
		assert.Equal(t, map[string]string{"DE1": older.ID, "DE2": older.ID}, w.holders())
		assert.Equal(t, ids, w.accountIDs())
		assert.Equal(t, connection.ReasonConsentReplaced, w.read(newer.ID).Reason)
		assert.Equal(t, connection.Active, w.read(older.ID).Status)
		assert.Equal(t, 3, w.countOf())
	})

	for _, status := range []connection.Status{
		connection.Expired, connection.Revoked, connection.Failed, connection.ActionRequired,
	} {
		t.Run("takes over the accounts of a connection that is "+string(status), func(t *testing.T) {
			w := newWorld(t)
			older := w.in(status)
			n := w.countOf()
			w.takeEvents()
			ibans := []string{}
			for iban := range w.holders() {
				ibans = append(ibans, iban)
			}
			newer := w.connectedAgain(ibans...)
			for iban, holder := range w.holders() {
				assert.Equal(t, newer.ID, holder, iban)
			}
			assert.Equal(t, n, w.countOf())
			was := w.read(older.ID)
			if status == connection.ActionRequired { // nobody has to act now
				assert.Equal(t, connection.ReasonConsentReplaced, was.Reason)
				assert.Len(t, w.expired(), 1)
				return
			}
			assert.Equal(t, older.Status, was.Status)
			assert.Equal(t, older.Reason, was.Reason)
			assert.Empty(t, w.expired(), "it ended before, for a reason of its own")
		})
	}

	t.Run("knows a card by its number, and another currency as another account", func(t *testing.T) {
		w := newWorld(t)
		card := pfm.BankAccount{ResourceID: "r1", MaskedPAN: "5254 **** 3241", Currency: "EUR", Name: "Card"}
		euro, dollars := current("r2", "DE2"), current("r3", "DE2")
		dollars.Currency = "USD"
		older := w.activate()
		w.bank.Listed = []pfm.BankAccount{card, euro}
		w.run(w.jobs()...)
		w.clock.Advance(time.Hour)
		newer := w.activate()
		card.ResourceID, dollars.ResourceID = "x1", "x2"
		w.bank.Listed = []pfm.BankAccount{card, dollars}
		w.run(w.jobs()...)
		got := map[string]string{}
		for _, a := range w.accounts() {
			got[a.Name+" "+a.Currency] = a.ConnectionID
		}
		assert.Equal(t, map[string]string{"Card EUR": newer.ID, "Everyday EUR": older.ID, "Everyday USD": newer.ID}, got)
	})

	t.Run("takes nothing from a connection to another bank", func(t *testing.T) {
		w, other := synced(t)
		moved := pfmtest.Provider()
		moved.ID, moved.Name = pfmtest.ID(4711), "Other Bank"
		require.NoError(t, w.store.PutProvider(t.Context(), moved))
		other.ProviderID = moved.ID
		require.NoError(t, w.store.SaveConnection(t.Context(), other, nil))
		w.clock.Advance(time.Hour)
		w.activate()
		w.listedAgain("DE1", "DE2")
		w.run(w.jobs()...)
		assert.Len(t, w.accounts(), 4)
		assert.Equal(t, connection.Active, w.read(other.ID).Status)
	})

	t.Run("takes nothing from a connection that is being deleted", func(t *testing.T) {
		w, older := synced(t)
		require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), older.ID))
		deletion := w.jobs()
		w.dropJobs()
		newer := w.connectedAgain("DE1", "DE2")
		w.run(deletion...)
		assert.Equal(t, map[string]string{"DE1": newer.ID, "DE2": newer.ID}, w.holders())
		assert.Equal(t, 3, w.countOf())
		assert.Len(t, w.transactions(), 3)
	})

	t.Run("takes over more accounts than fit into a transaction", func(t *testing.T) {
		w, older := activated(t)
		var ibans []string
		for i := range 95 {
			ibans = append(ibans, fmt.Sprintf("DE%03d", i))
		}
		w.listedAgain(ibans...)
		w.run(w.jobs()...)
		before := w.accounts()
		require.Len(t, before, 95)
		newer := w.connectedAgain(ibans...)
		holders := w.holders()
		require.Len(t, holders, 95)
		for _, holder := range holders {
			assert.Equal(t, newer.ID, holder)
		}
		assert.Equal(t, connection.ReasonConsentReplaced, w.read(older.ID).Reason)
	})

	t.Run("takes over from several connections", func(t *testing.T) {
		w, first := synced(t)
		second := w.connectedAgain("DE3")
		third := w.connectedAgain("DE1", "DE2", "DE3")
		assert.Equal(t, map[string]string{"DE1": third.ID, "DE2": third.ID, "DE3": third.ID}, w.holders())
		for _, id := range []string{first.ID, second.ID} {
			assert.Equal(t, connection.ReasonConsentReplaced, w.read(id).Reason)
		}
	})
}

func TestDeletionAfterATakeover(t *testing.T) {
	t.Run("of the older connection leaves the accounts alone", func(t *testing.T) {
		w, older := synced(t)
		rows := w.transactions()
		newer := w.connectedAgain("DE1", "DE2")
		require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), older.ID))
		w.run(w.jobs()...)
		assert.Equal(t, map[string]string{"DE1": newer.ID, "DE2": newer.ID}, w.holders())
		again := w.transactions()
		require.Len(t, again, 3)
		for i := range again {
			assert.Equal(t, rows[i].ID, again[i].ID)
		}
		assert.Equal(t, 3, w.countOf())
		_, err := w.store.ConnectionOwner(t.Context(), older.ID)
		require.ErrorIs(t, err, outcome.ErrNotFound)
	})

	t.Run("of the newer connection leaves nothing of them", func(t *testing.T) {
		w, older := synced(t)
		newer := w.connectedAgain("DE1", "DE2")
		require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), newer.ID))
		w.run(w.jobs()...)
		assert.Empty(t, w.accounts())
		assert.Empty(t, w.transactions())
		assert.Zero(t, w.countOf())
		assert.Equal(t, connection.Expired, w.read(older.ID).Status)
	})

	t.Run("of one that gave some accounts up deletes only those that it kept", func(t *testing.T) {
		w, older := synced(t)
		newer := w.connectedAgain("DE2", "DE3")
		require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), older.ID))
		w.run(w.jobs()...)
		assert.Equal(t, map[string]string{"DE2": newer.ID, "DE3": newer.ID}, w.holders())
		assert.Len(t, w.transactions(), 2)
		assert.Equal(t, 2, w.countOf())
	})
}

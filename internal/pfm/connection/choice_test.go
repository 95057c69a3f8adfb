package connection_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/logtest"
	"aviso/localstack/tests/pfmtest"
)

// choosing is a world with three payments to a shop, two to a person without a merchant,
// and one that names nobody.
type choosing struct {
	*world
	connection connection.Connection
}

func newChoosing(t *testing.T) choosing {
	w := newWorld(t)
	w.categorised()
	c := w.activate()
	w.bank.Rows = map[string][]pfm.BankTransaction{"r1": {
		paid("2026-02-10", "s1", "Kaufmann"), paid("2026-02-11", "s2", "Kaufmann"), paid("2026-02-12", "s3", "Kaufmann"),
		paid("2026-02-13", "p1", "Ada Bäcker"), paid("2026-02-14", "p2", "ADA BÄCKER"), paid("2026-02-15", "n1", ""),
	}}
	w.run(w.jobs()...)
	require.Len(t, w.transactions(), 6)
	return choosing{w, c}
}

func paid(day pfm.Date, id, party string) pfm.BankTransaction {
	b := booked(day, id, "-12.00")
	b.CreditorName = party
	return b
}

func (w choosing) chosen(id string) (category int, source pfm.CategorySource) {
	w.Helper()
	t := w.by(id)
	return t.Category.SubcategoryID, t.Source
}

func (w choosing) requireCategory(category int, source pfm.CategorySource, ids ...string) {
	w.Helper()
	for _, id := range ids {
		c, s := w.chosen(id)
		require.Equal(w, category, c, id)
		require.Equal(w, source, s, id)
	}
}

func TestChoiceForAMerchantHoldsForAllItsRows(t *testing.T) {
	w := newChoosing(t)
	w.categorise(w.by("s2").ID, pfm.LeisurePets, false)
	got := w.categorise(w.by("s1").ID, pfm.LeisureOther, true)
	assert.Equal(t, pfm.LeisureOther, got.Category.SubcategoryID)
	w.requireCategory(pfm.FoodGroceries, pfm.SourceMerchant, "s3")
	w.run(w.jobs()...)
	w.requireCategory(pfm.LeisureOther, pfm.SourceOverride, "s1", "s3")
	w.requireCategory(pfm.LeisurePets, pfm.SourceOverride, "s2")

	before := w.changes(transaction.ChangePosition{}).Since
	w.bank.Rows["r1"] = append(w.bank.Rows["r1"], paid("2026-03-01", "s4", "Kaufmann"))
	w.syncOnce(w.connection.ID)
	w.requireCategory(pfm.LeisureOther, pfm.SourceOverride, "s1", "s3", "s4")
	w.requireCategory(pfm.LeisurePets, pfm.SourceOverride, "s2")
	assert.Len(t, w.changes(before).Changes, 1, "the sync changes nothing but the new row")
	w.requireSums(map[int]int{pfm.LeisureOther: 3, pfm.LeisurePets: 1})

	require.NoError(t, w.reading.Uncategorise(t.Context(), pfmtest.User(), w.by("s2").ID))
	w.requireCategory(pfm.LeisureOther, pfm.SourceOverride, "s2") // the choice for the merchant is left
	require.NoError(t, w.reading.Uncategorise(t.Context(), pfmtest.User(), w.by("s3").ID))
	w.run(w.jobs()...)
	w.requireCategory(pfm.FoodGroceries, pfm.SourceMerchant, "s1", "s2", "s3", "s4")
	w.syncOnce(w.connection.ID)
	w.requireCategory(pfm.FoodGroceries, pfm.SourceMerchant, "s1", "s2", "s3", "s4")
	w.requireSums(map[int]int{pfm.FoodGroceries: 4})
	require.NoError(t, w.reading.Uncategorise(t.Context(), pfmtest.User(), w.by("s3").ID), "nothing to take back")
	assert.Empty(t, w.jobs())
}

// requireSums requires the number of rows in some categories, as insights count them.
func (w choosing) requireSums(want map[int]int) {
	w.Helper()
	all, err := w.store.Aggregates(w.Context(), pfmtest.User(), transaction.LevelAllTime, "", "")
	require.NoError(w, err)
	for category, n := range want {
		count := 0
		for _, a := range all {
			for key, tally := range a.Tallies {
				if key.Subcategory == category {
					count += tally.Count
				}
			}
		}
		require.Equal(w, n, count, category)
	}
}

func TestChoiceForACounterpartyWithoutMerchant(t *testing.T) {
	w := newChoosing(t)
	w.categorise(w.by("p1").ID, pfm.HousingRent, true)
	w.run(w.jobs()...)
	w.requireCategory(pfm.HousingRent, pfm.SourceOverride, "p1", "p2")

	_, err := w.reading.Categorise(t.Context(), pfmtest.User(), w.by("n1").ID, pfm.HousingRent, true)
	assert.True(t, apierror.Is(err, apierror.ValidationFailed))
	_, err = w.reading.Categorise(t.Context(), pfmtest.User(), pfmtest.ID(99), pfm.HousingRent, true)
	assert.True(t, apierror.Is(err, apierror.NotFound))
	assert.True(t, apierror.Is(w.reading.Uncategorise(t.Context(), pfmtest.User(), pfmtest.ID(99)), apierror.NotFound))
}

func TestChoiceForAMerchantStaysWithTheUser(t *testing.T) {
	w := newChoosing(t)
	w.categorise(w.by("s1").ID, pfm.LeisureOther, true)
	w.run(w.jobs()...)
	w.clock.Advance(time.Hour)
	again := w.activate()
	w.run(w.jobs()...)
	holdings, err := w.store.Holdings(t.Context(), pfmtest.User())
	require.NoError(t, err)
	assert.Len(t, holdings.Choices, 1, "another connection takes the account over")
	assert.Equal(t, again.ID, w.accounts()[0].ConnectionID)
	w.requireCategory(pfm.LeisureOther, pfm.SourceOverride, "s1", "s2", "s3")

	require.NoError(t, w.store.DeleteRest(t.Context(), pfmtest.User()))
	assert.Empty(t, w.rows(), "an erasure leaves no choice")
}

func TestChoiceForAMerchantWithManyRows(t *testing.T) {
	w := newChoosing(t)
	const many = 1000 // ten transactions and more
	for i := range many {
		day := pfm.Date(fmt.Sprintf("2025-%02d-%02d", 1+i%12, 1+i%28))
		w.bank.Rows["r1"] = append(w.bank.Rows["r1"], paid(day, fmt.Sprintf("m%d", i), "Kaufmann"))
	}
	w.syncOnce(w.connection.ID)
	w.categorise(w.by("s1").ID, pfm.LeisureOther, true)
	w.run(w.jobs()...)
	w.requireSums(map[int]int{pfm.LeisureOther: many + 3, pfm.FoodGroceries: 0})
}

// A sync reads the choices before it asks the bank. A choice that the user makes or takes
// back in between holds for what the sync writes.
func TestChoiceForAMerchantDuringASync(t *testing.T) {
	for name, c := range map[string]struct {
		chosen   bool
		meantime func(w choosing) error
		category int
		source   pfm.CategorySource
	}{
		"is made": {false, func(w choosing) error {
			_, err := w.reading.Categorise(t.Context(), pfmtest.User(), w.by("s1").ID, pfm.LeisureOther, true)
			return err
		}, pfm.LeisureOther, pfm.SourceOverride},
		"is taken back": {true, func(w choosing) error {
			return w.reading.Uncategorise(t.Context(), pfmtest.User(), w.by("s1").ID)
		}, pfm.FoodGroceries, pfm.SourceMerchant},
	} {
		t.Run(name, func(t *testing.T) {
			w := newChoosing(t)
			if c.chosen {
				w.categorise(w.by("s3").ID, pfm.LeisureOther, true)
				w.run(w.jobs()...)
				w.dropJobs()
			}
			w.bank.Rows["r1"] = append(w.bank.Rows["r1"], paid("2026-03-01", "s4", "Kaufmann"))
			w.bank.Before = func(operation string) error {
				if operation != pfmtest.ReadTransactions {
					return nil
				}
				w.bank.Before = nil
				require.NoError(t, c.meantime(w))
				for _, job := range w.jobs() {
					if job.Action == connection.JobApplyChoice {
						w.run(job)
					}
				}
				return nil
			}
			w.syncOnce(w.connection.ID)
			w.requireCategory(c.category, c.source, "s1", "s2", "s3", "s4")
			w.requireSums(map[int]int{c.category: 4})
		})
	}
}
func TestAChoiceForAMerchantIsNotAppliedOnceItIsTakenBack(t *testing.T) {
	w := newChoosing(t)
	w.categorise(w.by("s1").ID, pfm.LeisureOther, true)
	held, err := w.store.Holdings(t.Context(), pfmtest.User())
	require.NoError(t, err)
	require.NoError(t, w.reading.Uncategorise(t.Context(), pfmtest.User(), w.by("s1").ID))
	row := w.by("s2")
	late := []transaction.RowChange{{Old: &row, New: held.Choices.With(row)}}
	require.ErrorIs(t, w.store.SaveChoices(t.Context(), pfmtest.User(), held.ChoicesMade, late), pfm.ErrRowChanged)
	w.requireCategory(pfm.FoodGroceries, pfm.SourceMerchant, "s1", "s2", "s3")
}

func TestSyncCategorises(t *testing.T) {
	w := newWorld(t)
	w.syncer.Jobs = pfmtest.Jobs(w.store, logtest.Banks(w.bank.Of), func(t transaction.Transaction, _ string) transaction.Transaction {
		t.Category, _ = pfm.CategoryOf(pfm.FoodGroceries)
		t.Merchant = pfm.Merchant{ID: pfmtest.ID(7), Name: "Grünkorb"}
		t.Source, t.RuleID = pfm.SourceMerchant, "merchant:gruenkorb"
		return t
	}, w.clock.Now)
	c := w.activate()
	w.bank.Listed = []pfm.BankAccount{current("r1", "DE1"), current("r2", "DE2")}
	w.bank.Rows = map[string][]pfm.BankTransaction{
		"r1": {booked("2026-02-10", "shop", "-12.00"), booked("2026-02-11", "out", "-200.00")},
		"r2": {booked("2026-02-12", "in", "200.00")},
	}
	require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
	shop := w.by("shop")
	assert.Equal(t, "Grünkorb", shop.Merchant.Name)
	assert.Equal(t, pfm.SourceMerchant, shop.Source)
	for _, id := range []string{"out", "in"} {
		assert.Equal(t, pfm.TransferOwn, w.by(id).Category.SubcategoryID)
		assert.Equal(t, pfm.SourceOwnTransfer, w.by(id).Source)
		assert.Empty(t, w.by(id).Merchant)
	}

	t.Run("and keeps the user's choice", func(t *testing.T) {
		w.categorise(shop.ID, 560, false)
		w.request(c.ID)
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		again := w.by("shop")
		assert.Equal(t, shop.ID, again.ID)
		assert.Equal(t, pfm.LeisureOther, again.Category.SubcategoryID, "an L1 ID selects the catch-all subcategory")
		assert.Equal(t, pfm.SourceOverride, again.Source)
		assert.Equal(t, "Grünkorb", again.Merchant.Name)
	})
	t.Run("and asks for a retry if other writes keep winning", func(t *testing.T) {
		reading := transaction.NewReading(crowded{w.store}, pfmtest.Gate{}, w.clock.Now)
		_, err := reading.Categorise(t.Context(), pfmtest.User(), shop.ID, 560, false)
		assert.True(t, apierror.Is(err, apierror.TemporarilyUnavailable))
	})
	t.Run("and rejects an unknown category", func(t *testing.T) {
		_, err := w.reading.Categorise(t.Context(), pfmtest.User(), shop.ID, 508, false)
		assert.ErrorContains(t, err, "validation_failed")
	})
}

// crowded is a store in which every write loses a race.
type crowded struct{ transaction.Store }

func (crowded) OverrideCategory(context.Context, owner.User, string, pfm.Category, bool, time.Time) (transaction.Transaction, error) {
	return transaction.Transaction{}, fmt.Errorf("save rows: %w", pfm.ErrRowChanged)
}

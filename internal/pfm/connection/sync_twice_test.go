package connection_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
	"aviso/internal/money"
	"aviso/internal/outcome"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/pfmtest"
)

func TestConcurrentSyncs(t *testing.T) {
	t.Run("only one runs, the other is retried later", func(t *testing.T) {
		w, c := reading(t)
		var second error
		w.bank.On(pfmtest.ReadAccounts, func() error {
			second = w.syncer.Sync(t.Context(), jobOf(c), 1)
			return nil
		})
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		var later *outcome.Later
		require.ErrorAs(t, second, &later)
		assert.True(t, outcome.IsWait(second))
		assert.GreaterOrEqual(t, later.After, 3*time.Minute)
		assert.Len(t, w.bank.Calls, 1)
		assert.Len(t, w.accounts(), 1)
	})

	t.Run("one that has lost its lease writes nothing", func(t *testing.T) {
		w, c := reading(t, booked("2026-03-01", "t1", "-1.00"))
		var after []dynamo.Item
		nested := false
		w.bank.On(pfmtest.ReadTransactions, func() error {
			if !nested {
				nested = true
				w.clock.Advance(3*time.Minute + time.Millisecond) // the lease has expired, and another sync acquires it
				require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 2))
				after = w.rows()
				w.bank.Rows["r1"] = []pfm.BankTransaction{booked("2026-03-01", "stale", "-99.00")}
			}
			return nil
		})
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		assert.Equal(t, after, w.rows())
		assert.Len(t, w.transactions(), 1)
	})

	t.Run("a connection deleted in the meantime stays deleted", func(t *testing.T) {
		w, c := reading(t)
		w.bank.On(pfmtest.ReadAccounts, func() error {
			for _, row := range w.rows() {
				_, err := w.db.DeleteItem(
					t.Context(),
					&dynamodb.DeleteItemInput{TableName: &w.table, Key: dynamo.Item{"pk": row["pk"], "sk": row["sk"]}},
				)
				require.NoError(t, err)
			}
			return nil
		})
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		assert.Empty(t, w.rows())
	})

	t.Run("a consent authorised in the meantime is kept", func(t *testing.T) {
		for name, failure := range map[string]error{"by a success": nil,
			"by a failure of the previous one": pfmtest.Failure(pfm.SupplierConsentExpired)} {
			w, c := activated(t)
			w.bank.SetConsent("consent-1", pfm.Consent{State: pfm.ConsentTerminatedByTPP})
			w.bank.Before = func(operation string) error {
				if operation != pfmtest.ReadAccounts {
					return nil
				}
				renewed := w.read(c.ID)
				renewed.ConsentID, renewed.SyncRequestedAt = "consent-2", w.clock.Now().Add(time.Minute)
				require.NoError(t, w.store.SaveConnection(t.Context(), renewed, nil))
				return failure
			}
			require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1), name)
			stored := w.read(c.ID)
			assert.Equal(t, connection.Active, stored.Status, name)
			assert.Equal(t, "consent-2", stored.ConsentID)
			assert.Equal(t, w.clock.Now().Add(time.Minute), stored.SyncRequestedAt, "its own sync is still outstanding")
		}
	})

	t.Run("a sync requested in the meantime is still outstanding", func(t *testing.T) {
		w, c := activated(t)
		w.bank.On(pfmtest.ReadAccounts, func() error {
			asked := w.read(c.ID)
			asked.SyncRequestedAt = w.clock.Now().Add(time.Minute)
			require.NoError(t, w.store.SaveConnection(t.Context(), asked, nil))
			return nil
		})
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		assert.Equal(t, w.clock.Now().Add(time.Minute), w.read(c.ID).SyncRequestedAt)
		assert.Equal(t, w.clock.Now(), w.read(c.ID).LastSuccessAt)
	})
}

func TestInterruptedSync(t *testing.T) {
	w, c := reading(t)
	sum := money.Amount{}
	for i := range 350 { // several chunks of equal purchases without IDs, so only the rows themselves differ
		row := booked(pfm.Date(fmt.Sprintf("2026-02-%02d", 1+i%20)), "", "-1.05")
		w.bank.Rows = map[string][]pfm.BankTransaction{"r1": append(w.bank.Rows["r1"], row)}
		sum = add(t, sum, row.Amount)
	}
	// In each run, the first write acquires the lease. In the first run it finds none, and two
	// more create it and the account. The next ones are chunks of 95 rows with their numbers
	// and the three aggregates that they affect, and the last one finishes the sync.
	for run, refused := range []int64{4, 3, 3, 3, 2, 3} {
		w.refuse.Store(refused)
		require.Error(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		assert.Len(t, w.transactions(), []int{0, 92, 184, 276, 276, 350}[run])
		assert.False(t, w.read(c.ID).SyncRequestedAt.IsZero(), "the sync is still outstanding")
		w.clock.Advance(7 * time.Hour) // the last one could not release its lease, and a day allows four attempts
	}
	w.refuse.Store(0)
	require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 2))
	all := w.transactions()
	assert.Len(t, all, 350)
	got := money.Amount{}
	for _, row := range all {
		got = add(t, got, row.Amount)
	}
	assert.Equal(t, sum, got)
	assert.Len(t, w.accounts(), 1)
}

func add(t *testing.T, a, b money.Amount) money.Amount {
	t.Helper()
	sum, err := a.Add(b)
	require.NoError(t, err)
	return sum
}

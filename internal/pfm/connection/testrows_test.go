package connection_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/pfmtest"
)

// testBank records the rows that it gets.
type testBank struct {
	*pfmtest.Bank

	batches []string
	rows    []connection.TestRow
	refusal error
}

func (b *testBank) AddTestRows(
	_ context.Context, _ pfm.BankEndpoint, consentID, resourceID, batch string, rows []connection.TestRow,
) error {
	b.batches = append(b.batches, consentID+"/"+resourceID+"/"+batch)
	b.rows = append(b.rows, rows...)
	return b.refusal
}

// testRows is the service for a sandbox bank, and the first account of a synced connection.
func (w *world) testRows() (*testBank, *connection.Connections, connection.Connection, pfm.Account) {
	w.Helper()
	c := w.synced()
	p := pfmtest.Provider()
	p.Endpoint.BaseURL = "http://localhost:3000/sandbox/banks/lindenmark"
	require.NoError(w, w.store.PutProvider(w.Context(), p))
	bank := &testBank{Bank: w.bank}
	service := connection.New(connection.Deps{
		Store: w.store, Bank: func(pfm.BankEndpoint) pfm.Supplier { return bank }, Gate: pfmtest.Gate{}, AnyUser: pfmtest.Gate{},
		Now: w.clock.Now, NewID: uuid.NewString,
	})
	return bank, service, c, w.accounts()[0]
}

func testRow(amount string, day pfm.Date) connection.TestRow {
	return connection.TestRow{Amount: money.MustParse(amount), Day: day, Note: "n"}
}

func TestTestRows(t *testing.T) {
	t.Run("are read by the next sync, which is possible at once", func(t *testing.T) {
		w := newWorld(t)
		bank, service, c, account := w.testRows()
		old := pfm.DateOf(w.clock.Now()).AddDays(-90)
		_, err := service.AddTestRows(t.Context(), pfmtest.User(), account.ID, "batch", []connection.TestRow{
			testRow("-1.5", old), testRow("2", ""),
		}, nil)
		require.NoError(t, err)
		assert.Equal(t, []string{account.ConsentID + "/" + account.ResourceID + "/batch"}, bank.batches)
		assert.Equal(t, pfm.DateOf(w.clock.Now()), bank.rows[1].Day)
		_, err = service.Refresh(t.Context(), pfmtest.User(), c.ID, connection.Visitor{}, nil)
		require.NoError(t, err, "refreshTimeoutMinutes have not passed")
		w.run(w.jobs()...)
		asked := w.bank.Calls
		assert.LessOrEqual(t, asked[len(asked)-1].From, old)
		assert.Zero(t, w.read(c.ID).TestRows)
		_ = w.refused(c.ID, "", apierror.RefreshTooEarly)
	})

	t.Run("that come during a sync wait for the next one", func(t *testing.T) {
		w := newWorld(t)
		_, service, c, account := w.testRows()
		add := func() {
			t.Helper()
			_, err := service.AddTestRows(t.Context(), pfmtest.User(), account.ID, "b", []connection.TestRow{testRow("1", "")}, nil)
			require.NoError(t, err)
		}
		add()
		var once sync.Once
		w.bank.On(pfmtest.ReadTransactions, func() error {
			once.Do(func() {
				w.clock.Advance(time.Second)
				add()
			})
			return nil
		})
		_, err := service.Refresh(t.Context(), pfmtest.User(), c.ID, connection.Visitor{}, nil)
		require.NoError(t, err)
		w.run(w.jobs()...)
		assert.NotZero(t, w.read(c.ID).TestRows)
	})

	t.Run("are refused", func(t *testing.T) {
		w := newWorld(t)
		bank, service, _, account := w.testRows()
		add := func(accountID string, rows ...connection.TestRow) *apierror.Error {
			t.Helper()
			_, err := service.AddTestRows(t.Context(), pfmtest.User(), accountID, "b", rows, nil)
			var refusal *apierror.Error
			require.ErrorAs(t, err, &refusal)
			return refusal
		}
		today := pfm.DateOf(w.clock.Now())
		good := testRow("1", today)
		for code, row := range map[string]connection.TestRow{
			"in_the_future": testRow("1", today.AddDays(1)), "before_history": testRow("1", "2001-01-01"),
			"invalid": testRow("0.00", today), "too_large": testRow("-1000000.01", today),
		} {
			refusal := add(account.ID, good, row)
			require.Len(t, refusal.Fields, 1, code)
			assert.Equal(t, code, refusal.Fields[0].Code)
			assert.Contains(t, refusal.Fields[0].Pointer, "/transactions/1/")
		}
		assert.Equal(t, apierror.NotFound, add(uuid.NewString(), good).Code)
		assert.Empty(t, bank.batches)

		bank.refusal = &pfm.SupplierError{Kind: pfm.SupplierRejected, Status: 409}
		assert.Equal(t, connection.MaxTestRowsPerAccount, add(account.ID, good).Fields[0].Limit)
		bank.refusal = &pfm.SupplierError{Kind: pfm.SupplierConsentInvalid, Status: 401}
		assert.Equal(t, apierror.ConnectionNotActive, add(account.ID, good).Code)
		bank.refusal = &pfm.SupplierError{Kind: pfm.SupplierUnavailable}
		assert.Equal(t, apierror.TemporarilyUnavailable, add(account.ID, good).Code)

		bank.batches = nil
		require.NoError(t, w.store.PutProvider(t.Context(), pfmtest.Provider()))
		assert.Equal(t, "not_a_sandbox_account", add(account.ID, good).Fields[0].Code)
		assert.Empty(t, bank.batches, "a real bank never gets them")
	})
}

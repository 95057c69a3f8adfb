package bank_test

import (
	"math"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/persona"
	"aviso/internal/sandbox/sandboxdb"
)

// contract checks what the banks rely on.
func contract(t *testing.T, store *sandboxdb.Store, now time.Time) {
	until := persona.DayOf(now) + 90
	consent := bank.Consent{
		Bank: "lindenmark", ID: "c1", State: bank.Received, ValidUntil: until, LastAction: until - 90, FrequencyPerDay: 4,
		Access:      bank.Access{Balances: []bank.Reference{}, Transactions: []bank.Reference{{IBAN: "DE02100100109307118603"}}},
		AuthoriseBy: now.Add(time.Hour).UTC(), Authorisations: []string{"a1"}, Ahead: 36 * time.Hour,
		Overrides: bank.Overrides{SCADue: true, Trouble: persona.Throttled, TroubleEnds: now.Add(time.Minute).UTC()},
		Ledger: bank.Ledger{Issue: 2, Changes: []bank.Change{{Account: "current", Kind: bank.RowBooked, Day: until,
			Row: math.MaxUint64}}},
	}
	authorisation := bank.Authorisation{
		Bank:        "lindenmark",
		ID:          "a1",
		ConsentID:   "c1",
		Status:      bank.SCAReceived,
		RedirectURI: "http://localhost:8123/",
		ExpiresAt:   now.Add(time.Hour).UTC(),
	}
	ctx := t.Context()

	t.Run("returns ErrNotFound for an unknown record", func(t *testing.T) {
		_, err := sandboxdb.Get(ctx, store, bank.Consent{Bank: "lindenmark", ID: "nope"})
		assert.ErrorIs(t, err, outcome.ErrNotFound)
		_, err = sandboxdb.Get(ctx, store, bank.Authorisation{Bank: "lindenmark", ID: "nope"})
		assert.ErrorIs(t, err, outcome.ErrNotFound)
		_, err = sandboxdb.Get(ctx, store, bank.Customer{Bank: "lindenmark", ID: "nope"})
		assert.ErrorIs(t, err, outcome.ErrNotFound)
	})
	t.Run("returns saved records, with the next version", func(t *testing.T) {
		require.NoError(t, store.Save(ctx, consent, authorisation))
		got, err := sandboxdb.Get(ctx, store, bank.Consent{Bank: "lindenmark", ID: "c1"})
		require.NoError(t, err)
		consent.Version = 1
		assert.Equal(t, consent, got)
		assert.NotNil(t, got.Access.Balances, "an empty list differs from an absent one")
		assert.Nil(t, got.Access.Accounts)
		a, err := sandboxdb.Get(ctx, store, bank.Authorisation{Bank: "lindenmark", ID: "a1"})
		require.NoError(t, err)
		authorisation.Version = 1
		assert.Equal(t, authorisation, a)
		_, err = sandboxdb.Get(ctx, store, bank.Consent{Bank: "waterkant", ID: "c1"})
		assert.ErrorIs(t, err, outcome.ErrNotFound, "banks do not share records")
	})
	t.Run("writes all or nothing", func(t *testing.T) {
		stale := consent
		stale.Version = 0
		customer := bank.Customer{Bank: "lindenmark", ID: "anna/", ConsentID: "c1", Forget: now.Add(time.Hour).UTC()}
		assert.ErrorIs(t, store.Save(ctx, customer, stale), outcome.ErrChanged)
		_, err := sandboxdb.Get(ctx, store, bank.Customer{Bank: "lindenmark", ID: "anna/"})
		assert.ErrorIs(t, err, outcome.ErrNotFound)

		require.NoError(t, store.Save(ctx, customer, consent))
		got, err := sandboxdb.Get(ctx, store, bank.Customer{Bank: "lindenmark", ID: "anna/"})
		require.NoError(t, err)
		customer.Version = 1
		assert.Equal(t, customer, got)
		assert.ErrorIs(t, store.Save(ctx, consent), outcome.ErrChanged, "it has changed")
	})
	t.Run("lists approvals, newest first", func(t *testing.T) {
		none, err := sandboxdb.List[bank.Approval](ctx, store, bank.Approval{}.Key().PK, "", 10, nil)
		require.NoError(t, err)
		assert.Empty(t, none)
		var want []bank.Approval
		for i, id := range []string{"20261120T120000.000Z-c", "20261120T120000.000Z-b", "20261119T120000.000Z-a"} {
			a := bank.Approval{
				ID:        id,
				Bank:      "lindenmark",
				ConsentID: "c1",
				Persona:   "anna",
				At:        now.Add(-time.Duration(i) * time.Hour).UTC(),
			}
			require.NoError(t, store.Save(ctx, a))
			a.Version = 1
			want = append(want, a)
		}
		got, err := sandboxdb.List[bank.Approval](ctx, store, bank.Approval{}.Key().PK, "", 10, nil)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		got, err = sandboxdb.List[bank.Approval](ctx, store, bank.Approval{}.Key().PK, "", 2, nil)
		require.NoError(t, err)
		assert.Equal(t, want[:2], got)
		got, err = sandboxdb.List[bank.Approval](ctx, store, bank.Approval{}.Key().PK, want[1].ID, 2, nil)
		require.NoError(t, err)
		assert.Equal(t, want[2:], got)

		one, err := sandboxdb.Get(ctx, store, bank.Approval{ID: want[1].ID})
		require.NoError(t, err)
		assert.Equal(t, want[1], one)
		_, err = sandboxdb.Get(ctx, store, bank.Approval{ID: "nope"})
		assert.ErrorIs(t, err, outcome.ErrNotFound)
	})
	t.Run("counts every call once", func(t *testing.T) {
		key := consent.CallKey("2026-11-20", "balances", "current")
		var wg sync.WaitGroup
		var mu sync.Mutex
		seen := map[int]bool{}
		for range 12 {
			wg.Go(func() {
				n, err := store.Count(ctx, key, now.Add(time.Hour))
				assert.NoError(t, err)
				mu.Lock()
				defer mu.Unlock()
				seen[n] = true
			})
		}
		wg.Wait()
		assert.Len(t, seen, 12)
		key = consent.CallKey("2026-11-21", "balances", "current")
		n, err := store.Count(ctx, key, now.Add(time.Hour))
		require.NoError(t, err)
		assert.Equal(t, 1, n)
	})
}

package pfmdb_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/pfmtest"
)

func account(c connection.Connection, id int) pfm.Account {
	return pfm.Account{
		ID: pfmtest.ID(id), Owner: c.Owner, ConnectionID: c.ID, Name: fmt.Sprintf("Account %d", id),
		Number: "0532013000", IBAN: "DE89370400440532013000", Type: pfm.AccountCurrent, Currency: "EUR",
		Balance: money.MustParse("1843.20"), CreatedAt: c.CreatedAt, UpdatedAt: c.CreatedAt.Add(time.Millisecond),
		ResourceID: "r1", ConsentID: "consent-1",
	}
}

// accounts lists a user's accounts page by page.
func (s *tables) accounts(user owner.User, limit int, between ...func()) []string {
	s.t.Helper()
	var got []string
	for position := ""; ; {
		page, next, err := s.AccountViews(s.t.Context(), user, limit, position)
		require.NoError(s.t, err)
		for _, v := range page {
			assert.Equal(s.t, v.Account.ConnectionID, v.Connection.ID)
			got = append(got, v.Account.Name+" of "+v.Connection.ProviderName)
		}
		if position = next; next == "" {
			return got
		}
		require.Len(s.t, page, limit)
		for _, f := range between {
			f()
		}
	}
}

func TestAccounts(t *testing.T) {
	named := func(name string) func(*connection.Connection) {
		return func(c *connection.Connection) { c.ProviderName = name }
	}

	t.Run("of all connections are listed once in pages of any size", func(t *testing.T) {
		s := newTables(t)
		for i, name := range []string{"One", "None", "Three", "Empty", "Two"} {
			c := s.connect(i+1, named(name))
			var list []pfm.Account
			for n := range map[string]int{"One": 1, "Three": 3, "Two": 2}[name] {
				list = append(list, account(c, 10*(i+1)+n))
			}
			require.NoError(t, s.SaveAccounts(t.Context(), s.lease(c, "l"), list))
		}
		want := []string{
			"Account 10 of One", "Account 30 of Three", "Account 31 of Three", "Account 32 of Three",
			"Account 50 of Two", "Account 51 of Two",
		}
		for limit := 1; limit <= 7; limit++ {
			assert.Equal(t, want, s.accounts(pfmtest.User(), limit), "limit %d", limit)
		}
	})

	t.Run("that arrive between pages cause no gaps or repeats", func(t *testing.T) {
		s := newTables(t)
		c := s.connect(5, named("Bank"))
		l := s.lease(c, "l")
		require.NoError(t, s.SaveAccounts(t.Context(), l, []pfm.Account{account(c, 20), account(c, 40), account(c, 60)}))
		n := 0
		got := s.accounts(pfmtest.User(), 1, func() {
			if n++; n < 5 {
				require.NoError(t, s.SaveAccounts(t.Context(), l, []pfm.Account{account(c, n), account(c, 90+n)}))
			}
		})
		assert.Subset(t, got, []string{"Account 20 of Bank", "Account 40 of Bank", "Account 60 of Bank"})
		assert.Len(t, got, len(unique(got)))
	})

	t.Run("whose connection is deleted are not listed under another", func(t *testing.T) {
		s := newTables(t)
		first, second := s.connect(1, named("First")), s.connect(2, named("Second"))
		for i, c := range []connection.Connection{first, second} {
			require.NoError(t, s.SaveAccounts(t.Context(), s.lease(c, "l"), []pfm.Account{account(c, 10*(i+1))}))
		}
		key := dynamo.Key{PK: second.Owner.Key(), SK: "C#" + second.ID}
		require.NoError(t, dynamo.NewTable(s.db, s.table).Delete(t.Context(), key))
		assert.Equal(t, []string{"Account 10 of First"}, s.accounts(pfmtest.User(), 10))
	})

	t.Run("of other users are not listed", func(t *testing.T) {
		s, c := connected(t)
		require.NoError(t, s.SaveAccounts(t.Context(), s.lease(c, "l"), []pfm.Account{account(c, 10)}))
		assert.Empty(t, s.accounts(owner.User{Partner: "other", ID: c.Owner.ID}, 10))
		assert.Empty(t, s.accounts(owner.User{Partner: c.Owner.Partner, ID: "other"}, 10))
	})
}

func unique(list []string) map[string]bool {
	set := map[string]bool{}
	for _, s := range list {
		set[s] = true
	}
	return set
}

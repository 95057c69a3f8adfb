package transaction

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

var monday = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// row returns a row of one account: days after 2 March 2026, state, shop, and the
// bank's ID. The amount depends on the shop.
func row(day int, state RecordState, shop, bankID string) Transaction {
	t := Transaction{
		AccountID: "a", RecordDate: pfm.DateOf(monday).AddDays(day), State: state, BankID: bankID, Note: shop,
		Amount: money.MustParse(fmt.Sprintf("-%d.50", len(shop))), Currency: "EUR",
	}
	t.Content = contentOf(t)
	return t
}

func knownRow(id string, day int, state RecordState, shop, bankID string) Transaction {
	t := row(day, state, shop, bankID)
	t.ID, t.CreatedAt, t.UpdatedAt = id, monday, monday
	return t
}

func TestReconcile(t *testing.T) {
	type rows = []Transaction
	u, c := Uncleared, Cleared
	for _, tt := range []struct {
		name           string
		known, fetched rows
		// want is the table afterwards: ID, day and state of each row.
		want []string
	}{
		{"a new row", nil, rows{row(1, c, "x", "1")}, []string{"new1 1 Cleared"}},
		{"two equal purchases on one day stay two", nil, rows{
			row(1, c, "x", ""), row(1, c, "x", ""),
		}, []string{"new1 1 Cleared", "new2 1 Cleared"}},
		{"a row listed again", rows{knownRow("A", 1, c, "x", "1")}, rows{row(1, c, "x", "1")}, []string{"A 1 Cleared"}},
		{"a third equal purchase", rows{
			knownRow("A", 1, c, "x", ""), knownRow("B", 1, c, "x", ""),
		}, rows{row(1, c, "x", ""), row(1, c, "x", ""), row(1, c, "x", "")}, []string{"A 1 Cleared", "B 1 Cleared", "new1 1 Cleared"}},
		{"pending becomes booked by ID", rows{knownRow("A", 1, u, "x", "1")}, rows{row(3, c, "x", "1")}, []string{"A 3 Cleared"}},
		{"pending becomes booked by ID, much later", rows{knownRow("A", 1, u, "x", "1")}, rows{row(25, c, "x", "1")}, []string{"A 25 Cleared"}},
		{"pending becomes booked by ID with another text", rows{knownRow("A", 1, u, "x", "1")}, rows{row(3, c, "y", "1")}, []string{"A 3 Cleared"}},
		{"pending becomes booked with a new ID", rows{knownRow("A", 1, u, "x", "p1")}, rows{row(3, c, "x", "b1")}, []string{"A 3 Cleared"}},
		{"pending becomes booked without IDs", rows{knownRow("A", 1, u, "x", "")}, rows{row(11, c, "x", "")}, []string{"A 11 Cleared"}},
		{"booked too late to match", rows{knownRow("A", 1, u, "x", "")}, rows{row(47, c, "x", "")}, []string{"A 1 Void", "new1 47 Cleared"}},
		{"booked after weeks", rows{knownRow("A", 1, u, "x", "")}, rows{row(20, c, "x", "")}, []string{"A 20 Cleared"}},
		{"pending becomes booked on an earlier day", rows{knownRow("A", 5, u, "x", "")}, rows{row(4, c, "x", "")}, []string{"A 4 Cleared"}},
		{"a booked row gets a new ID", rows{knownRow("A", 1, c, "x", "1")}, rows{row(1, c, "x", "9")}, []string{"A 1 Cleared"}},
		{"a booked row loses its ID", rows{knownRow("A", 1, c, "x", "1")}, rows{row(1, c, "x", "")}, []string{"A 1 Cleared"}},
		{"a booked row gets another text", rows{knownRow("A", 1, c, "x", "1")}, rows{row(1, c, "y", "1")}, []string{"A 1 Cleared"}},
		{"an ID with another amount and text is another row", rows{knownRow("A", 1, c, "x", "1")}, rows{row(1, c, "other", "1")}, []string{
			"A 1 Cleared", "new1 1 Cleared",
		}},
		{"a pending ID with another amount and text is another row", rows{
			knownRow("A", 1, u, "x", "10000"),
		}, rows{row(3, u, "other", "10000")}, []string{"A 1 Void", "new1 3 Uncleared"}},
		{"a booked row moves", rows{knownRow("A", 1, c, "x", "1")}, rows{row(4, c, "x", "1")}, []string{"A 4 Cleared"}},
		{"a pending row vanishes", rows{knownRow("A", 1, u, "x", "1")}, nil, []string{"A 1 Void"}},
		{"a vanished row comes back", rows{knownRow("A", 1, Void, "x", "")}, rows{row(1, u, "x", "")}, []string{"A 1 Uncleared"}},
		{"a vanished row is booked", rows{knownRow("A", 1, Void, "x", "")}, rows{row(4, c, "x", "")}, []string{"A 4 Cleared"}},
		{"a booked row that is no longer listed stays", rows{knownRow("A", 1, c, "x", "1")}, nil, []string{"A 1 Cleared"}},
		{"a booked row is pending again", rows{knownRow("A", 1, c, "x", "")}, rows{row(1, u, "x", "")}, []string{"A 1 Uncleared"}},
		{"another pending row of the day is not the booked one", rows{knownRow("A", 1, c, "x", "7")}, rows{row(1, u, "x", "4")}, []string{
			"A 1 Cleared", "new1 1 Uncleared",
		}},
		{"a row listed on two pages", nil, rows{row(1, c, "x", "1"), row(1, c, "x", "1")}, []string{"new1 1 Cleared"}},
		{"a row listed as pending and as booked", nil, rows{row(1, u, "x", "1"), row(2, c, "x", "1")}, []string{"new1 2 Cleared"}},
		{"a row listed as booked and as pending", nil, rows{row(2, c, "x", "1"), row(1, u, "x", "1")}, []string{"new1 2 Cleared"}},
		{"a row listed as pending and as booked with another text", nil, rows{
			row(1, u, "x", "1"), row(2, c, "y", "1"),
		}, []string{"new1 2 Cleared"}},
		{"one ID for two rows", nil, rows{row(1, c, "x", "1"), row(1, c, "other", "1")}, []string{"new1 1 Cleared", "new2 1 Cleared"}},
		{"one ID for two rows, one listed twice", nil, rows{
			row(1, c, "x", "1"), row(1, c, "other", "1"), row(1, c, "other", "1"),
		}, []string{"new1 1 Cleared", "new2 1 Cleared"}},
		{"one ID for all payments of a standing order", nil, rows{
			row(1, c, "x", "1"), row(8, c, "x", "1"),
		}, []string{"new1 1 Cleared", "new2 8 Cleared"}},
		{"an ID that moved to another row", rows{knownRow("A", 1, c, "x", "1")}, rows{
			row(2, c, "other", "1"), row(1, c, "x", "2"),
		}, []string{"A 1 Cleared", "new1 2 Cleared"}},
		{"an ID that moved to a row of another day after its own was cut off", rows{knownRow("A", 1, c, "x", "1")}, rows{row(9, c, "other", "1")}, []string{"A 1 Cleared", "new1 9 Cleared"}},
		{"an ID that is used again after a month", rows{knownRow("A", 1, c, "x", "1")}, rows{row(29, c, "x", "1")}, []string{
			"A 1 Cleared", "new1 29 Cleared",
		}},
		{"a vanished row next to an equal booked one", rows{
			knownRow("A", 1, Void, "x", ""), knownRow("B", 1, c, "x", ""),
		}, rows{row(1, c, "x", "")}, []string{"A 1 Void", "B 1 Cleared"}},
		{"a pending row next to an equal booked one", rows{
			knownRow("A", 1, u, "x", ""), knownRow("B", 1, c, "x", ""),
		}, rows{row(1, u, "x", ""), row(1, c, "x", "")}, []string{"A 1 Uncleared", "B 1 Cleared"}},
		{"a pending row matches before a vanished one", rows{
			knownRow("A", 1, Void, "x", ""), knownRow("B", 3, u, "x", ""),
		}, rows{row(4, c, "x", "")}, []string{"A 1 Void", "B 4 Cleared"}},
		{"as many equal pending rows as possible are booked", rows{
			knownRow("A", 1, u, "x", ""), knownRow("B", 9, u, "x", ""),
		}, rows{row(12, c, "x", ""), row(10, c, "x", "")}, []string{"A 10 Cleared", "B 12 Cleared"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table := map[string]Transaction{}
			for _, k := range tt.known {
				table[k.ID] = k
			}
			apply(t, table, Reconcile(tt.known, Statement{Rows: tt.fetched}, newNames(), monday.Add(time.Hour)))
			var got []string
			for id, k := range table {
				got = append(
					got, fmt.Sprintf("%s %d %s", id, int(k.RecordDate.Time().Sub(pfm.DateOf(monday).Time())/(24*time.Hour)), k.State),
				)
			}
			assert.ElementsMatch(t, tt.want, got)
		})
	}

	t.Run("writes nothing without changes", func(t *testing.T) {
		known := rows{knownRow("A", 1, c, "x", "1"), knownRow("B", 2, u, "y", ""), knownRow("C", 2, Void, "z", "")}
		assert.Empty(t, Reconcile(known, Statement{Rows: rows{row(2, u, "y", ""), row(1, c, "x", "1")}}, newNames(), monday.Add(time.Hour)))
	})

	t.Run("keeps createdAt, and updates updatedAt", func(t *testing.T) {
		later := monday.Add(time.Hour)
		fetched := Statement{Rows: rows{row(2, c, "x", "1"), row(2, c, "new", "2")}}
		changes := Reconcile(rows{knownRow("A", 1, u, "x", "1")}, fetched, newNames(), later)
		require.Len(t, changes, 2)
		for _, change := range changes {
			assert.Equal(t, later, change.New.UpdatedAt)
			if change.Old != nil {
				assert.Equal(t, monday, change.New.CreatedAt)
				assert.Equal(t, pfm.DateOf(monday).AddDays(1), change.Old.RecordDate)
			} else {
				assert.Equal(t, later, change.New.CreatedAt)
			}
		}
	})

	t.Run("does not modify its input", func(t *testing.T) {
		fetched := rows{row(5, c, "x", "1"), row(1, c, "y", "1"), row(3, c, "z", "2")}
		was := append(rows(nil), fetched...)
		Reconcile(nil, Statement{Rows: fetched}, newNames(), monday)
		assert.Equal(t, was, fetched)
	})
}

// apply writes changes as the store does, and checks what the store relies on.
func apply(t require.TestingT, table map[string]Transaction, changes []RowChange) {
	touched := map[string]bool{}
	for _, change := range changes {
		id := change.New.ID
		require.False(t, touched[id], "a row is changed at most once")
		touched[id] = true
		was, there := table[id]
		require.Equal(t, there, change.Old != nil)
		if there {
			require.Equal(t, was, *change.Old)
		}
		table[id] = change.New
	}
}

func newNames() func() string {
	n := 0
	return func() string { n++; return fmt.Sprintf("new%d", n) }
}

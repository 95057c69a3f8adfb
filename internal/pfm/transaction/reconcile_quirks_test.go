package transaction

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

// quirkyBank lists purchases of different amounts, and changes between two statements
// what banks change. Its user knows a purchase by the amount.
type quirkyBank struct {
	*rapid.T
	positions bool // IDs number the rows of a statement
	today     pfm.Date
	issued    int
	purchases []*quirkyPurchase
}

type quirkyPurchase struct {
	amount          string
	id, ref, text   string
	day             pfm.Date
	booked, removed bool
	// shadow is the pending row that is listed beside the booked one.
	shadow *Transaction
	listed bool
	moved  bool
}

func (b *quirkyBank) chance(what string) bool { return rapid.IntRange(0, 3).Draw(b.T, what) == 0 }

func (b *quirkyBank) next(prefix string) string {
	b.issued++
	return fmt.Sprintf("%s-%d", prefix, b.issued)
}

func (b *quirkyBank) buy() {
	for range rapid.IntRange(0, 3).Draw(b.T, "purchases") {
		b.issued++
		p := &quirkyPurchase{
			amount: fmt.Sprintf("-%d.10", b.issued), day: b.today, text: b.next("shop"),
			booked: rapid.Bool().Draw(b.T, "booked at once"),
		}
		if rapid.Bool().Draw(b.T, "has an ID") {
			p.id = b.next("id")
		}
		if b.chance("has a reference") {
			p.ref = b.next("ref")
		}
		b.purchases = append(b.purchases, p)
	}
}

// change does to each purchase what a bank may do.
func (b *quirkyBank) change() {
	for _, p := range b.purchases {
		p.shadow = nil
		if p.removed || b.today.Time().Sub(p.day.Time()) > 5*24*time.Hour {
			continue
		}
		was := p.row()
		isBooking := !p.booked && rapid.Bool().Draw(b.T, "books")
		switch {
		case isBooking:
			p.booked, p.day = true, b.today
			if p.listed && p.id != "" && b.chance("lists it as pending, too") {
				p.id, p.shadow = b.next("id"), &was
				continue
			}
		case p.booked && !p.moved && b.chance("corrects the day"):
			p.day, p.moved = min(p.day.AddDays(rapid.IntRange(1, 3).Draw(b.T, "days")), b.today), true
			continue
		case b.chance("removes it"):
			p.removed = true
			continue
		}
		if b.chance("rewords it") {
			p.text = b.next("text")
		}
		if p.id == "" || b.chance("gives it another ID") {
			p.id = b.next("id")
		}
	}
}

func (p *quirkyPurchase) row() Transaction {
	t := Transaction{
		AccountID: "a", RecordDate: p.day, Amount: money.MustParse(p.amount), Currency: "EUR", Note: p.text,
		State: Uncleared, BankID: p.id, EntryReference: p.ref,
	}
	if p.booked {
		t.State = Cleared
	}
	t.Content = contentOf(t)
	return t
}

func (b *quirkyBank) statement() Statement {
	anchor := Transaction{
		AccountID: "a", RecordDate: pfm.DateOf(monday), State: Cleared, Amount: money.MustParse("1"), Content: "first",
	}
	rows := []Transaction{anchor}
	for _, p := range b.purchases {
		if p.removed {
			continue
		}
		p.listed = true
		rows = append(rows, p.row())
		if p.shadow != nil {
			rows = append(rows, *p.shadow)
		}
		if b.chance("lists it twice") && p.id != "" && !b.positions {
			rows = append(rows, p.row())
		}
	}
	rows = rapid.Permutation(rows).Draw(b.T, "order")
	if b.positions {
		for i := range rows {
			rows[i].BankID, rows[i].EntryReference = fmt.Sprint(i+1), ""
		}
	}
	return Statement{Requested: pfm.DateOf(monday).AddDays(-60), Rows: rows}
}

// A row is always the same purchase, whatever a bank changes, and at the end the user
// sees each purchase once.
func TestReconcileKeepsPurchasesApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := &quirkyBank{T: t, positions: rapid.Bool().Draw(t, "positions"), today: pfm.DateOf(monday)}
		table, newID := map[string]Transaction{}, newNames()
		known := func() []Transaction {
			var all []Transaction
			for i := range len(table) {
				all = append(all, table[fmt.Sprintf("new%d", i+1)])
			}
			return all
		}
		ids := map[string]string{} // by amount
		for range rapid.IntRange(1, 12).Draw(t, "days") {
			b.buy()
			if !b.chance("changes nothing") {
				b.change()
			}
			st := b.statement()
			apply(t, table, Reconcile(known(), st, newID, b.today.Time()))
			for id, row := range table {
				amount := row.Amount.String()
				if ids[amount] == "" {
					ids[amount] = id
				}
				require.Equal(t, ids[amount], id, "a purchase keeps its row")
			}
			for range withdrawnAfter {
				apply(t, table, Reconcile(known(), st, newID, b.today.Time()))
			}
			require.Empty(t, Reconcile(known(), st, newID, b.today.Time()), "the same statement changes nothing")
			b.check(table)
			b.today = b.today.AddDays(1)
		}
	})
}

func (b *quirkyBank) check(table map[string]Transaction) {
	want, got := []string{"1 Cleared"}, []string{}
	for _, p := range b.purchases {
		if !p.removed {
			want = append(want, p.amount+" "+string(p.row().State))
		}
	}
	for _, row := range table {
		if row.State != Void {
			got = append(got, row.Amount.String()+" "+string(row.State))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	require.Equal(b.T, want, got)
}

package transaction

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

// idStyle is how a bank assigns IDs to rows.
type idStyle string

const (
	noIDs     idStyle = "none"
	stableIDs idStyle = "one for life"
	freshIDs  idStyle = "another one when booked, and another one now and then"
)

// purchase is what really happened.
type purchase struct {
	shop    string
	day     int // as the bank says, pending or booked
	booked  bool
	dropped bool
	listed  bool
	bankID  string
}

// modelBank books rows, delays and re-dates them, re-issues IDs, lists rows twice and
// drops pending ones.
type modelBank struct {
	t         *rapid.T
	ids       idStyle
	today     int
	issued    int
	purchases []*purchase
	// The account's row for it.
	table    map[string]Transaction
	newID    func() string
	syncedAt int
	// seen is what the last sync has seen, skipped how many had nothing to compare.
	seen    Seen
	skipped int
}

func (b *modelBank) id() string {
	if b.ids == noIDs {
		return ""
	}
	b.issued++
	return fmt.Sprintf("id%d", b.issued)
}

// some picks a few of the matching purchases.
func (b *modelBank) some(label string, fits func(*purchase) bool) []*purchase {
	var picked []*purchase
	for _, p := range b.purchases {
		if fits(p) && rapid.IntRange(0, 2).Draw(b.t, label) == 0 {
			picked = append(picked, p)
		}
	}
	return picked
}

func (b *modelBank) buy() {
	for range rapid.IntRange(0, 4).Draw(b.t, "purchases") {
		// Few shops, each with one price, so that equal purchases are common.
		b.purchases = append(b.purchases, &purchase{
			shop: rapid.SampledFrom([]string{"x", "yy"}).Draw(b.t, "shop"), day: b.today, bankID: b.id(),
			booked: rapid.IntRange(0, 2).Draw(b.t, "at once") == 0,
		})
	}
}

// settle books pending purchases on a nearby day, or drops them.
func (b *modelBank) settle() {
	for _, p := range b.some("settles", func(p *purchase) bool { return !p.booked && !p.dropped }) {
		day := b.today - rapid.IntRange(0, 3).Draw(b.t, "back-dated")
		if abs(day-p.day) > settleDays || rapid.IntRange(0, 3).Draw(b.t, "drops") == 0 {
			p.dropped = true
			continue
		}
		p.booked, p.day = true, day
		if b.ids == freshIDs {
			p.bankID = b.id()
		}
	}
}

// meddle does what banks do to booked rows.
func (b *modelBank) meddle() {
	if b.ids == freshIDs {
		for _, p := range b.some("gets another ID", func(p *purchase) bool { return !p.dropped }) {
			p.bankID = b.id()
		}
	}
	if b.ids == stableIDs {
		for _, p := range b.some("gets another date", func(p *purchase) bool { return p.booked && p.listed }) {
			p.listed = false // not again before the bank has listed it
			p.day = min(b.today, p.day+rapid.IntRange(-2, settleDays).Draw(b.t, "days"))
		}
	}
}

// Statement returns a statement since a day, in random order.
func (b *modelBank) statement(from int) []Transaction {
	var rows []Transaction
	for _, p := range b.purchases {
		if p.dropped || p.booked && p.day < from {
			continue
		}
		p.listed = true
		state := Uncleared
		if p.booked {
			state = Cleared
		}
		r := row(p.day, state, p.shop, p.bankID)
		rows = append(rows, r)
		if p.bankID != "" && rapid.IntRange(0, 4).Draw(b.t, "twice") == 0 {
			if p.booked && rapid.Bool().Draw(b.t, "as pending too") {
				r = row(p.day-1, Uncleared, p.shop, p.bankID)
			}
			rows = append(rows, r)
		}
	}
	return rapid.Permutation(rows).Draw(b.t, "order")
}

func (b *modelBank) sync() {
	from := b.syncedAt - OverlapDays
	fetched := b.statement(from)
	first := pfm.DateOf(monday).AddDays(from)
	for _, f := range fetched {
		first = min(first, f.RecordDate)
	}
	var known []Transaction
	for _, id := range slices.Sorted(maps.Keys(b.table)) {
		if k := b.table[id]; k.RecordDate >= first.AddDays(-PendingDays) {
			known = append(known, k)
		}
	}
	slices.SortFunc(known, inKeyOrder) // as the store returns them
	before := maps.Clone(b.table)
	now := monday.AddDate(0, 0, b.today)
	st := Statement{Requested: pfm.DateOf(monday).AddDays(from), Rows: fetched}
	changes := Reconcile(known, st, b.newID, now)
	seen := SeenOf([]Statement{st}, pfm.DateOf(now))
	if !seen.Adds(b.seen, b.seen.Number) {
		require.Empty(b.t, changes, "what was seen before changes nothing")
		b.skipped++
	} else if b.seen = (Seen{}); IsSettled(known, changes, st, b.newID, now) {
		b.seen = seen
	}
	apply(b.t, b.table, changes)
	b.syncedAt = b.today
	b.check(before)
}

// check compares the account with the purchases.
func (b *modelBank) check(before map[string]Transaction) {
	type kind struct {
		shop  string
		state RecordState
	}
	truth, got := map[kind]int{}, map[kind]int{}
	hidden := map[string]int{} // a bank that lists a purchase as pending and as booked looks like this
	dropped, cleared, booked := 0, money.Amount{}, money.Amount{}
	for _, p := range b.purchases {
		switch {
		case p.dropped:
			dropped++
		case p.booked:
			truth[kind{p.shop, Cleared}]++
			booked = plus(b.t, booked, row(0, Cleared, p.shop, "").Amount)
		default:
			truth[kind{p.shop, Uncleared}]++
		}
	}
	void := 0
	for _, k := range b.table {
		if k.State == Void {
			void++
			continue
		}
		got[kind{k.Note, k.State}]++
		if k.AlsoPending {
			hidden[k.Note]++
		}
		if k.State == Cleared {
			cleared = plus(b.t, cleared, k.Amount)
		}
	}
	for shop, hidden := range hidden {
		if k := (kind{shop, Uncleared}); truth[k] > got[k] {
			require.LessOrEqual(b.t, truth[k]-got[k], hidden, "a pending row is hidden only beside an equal booking")
			got[k] = truth[k]
		}
	}
	require.Equal(b.t, truth, got, "no row is lost or duplicated")
	require.True(b.t, cleared.Equal(booked), "the cleared rows add up to what the bank has booked")
	require.LessOrEqual(b.t, void, dropped, "only rows that the bank dropped are void")
	for id, was := range before {
		is, there := b.table[id]
		require.True(b.t, there, "a row stays")
		require.Equal(b.t, was.Content, is.Content, "an ID always means the same purchase")
		require.False(b.t, was.State == Cleared && is.State != Cleared, "a booked row stays booked")
		if b.ids == stableIDs && was.State == Cleared {
			require.Equal(b.t, was.BankID, is.BankID)
		}
	}
}

func plus(t require.TestingT, a, b money.Amount) money.Amount {
	sum, err := a.Add(b)
	require.NoError(t, err)
	return sum
}

func abs(n int) int { return max(n, -n) }

func TestReconcileAgainstAModelBank(t *testing.T) {
	skipped := 0
	for _, ids := range []idStyle{noIDs, stableIDs, freshIDs} {
		t.Run("IDs: "+string(ids), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				b := &modelBank{t: t, ids: ids, table: map[string]Transaction{}, newID: newNames()}
				for range rapid.IntRange(1, 25).Draw(t, "rounds") {
					b.buy()
					b.settle()
					b.meddle()
					if rapid.Bool().Draw(t, "syncs") || b.today-b.syncedAt > 7 {
						b.sync()
					}
					b.today += rapid.IntRange(0, 3).Draw(t, "days")
				}
				b.settle()
				b.sync()
				b.sync()
				skipped += b.skipped
			})
		})
	}
	assert.Positive(t, skipped, "some syncs have nothing to compare")
}

package crashpoints

import (
	"context"
	"fmt"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
)

// choiceScenarios are the ways of a category that a user chooses for a merchant, or takes
// back, while a sync is requested as well.
func choiceScenarios() []scenario {
	return []scenario{
		{
			name: "a choice for a merchant", prepare: manyRows.prepare, begin: manyRows.choose,
			done: syncEnded, check: manyRows.have(pfm.LeisureOther, pfm.SourceOverride),
		},
		{
			name: "a choice for a merchant that is taken back", prepare: fewRows.prepareChosen, begin: fewRows.takeBack,
			done: syncEnded, check: fewRows.have(pfm.Uncategorised().SubcategoryID, pfm.SourceNone),
		},
	}
}

// shopRows is how many rows of a shop there are. One transaction takes fewer than manyRows.
type shopRows int

const (
	fewRows  shopRows = 3
	manyRows shopRows = 100
	shop              = "Laden am Markt"
)

// of are rows of a day long ago and, if there is one more, of a day that is read again.
func (n shopRows) of(more bool) rows {
	all := firstRows()
	if more {
		r := row("2026-11-19", "s", "-7.00", true)
		r.CreditorName = shop
		all["r2"] = append(all["r2"], r)
	}
	for i := range n {
		r := row("2026-10-01", fmt.Sprintf("s%d", i), "-7.00", true)
		r.CreditorName = shop
		all["r2"] = append(all["r2"], r)
	}
	return all
}

// prepare makes a connection with rows of a shop, whose next sync has been requested.
func (n shopRows) prepare(w *world) {
	connected(w)
	bankHas(n.of(false))(w)
	must(w.settle(syncEnded))
	w.now = w.now.Add(2 * time.Hour)
	w.requestSync(w.connections()[0].ID)
}

// prepareChosen does so with a choice for the shop.
func (n shopRows) prepareChosen(w *world) {
	n.prepare(w)
	n.choose(w)
	must(w.settle(syncEnded))
	w.requestSync(w.connections()[0].ID)
}

// choose is the partner's call. It repeats it until it is answered.
func (n shopRows) choose(w *world) {
	n.ask(w, func(ctx context.Context, r *transaction.Reading, id string) error {
		_, err := r.Categorise(ctx, user(), id, pfm.LeisureOther, true)
		return err
	})
}

func (n shopRows) takeBack(w *world) {
	n.ask(w, func(ctx context.Context, r *transaction.Reading, id string) error {
		return r.Uncategorise(ctx, user(), id)
	})
}

// ask makes a call about one of the shop's rows. Meanwhile the bank has one row more.
func (n shopRows) ask(w *world, call func(ctx context.Context, r *transaction.Reading, id string) error) {
	w.bank.Listed = nil
	bankHas(n.of(true))(w)
	id := w.ofShop()[0].ID
	w.add(w.now, func() time.Duration {
		return w.request(func(ctx context.Context) error {
			return call(ctx, transaction.NewReading(w.bankStore, pfmtest.Gate{}, w.clock), id)
		})
	})
}

func (w *world) ofShop() (found []transaction.Transaction) {
	all, err := w.bankStore.TransactionsSince(context.Background(), user(), "")
	must(err)
	for _, t := range all {
		if t.Counterparty == shop {
			found = append(found, t)
		}
	}
	return found
}

// have: all rows of the shop have the category, and no others; rows and sums are as
// after any sync.
func (n shopRows) have(category int, source pfm.CategorySource) func(*problems, *world, int) {
	return func(a *problems, w *world, _ int) {
		w.rowsAgree(a, n.of(true))
		ofShop := w.ofShop()
		assert.Len(a, ofShop, int(n)+1)
		for _, t := range ofShop {
			assert.Equal(a, category, t.Category.SubcategoryID, t.BankID)
			assert.Equal(a, source, t.Source, t.BankID)
		}
		all, err := w.bankStore.TransactionsSince(context.Background(), user(), "")
		must(err)
		for _, t := range all {
			if t.Counterparty != shop {
				assert.NotEqual(a, pfm.SourceOverride, t.Source, t.BankID)
			}
		}
	}
}

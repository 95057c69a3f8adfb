package crashpoints

import (
	"context"
	"fmt"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/pfm"
	"aviso/internal/pfm/pfmtest"
)

// choiceScenarios are the ways of a category that a user chooses for a merchant, or takes
// back, while a sync is requested as well.
func choiceScenarios() []scenario {
	return []scenario{
		{
			name: "a choice for a merchant", prepare: shopping, begin: chooses(pfm.LeisureOther),
			done: syncEnded, check: isChosen(pfm.LeisureOther, pfm.SourceOverride),
		},
		{
			name: "a choice for a merchant that is taken back", prepare: chosen, begin: takesBack,
			done: syncEnded, check: isChosen(pfm.Uncategorised().SubcategoryID, pfm.SourceNone),
		},
	}
}

// shop is the party of more rows than one transaction takes.
const shop = "Laden am Markt"

// shopRows are rows of a day long ago and, if there is one more, of a day that is read again.
func shopRows(more bool) rows {
	all := firstRows()
	if more {
		r := row("2026-11-19", "s", "-7.00", true)
		r.CreditorName = shop
		all["r2"] = append(all["r2"], r)
	}
	for i := range 100 {
		r := row("2026-10-01", fmt.Sprintf("s%d", i), "-7.00", true)
		r.CreditorName = shop
		all["r2"] = append(all["r2"], r)
	}
	return all
}

// shopping makes a connection with rows of a shop, whose next sync has been requested.
func shopping(w *world) {
	connected(w)
	bankHas(shopRows(false))(w)
	must(w.settle(syncEnded))
	w.now = w.now.Add(2 * time.Hour)
	w.requestSync(w.connections()[0].ID)
}

// chosen is shopping with a choice for the shop.
func chosen(w *world) {
	shopping(w)
	chooses(pfm.LeisureOther)(w)
	must(w.settle(syncEnded))
	w.requestSync(w.connections()[0].ID)
}

// chooses is the partner's call. It repeats it until it is answered.
func chooses(category int) func(*world) {
	return func(w *world) {
		w.ask(func(ctx context.Context, r *pfm.Reading, id string) error {
			_, err := r.CategoriseMerchant(ctx, user(), id, category)
			return err
		})
	}
}

func takesBack(w *world) {
	w.ask(func(ctx context.Context, r *pfm.Reading, id string) error { return r.Uncategorise(ctx, user(), id) })
}

// ask makes a call about one of the shop's rows. Meanwhile the bank has one row more.
func (w *world) ask(call func(ctx context.Context, r *pfm.Reading, id string) error) {
	w.bank.Listed = nil
	bankHas(shopRows(true))(w)
	id := w.ofShop()[0].ID
	w.add(w.now, func() time.Duration {
		return w.request(func(ctx context.Context) error {
			return call(ctx, pfm.NewReading(w.bankStore, pfmtest.Gate{}, w.clock), id)
		})
	})
}

func (w *world) ofShop() (found []pfm.Transaction) {
	all, err := w.bankStore.TransactionsSince(context.Background(), user(), "")
	must(err)
	for _, t := range all {
		if t.Counterparty == shop {
			found = append(found, t)
		}
	}
	return found
}

// isChosen: all rows of the shop have the category, and no others; rows and sums are as
// after any sync.
func isChosen(category int, source pfm.CategorySource) func(*problems, *world, int) {
	return func(a *problems, w *world, _ int) {
		w.rowsAgree(a, shopRows(true))
		ofShop := w.ofShop()
		assert.Len(a, ofShop, 101)
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

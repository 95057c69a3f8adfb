package contract

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"aviso/internal/clock"
	"aviso/internal/dynamo/owner"
	"aviso/internal/money"
	"aviso/internal/pfm"
)

// CurrencySavings is what contracts that have ended save in one currency. Amounts are positive.
type CurrencySavings struct {
	Currency          string
	PerYear, UntilNow money.Amount
	Contracts         []Saving
}

// Saving is what one contract saves.
type Saving struct {
	CancellationID string
	Contract       WatchedContract
	// EndedOn is the last day of the contract, and LastDebit the last payment that was not
	// paid back.
	EndedOn   pfm.Date
	LastDebit Debit
	// UntilNow is the sum of the payments that would have been due since LastDebit.
	UntilNow money.Amount
}

// Savings returns the user's savings by currency, each with the contract first that saves most.
func (s *Subscriptions) Savings(ctx context.Context, user owner.User) ([]CurrencySavings, error) {
	watches, err := owner.Read(ctx, s.gate, user, func(ctx context.Context) ([]Watch, error) {
		return s.store.Watches(ctx, user)
	})
	if err != nil {
		return nil, err
	}
	today := pfm.DateOf(clock.Now(ctx, s.now))
	sums, seen := map[string]*CurrencySavings{}, map[string]bool{}
	for _, w := range watches { // the cancellation that came first counts
		id := w.Contract.SubscriptionID
		if w.Stopped || w.Outcome != WatchEnded || seen[id] {
			continue
		}
		seen[id] = true
		currency := w.Contract.Currency
		if sums[currency] == nil {
			sums[currency] = &CurrencySavings{Currency: currency}
		}
		if err := sums[currency].add(w, today); err != nil {
			return nil, fmt.Errorf("sum savings: %w", err)
		}
	}
	list := make([]CurrencySavings, 0, len(sums))
	for _, sum := range sums {
		slices.SortFunc(sum.Contracts, func(a, b Saving) int {
			return cmp.Or(
				b.Contract.YearlyCost.Cmp(a.Contract.YearlyCost), strings.Compare(a.CancellationID, b.CancellationID))
		})
		list = append(list, *sum)
	}
	slices.SortFunc(list, func(a, b CurrencySavings) int { return strings.Compare(a.Currency, b.Currency) })
	return list, nil
}

func (s *CurrencySavings) add(w Watch, today pfm.Date) error {
	one := Saving{CancellationID: w.CancellationID, Contract: w.Contract, EndedOn: w.end(), LastDebit: w.Last}
	for _, d := range w.AfterEnd {
		if d.RefundID == "" {
			one.LastDebit = d
		}
	}
	var err error
	for n := 1; err == nil && w.Contract.after(one.LastDebit.Date, n) <= today; n++ {
		one.UntilNow, err = one.UntilNow.Add(w.Contract.Amount.Neg())
	}
	if err == nil {
		s.UntilNow, err = s.UntilNow.Add(one.UntilNow)
	}
	if err == nil {
		s.PerYear, err = s.PerYear.Add(w.Contract.YearlyCost)
	}
	s.Contracts = append(s.Contracts, one)
	return err
}

package contract

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"aviso/internal/clock"
	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// Savings are what contracts that have ended save in one currency.
type Savings struct {
	CurrencyCode string       `json:"currencyCode"`
	YearlySaving money.Amount `json:"yearlySaving"`
	SavedSoFar   money.Amount `json:"savedSoFar"`
	Contracts    []Saving     `json:"contracts" nullable:"false"`
}

// Saving is what one contract saves.
type Saving struct {
	SubscriptionID      string                `json:"subscriptionId" format:"uuid"`
	CancellationID      string                `json:"cancellationId" format:"uuid"`
	Merchant            pfm.Reference         `json:"merchant"`
	RecurrenceFrequency transaction.Frequency `json:"recurrenceFrequency" enum:"Weekly,BiWeekly,Monthly,Quarterly,SemiAnnually,Annually"`
	EndDate             pfm.Date              `json:"endDate" format:"date"`
	YearlySaving        money.Amount          `json:"yearlySaving"`
	SavedSoFar          money.Amount          `json:"savedSoFar"`
	LastDebit           LastDebit             `json:"lastDebit"`
}

// LastDebit is the last payment for a contract that was not paid back.
type LastDebit struct {
	TransactionID string       `json:"transactionId" format:"uuid"`
	Date          pfm.Date     `json:"date" format:"date"`
	Amount        money.Amount `json:"amount"`
}

// Savings returns the user's savings by currency, each with the contract first that saves most.
func (s *Subscriptions) Savings(ctx context.Context, user owner.User) ([]Savings, error) {
	watches, err := owner.Read(ctx, s.gate, user, func(ctx context.Context) ([]Watch, error) {
		return s.store.Watches(ctx, user)
	})
	if err != nil {
		return nil, err
	}
	today := pfm.DateOf(clock.Now(ctx, s.now))
	sums, seen := map[string]*Savings{}, map[string]bool{}
	for _, w := range watches { // the cancellation that came first counts
		id := w.Contract.SubscriptionID
		if w.Stopped || w.Outcome != WatchEnded || seen[id] {
			continue
		}
		seen[id] = true
		currency := w.Contract.Currency
		if sums[currency] == nil {
			sums[currency] = &Savings{CurrencyCode: currency}
		}
		if err := sums[currency].add(w, today); err != nil {
			return nil, fmt.Errorf("sum savings: %w", err)
		}
	}
	list := make([]Savings, 0, len(sums))
	for _, sum := range sums {
		slices.SortFunc(sum.Contracts, func(a, b Saving) int {
			return cmp.Or(b.YearlySaving.Cmp(a.YearlySaving), strings.Compare(a.CancellationID, b.CancellationID))
		})
		list = append(list, *sum)
	}
	slices.SortFunc(list, func(a, b Savings) int { return strings.Compare(a.CurrencyCode, b.CurrencyCode) })
	return list, nil
}

func (s *Savings) add(w Watch, today pfm.Date) error {
	c, last := w.Contract, w.Last
	for _, d := range w.AfterEnd {
		if d.RefundID == "" {
			last = d
		}
	}
	one := Saving{
		SubscriptionID: c.SubscriptionID, CancellationID: w.CancellationID, Merchant: c.Merchant.Reference(),
		RecurrenceFrequency: c.Frequency, EndDate: w.end(), YearlySaving: c.YearlyCost,
		LastDebit: LastDebit{TransactionID: last.TransactionID, Date: last.Date, Amount: last.Amount},
	}
	var err error
	for n := 1; err == nil && c.after(last.Date, n) <= today; n++ {
		one.SavedSoFar, err = one.SavedSoFar.Add(c.Amount.Neg())
	}
	if err == nil {
		s.SavedSoFar, err = s.SavedSoFar.Add(one.SavedSoFar)
	}
	if err == nil {
		s.YearlySaving, err = s.YearlySaving.Add(c.YearlyCost)
	}
	s.Contracts = append(s.Contracts, one)
	return err
}

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
	_ struct{} `doc:"What contracts that have ended save, in one currency."`

	CurrencyCode string       `json:"currencyCode" doc:"Currency of all amounts (ISO 4217)."`
	YearlySaving money.Amount `json:"yearlySaving" doc:"What all of the contracts cost in a year, positive."`
	SavedSoFar   money.Amount `json:"savedSoFar" doc:"What the contracts would have cost until today, positive."`
	Contracts    []Saving     `json:"contracts" nullable:"false" doc:"The contracts, the largest yearly saving first."`
}

// Saving is what one contract saves.
type Saving struct {
	_ struct{} `doc:"A contract that has ended: no debit has come for one and a half periods."`

	SubscriptionID      string                `json:"subscriptionId" format:"uuid" doc:"The contract that was in listRecurringContracts."`
	CancellationID      string                `json:"cancellationId" format:"uuid" doc:"The cancellation that ended it."`
	Merchant            pfm.Reference         `json:"merchant" doc:"The merchant or, if it is unknown, the counterparty."`
	RecurrenceFrequency transaction.Frequency `json:"recurrenceFrequency" enum:"Weekly,BiWeekly,Monthly,Quarterly,SemiAnnually,Annually" doc:"How often a payment was due."`
	EndDate             pfm.Date              `json:"endDate" format:"date" doc:"Last day of the contract, as far as we know."`
	YearlySaving        money.Amount          `json:"yearlySaving" doc:"What it cost in a year, positive."`
	SavedSoFar          money.Amount          `json:"savedSoFar" doc:"The payments that would have been due since the last debit, at its last price, positive."`
	LastDebit           LastDebit             `json:"lastDebit" doc:"The last payment that was not paid back."`
}

// LastDebit is the last payment for a contract that was not paid back.
type LastDebit struct {
	_ struct{} `doc:"The last payment for a contract."`

	TransactionID string       `json:"transactionId" format:"uuid" doc:"The transaction."`
	Date          pfm.Date     `json:"date" format:"date" doc:"Its day."`
	Amount        money.Amount `json:"amount" doc:"Negative, in major units."`
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
			return cmp.Or(
				b.YearlySaving.Cmp(a.YearlySaving), strings.Compare(a.CancellationID, b.CancellationID))
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

package pfm

import (
	"fmt"

	"aviso/internal/money"
)

// Level is the time resolution of an aggregate.
type Level string

// The levels. Each transaction counts in one aggregate of every level. An insight
// reads the coarsest level that can answer it.
const (
	LevelAllTime Level = "A" // one per account
	LevelMonth   Level = "M" // one per account and month
	LevelDay     Level = "D" // one per account and month, with tallies by day
)

// AggregateID identifies one of a user's aggregates.
type AggregateID struct {
	Level Level
	// Month is YYYY-MM, or empty for all time.
	Month     string
	AccountID string
}

// TallyKey identifies a tally: one category or one merchant (the other is empty), in
// one currency and direction.
type TallyKey struct {
	// Day is the day of the month at LevelDay, otherwise 0.
	Day         int
	Subcategory int
	MerchantID  string
	Currency    string
	Type        RecordType
}

// Tally is a sum and the number of transactions in it.
type Tally struct {
	Amount money.Amount
	Count  int
}

// Aggregate holds the sums of one account's transactions over a period. It is written
// in the same database transaction as the rows, so that both always agree.
type Aggregate struct {
	ID      AggregateID
	Tallies map[TallyKey]Tally
	// Names are the names of the merchants in Tallies, by ID.
	Names map[string]string
	// Version counts the writes, for optimistic locking.
	Version int64
}

// aggregatesOf returns the aggregates in which a transaction counts.
func aggregatesOf(t Transaction) [3]AggregateID {
	month := string(t.RecordDate)[:len("2006-01")]
	return [3]AggregateID{
		{Level: LevelAllTime, AccountID: t.AccountID},
		{Level: LevelMonth, Month: month, AccountID: t.AccountID},
		{Level: LevelDay, Month: month, AccountID: t.AccountID},
	}
}

// AggregatesTouched returns all aggregates that the changes affect.
func AggregatesTouched(changes []RowChange) map[AggregateID]bool {
	ids := map[AggregateID]bool{}
	for _, c := range changes {
		for _, id := range aggregatesOf(c.New) {
			ids[id] = true
		}
		if c.Old != nil {
			for _, id := range aggregatesOf(*c.Old) {
				ids[id] = true
			}
		}
	}
	return ids
}

// Apply adds the row changes to the aggregate.
func (a *Aggregate) Apply(changes []RowChange) error {
	for _, c := range changes {
		if c.Old != nil {
			if err := a.count(*c.Old, -1); err != nil {
				return err
			}
		}
		if err := a.count(c.New, 1); err != nil {
			return err
		}
	}
	return nil
}

// count adds or subtracts a transaction. A void transaction never counts.
func (a *Aggregate) count(t Transaction, by int) error {
	if t.State == Void || !a.covers(t) {
		return nil
	}
	key := TallyKey{Subcategory: t.Category.SubcategoryID, Currency: t.Currency, Type: t.Type()}
	if a.ID.Level == LevelDay {
		key.Day = t.RecordDate.Time().Day()
	}
	if err := a.add(key, t.Amount, by); err != nil {
		return err
	}
	if t.Merchant.ID == "" {
		return nil
	}
	key.Subcategory, key.MerchantID = 0, t.Merchant.ID
	a.Names[t.Merchant.ID] = t.Merchant.Name
	return a.add(key, t.Amount, by)
}

func (a *Aggregate) covers(t Transaction) bool {
	for _, id := range aggregatesOf(t) {
		if id == a.ID {
			return true
		}
	}
	return false
}

func (a *Aggregate) add(key TallyKey, amount money.Amount, by int) error {
	if by < 0 {
		amount = amount.Neg()
	}
	tally := a.Tallies[key]
	sum, err := tally.Amount.Add(amount)
	if err != nil {
		return fmt.Errorf("aggregate of account %s: %w", a.ID.AccountID, err)
	}
	tally = Tally{Amount: sum, Count: tally.Count + by}
	if tally.Count == 0 {
		delete(a.Tallies, key)
		return nil
	}
	a.Tallies[key] = tally
	return nil
}

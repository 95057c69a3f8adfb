package transaction

import (
	"fmt"
	"slices"

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
	// Merchants: the tallies are those by merchant, otherwise those by category. They are apart,
	// so that a choice of a category does not write those by merchant.
	Merchants bool
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

// aggregatesOf returns the aggregates in which a transaction counts: none if it is void.
func aggregatesOf(t Transaction) (ids []AggregateID) {
	if t.State == Void {
		return nil
	}
	month := string(t.RecordDate)[:len("2006-01")]
	for _, merchants := range []bool{false, true} {
		ids = append(ids,
			AggregateID{Level: LevelAllTime, AccountID: t.AccountID, Merchants: merchants},
			AggregateID{Level: LevelMonth, Month: month, AccountID: t.AccountID, Merchants: merchants},
			AggregateID{Level: LevelDay, Month: month, AccountID: t.AccountID, Merchants: merchants})
	}
	return ids
}

// share is what a transaction adds to an aggregate.
type share struct {
	key    TallyKey
	amount money.Amount
	name   string
}

// shareOf returns what a transaction adds to an aggregate in which it counts.
func (id AggregateID) shareOf(t Transaction) share {
	s := share{key: TallyKey{Currency: t.Currency, Type: t.Type()}, amount: t.Amount}
	if id.Level == LevelDay {
		s.key.Day = t.RecordDate.Time().Day()
	}
	if id.Merchants {
		merchant := t.MerchantOrParty()
		s.key.MerchantID, s.name = merchant.ID, merchant.Name
	} else {
		s.key.Subcategory = t.Category.SubcategoryID
	}
	return s
}

// AggregatesTouched returns all aggregates that the changes affect.
func AggregatesTouched(changes []RowChange) map[AggregateID]bool {
	ids := map[AggregateID]bool{}
	for _, c := range changes {
		var before []AggregateID
		if c.Old != nil {
			before = aggregatesOf(*c.Old)
		}
		after := aggregatesOf(c.New)
		for _, id := range slices.Concat(before, after) {
			isInBoth := slices.Contains(before, id) && slices.Contains(after, id)
			if !isInBoth || id.shareOf(*c.Old) != id.shareOf(c.New) {
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

// count adds or subtracts a transaction, if it counts in the aggregate.
func (a *Aggregate) count(t Transaction, by int) error {
	if !slices.Contains(aggregatesOf(t), a.ID) {
		return nil
	}
	s := a.ID.shareOf(t)
	if a.ID.Merchants {
		a.Names[s.key.MerchantID] = s.name
	}
	if by < 0 {
		s.amount = s.amount.Neg()
	}
	tally := a.Tallies[s.key]
	sum, err := tally.Amount.Add(s.amount)
	if err != nil {
		return fmt.Errorf("aggregate of account %s: %w", a.ID.AccountID, err)
	}
	tally = Tally{Amount: sum, Count: tally.Count + by}
	if tally.Count == 0 && sum.Sign() == 0 {
		delete(a.Tallies, s.key)
		return nil
	}
	a.Tallies[s.key] = tally
	return nil
}

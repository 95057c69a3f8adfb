package pfmdb

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"aviso/internal/dynamo"
	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm/transaction"
)

// aggregateRow stores its tallies as a map of strings, which takes a third of the
// space that nested maps would.
type aggregateRow struct {
	dynamo.Key

	Tallies map[string]string `dynamodbav:"e"`
	Names   map[string]string `dynamodbav:"n"`
	Version int64             `dynamodbav:"version"`
}

// Aggregates reads one level with one query.
func (s *Store) Aggregates(
	ctx context.Context, user owner.User, level transaction.Level, fromMonth, toMonth string,
) ([]transaction.Aggregate, error) {
	months := between(aggregatePrefix+string(level)+"#", fromMonth, toMonth)
	rows := s.table.Query(ctx, dynamo.Query{Partition: user.Key(), Sort: months, Eventual: true})
	return dynamo.Collect(rows, toAggregate)
}

// toAggregateRow returns the next version of a.
func toAggregateRow(a transaction.Aggregate) aggregateRow {
	r := aggregateRow{Tallies: make(map[string]string, len(a.Tallies)), Names: a.Names, Version: a.Version + 1}
	for k, t := range a.Tallies {
		name := strings.Join(
			[]string{strconv.Itoa(k.Day), strconv.Itoa(k.Subcategory), k.MerchantID, k.Currency, string(k.Type)}, "|")
		r.Tallies[name] = t.Amount.String() + " " + strconv.Itoa(t.Count)
	}
	return r
}

// toAggregate decodes an aggregateRow.
func toAggregate(row dynamo.Item) (transaction.Aggregate, error) {
	r, err := dynamo.Decode[aggregateRow](row)
	if err != nil {
		return transaction.Aggregate{}, err
	}
	a := transaction.Aggregate{
		Tallies: make(map[transaction.TallyKey]transaction.Tally, len(r.Tallies)), Names: r.Names, Version: r.Version,
	}
	if a.ID, err = splitAggregateKey(r.SK); err != nil {
		return transaction.Aggregate{}, err
	}
	if a.Names == nil {
		a.Names = map[string]string{}
	}
	for name, value := range r.Tallies {
		k, t, err := toTally(name, value)
		if err != nil {
			return transaction.Aggregate{}, err
		}
		a.Tallies[k] = t
	}
	return a, nil
}

func toTally(name, value string) (transaction.TallyKey, transaction.Tally, error) {
	parts := strings.Split(name, "|")
	sum, number, ok := strings.Cut(value, " ")
	if !ok || len(parts) != 5 {
		return transaction.TallyKey{}, transaction.Tally{}, errors.New("aggregate row: malformed tally")
	}
	day, err1 := strconv.Atoi(parts[0])
	subcategory, err2 := strconv.Atoi(parts[1])
	count, err3 := strconv.Atoi(number)
	amount, err4 := money.Parse(sum)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return transaction.TallyKey{}, transaction.Tally{}, fmt.Errorf("aggregate row: %w", err)
	}
	key := transaction.TallyKey{
		Day: day, Subcategory: subcategory, MerchantID: parts[2], Currency: parts[3], Type: transaction.RecordType(parts[4]),
	}
	return key, transaction.Tally{Amount: amount, Count: count}, nil
}

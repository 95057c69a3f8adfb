package pfmdb

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// aggregateRow keeps its tallies as text by text, which is a third of what maps
// of maps would take.
type aggregateRow struct {
	Tallies map[string]string `dynamodbav:"e"`
	Names   map[string]string `dynamodbav:"n"`
	Version int64             `dynamodbav:"version"`
}

const aggregatePrefix = "G"

// aggregateKey has the level first and the account last: an insight reads one
// level of all accounts, over some months.
func aggregateKey(user owner.User, id pfm.AggregateID) (pk, sk string) {
	return user.Key(), aggregatePrefix + string(id.Level) + "#" + id.Month + "#" + id.AccountID
}

func splitAggregateKey(sk string) (pfm.AggregateID, error) {
	parts := strings.Split(strings.TrimPrefix(sk, aggregatePrefix), "#")
	if len(parts) != 3 {
		return pfm.AggregateID{}, errors.New("aggregate row: its key does not hold level, month and account")
	}
	return pfm.AggregateID{Level: pfm.Level(parts[0]), Month: parts[1], AccountID: parts[2]}, nil
}

// Aggregates reads one level with one query.
func (s *Store) Aggregates(ctx context.Context, user owner.User, level pfm.Level, fromMonth, toMonth string) ([]pfm.Aggregate, error) {
	prefix := aggregatePrefix + string(level) + "#"
	var list []pfm.Aggregate
	for row, err := range dynamo.LegacyAll(ctx, s.db, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: ptr("pk = :pk AND sk BETWEEN :from AND :to"),
		ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(user.Key()), ":from": dynamo.S(prefix + fromMonth), ":to": dynamo.S(prefix + toMonth + last)},
	}) {
		if err != nil {
			return nil, fmt.Errorf("query aggregates: %w", err)
		}
		a, err := toAggregate(row)
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// aggregateActions are the writes that take the changes over into the user's
// aggregates, each on the condition that nobody else has written it meanwhile.
func (s *Store) aggregateActions(ctx context.Context, user owner.User, changes []pfm.RowChange) ([]types.TransactWriteItem, error) {
	kept, err := s.readAggregates(ctx, user, pfm.AggregatesTouched(changes))
	if err != nil {
		return nil, err
	}
	actions := make([]types.TransactWriteItem, 0, len(kept))
	for _, a := range kept {
		put := &types.Put{TableName: &s.table, ConditionExpression: ptr("attribute_not_exists(pk)")}
		if a.Version > 0 {
			put.ConditionExpression, put.ExpressionAttributeValues = ptr("version = :was"), dynamo.Item{":was": dynamo.N(a.Version)}
		}
		if err := a.Apply(changes); err != nil {
			return nil, err
		}
		if put.Item, err = aggregateItem(user, a); err != nil {
			return nil, err
		}
		actions = append(actions, types.TransactWriteItem{Put: put})
	}
	return actions, nil
}

// readAggregates reads those of the ids, consistently and in one call; what is
// not there yet comes empty, of version 0.
func (s *Store) readAggregates(ctx context.Context, user owner.User, ids map[pfm.AggregateID]bool) ([]pfm.Aggregate, error) {
	found := map[pfm.AggregateID]pfm.Aggregate{}
	var keys []map[string]types.AttributeValue
	for id := range ids {
		keys = append(keys, dynamo.LegacyKey(aggregateKey(user, id)))
	}
	items, err := s.getAll(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("get aggregates: %w", err)
	}
	for _, item := range items {
		a, err := toAggregate(dynamo.NewRow(item))
		if err != nil {
			return nil, err
		}
		found[a.ID] = a
	}
	list := make([]pfm.Aggregate, 0, len(ids))
	for id := range ids {
		a, ok := found[id]
		if !ok {
			a = pfm.Aggregate{ID: id, Tallies: map[pfm.TallyKey]pfm.Tally{}, Names: map[string]string{}}
		}
		list = append(list, a)
	}
	return list, nil
}

// getAll reads up to 100 items by their keys, consistently; those that are not
// there are left out.
func (s *Store) getAll(ctx context.Context, keys []map[string]types.AttributeValue) ([]dynamo.Item, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	var items []dynamo.Item
	request := map[string]types.KeysAndAttributes{s.table: {Keys: keys, ConsistentRead: ptr(true)}}
	for try := 0; len(request) > 0; try++ { // an answer holds 16 MB; the rest is asked for again
		if try == batchTries {
			return nil, errors.New("not all keys were read")
		}
		out, err := s.db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: request})
		if err != nil {
			return nil, err
		}
		items = append(items, out.Responses[s.table]...)
		request = out.UnprocessedKeys
	}
	return items, nil
}

// deleteAggregates deletes those of one account.
func (s *Store) deleteAggregates(ctx context.Context, user owner.User, accountID string) error {
	pages := dynamodb.NewQueryPaginator(s.db, &dynamodb.QueryInput{
		TableName: &s.table, ConsistentRead: ptr(true), ProjectionExpression: ptr("pk, sk"),
		KeyConditionExpression:    ptr("pk = :pk AND begins_with(sk, :prefix)"),
		ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(user.Key()), ":prefix": dynamo.S(aggregatePrefix)},
	})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return fmt.Errorf("query aggregates: %w", err)
		}
		mine := slices.DeleteFunc(out.Items, func(item dynamo.Item) bool {
			sk, ok := item["sk"].(*types.AttributeValueMemberS)
			return !ok || !strings.HasSuffix(sk.Value, "#"+accountID)
		})
		if err := s.deleteAll(ctx, mine); err != nil {
			return err
		}
	}
	return nil
}

func aggregateItem(user owner.User, a pfm.Aggregate) (dynamo.Item, error) {
	r := aggregateRow{Tallies: make(map[string]string, len(a.Tallies)), Names: a.Names, Version: a.Version + 1}
	for k, t := range a.Tallies {
		name := strings.Join([]string{strconv.Itoa(k.Day), strconv.Itoa(k.Subcategory), k.MerchantID, k.Currency, string(k.Type)}, "|")
		r.Tallies[name] = t.Amount.String() + " " + strconv.Itoa(t.Count)
	}
	pk, sk := aggregateKey(user, a.ID)
	return dynamo.Marshal(pk, sk, r)
}

// toAggregate reads what aggregateItem has made.
func toAggregate(r *dynamo.Row) (pfm.Aggregate, error) {
	id, err := splitAggregateKey(r.Text("sk"))
	if err != nil {
		return pfm.Aggregate{}, err
	}
	tallies := r.TextsByName("e")
	a := pfm.Aggregate{ID: id, Tallies: make(map[pfm.TallyKey]pfm.Tally, len(tallies)), Names: r.TextsByName("n"), Version: r.Int("version")}
	if err := r.Err(); err != nil {
		return pfm.Aggregate{}, err
	}
	if a.Names == nil {
		a.Names = map[string]string{}
	}
	for name, value := range tallies {
		k, t, err := toTally(name, value)
		if err != nil {
			return pfm.Aggregate{}, err
		}
		a.Tallies[k] = t
	}
	return a, nil
}

func toTally(name, value string) (pfm.TallyKey, pfm.Tally, error) {
	dayText, rest, _ := strings.Cut(name, "|")
	subcategoryText, rest, _ := strings.Cut(rest, "|")
	merchantID, rest, _ := strings.Cut(rest, "|")
	currency, kind, all := strings.Cut(rest, "|")
	sum, number, both := strings.Cut(value, " ")
	if !all || !both || strings.Contains(kind, "|") {
		return pfm.TallyKey{}, pfm.Tally{}, errors.New("aggregate row: a tally is not of its five parts")
	}
	day, err1 := strconv.Atoi(dayText)
	subcategory, err2 := strconv.Atoi(subcategoryText)
	count, err3 := strconv.Atoi(number)
	amount, err4 := money.Parse(sum)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return pfm.TallyKey{}, pfm.Tally{}, fmt.Errorf("aggregate row: %w", err)
	}
	return pfm.TallyKey{Day: day, Subcategory: subcategory, MerchantID: merchantID, Currency: currency, Type: pfm.RecordType(kind)},
		pfm.Tally{Amount: amount, Count: count}, nil
}

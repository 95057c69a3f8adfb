package pfmdb

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

const (
	skSequence    = "SEQUENCE"
	removedPrefix = "X#"
	// removedLife is how long it is remembered that a row was removed: longer
	// than a token that asks for changes holds.
	removedLife = 35 * 24 * time.Hour
	// sequenceTries is how often a write takes other numbers because another
	// write of the same user was faster.
	sequenceTries = 10
	// removedAtOnce is how many rows are removed in one transaction; each takes
	// two actions.
	removedAtOnce = 45
)

// sequenceRow holds the number of the user's last change. Every write of rows
// moves it on, on the condition that it is as it was read: the numbers are in
// the order of the commits, and a reader who has seen one will not later find a
// lower one.
type sequenceRow struct {
	Last int64 `dynamodbav:"last"`
}

// removedRow remembers a row that is gone.
type removedRow struct {
	ChangeSort string `dynamodbav:"changeSort"`
	Added      int64  `dynamodbav:"as"`
	ExpiresAt  int64  `dynamodbav:"expiresAt"`
}

// changeSort is the range key of the index byChange.
func changeSort(n int64) string { return fmt.Sprintf("%016d", n) }

// lastChange reads the number of the user's last change.
func (s *Store) lastChange(ctx context.Context, user owner.User) (int64, error) {
	var r sequenceRow
	err := dynamo.LegacyGet(ctx, s.db, s.table, user.Key(), skSequence, true, &r)
	if err != nil && !errors.Is(err, outcome.ErrNotFound) {
		return 0, err
	}
	return r.Last, nil
}

// takeChanges is the action that takes the next n numbers after last.
func (s *Store) takeChanges(user owner.User, last int64, n int) types.TransactWriteItem {
	update := &types.Update{
		TableName: &s.table, Key: dynamo.LegacyKey(user.Key(), skSequence),
		UpdateExpression: ptr("SET #last = :next"), ConditionExpression: ptr("#last = :last"),
		ExpressionAttributeNames:  map[string]string{"#last": "last"},
		ExpressionAttributeValues: dynamo.Item{":next": dynamo.N(last + int64(n)), ":last": dynamo.N(last)},
	}
	if last == 0 {
		update.ConditionExpression = ptr("attribute_not_exists(pk)")
		delete(update.ExpressionAttributeValues, ":last")
	}
	return types.TransactWriteItem{Update: update}
}

// numbered runs write with the number of the last change until no other write
// of the user comes between. The action that takes the numbers is at index i of
// the transaction that write commits.
func (s *Store) numbered(ctx context.Context, user owner.User, i int, write func(last int64) error) error {
	for range sequenceTries {
		last, err := s.lastChange(ctx, user)
		if err != nil {
			return err
		}
		err = write(last)
		if !dynamo.OnlyRefused(err, i) {
			return err
		}
	}
	return pfm.ErrRowChanged
}

// Changes reads the index of changes, consistently.
func (s *Store) Changes(ctx context.Context, user owner.User, since pfm.ChangePosition, limit int) (pfm.ChangePage, error) {
	page := pfm.ChangePage{Changes: []pfm.Change{}, Since: since}
	found, err := dynamo.LegacyQuery(ctx, s.db, &dynamodb.QueryInput{
		TableName: &s.table, IndexName: ptr("byChange"), ConsistentRead: ptr(true), Limit: ptr(int32(limit)),
		KeyConditionExpression:    ptr("pk = :pk AND changeSort > :since"),
		ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(user.Key()), ":since": dynamo.S(changeSort(since.Read))},
	})
	if err != nil {
		return pfm.ChangePage{}, fmt.Errorf("query changes: %w", err)
	}
	for row := range found.Rows() {
		if page.Since.Read, err = strconv.ParseInt(row.Text("changeSort"), 10, 64); err != nil {
			return pfm.ChangePage{}, fmt.Errorf("change row: %w", err)
		}
		if id, removed := strings.CutPrefix(row.Text("sk"), removedPrefix); removed {
			if row.Int("as") <= since.Read { // else it came and went unseen
				page.Changes = append(page.Changes, pfm.Change{Kind: pfm.Removed, TransactionID: id})
			}
			if err := row.Err(); err != nil {
				return pfm.ChangePage{}, err
			}
			continue
		}
		t, err := toTransaction(user, row)
		if err != nil {
			return pfm.ChangePage{}, err
		}
		change := pfm.Change{Kind: pfm.Modified, TransactionID: t.ID, Transaction: t}
		if t.Added > since.CaughtUp {
			change.Kind = pfm.Added
		}
		page.Changes = append(page.Changes, change)
	}
	if len(found.Last) == 0 {
		page.Since.CaughtUp = page.Since.Read
	}
	return page, nil
}

// removeRows deletes rows, and remembers that they were there.
func (s *Store) removeRows(ctx context.Context, user owner.User, items []dynamo.Item) error {
	for chunk := range slices.Chunk(items, removedAtOnce) {
		err := s.numbered(ctx, user, 0, func(last int64) error {
			actions := []types.TransactWriteItem{s.takeChanges(user, last, len(chunk))}
			for i, item := range chunk {
				t, err := toTransaction(user, dynamo.NewRow(item))
				if err != nil {
					return err
				}
				gone, err := dynamo.Marshal(user.Key(), removedPrefix+t.ID, removedRow{
					ChangeSort: changeSort(last + int64(i) + 1), Added: t.Added, ExpiresAt: dynamo.Expiry(s.now().Add(removedLife)),
				})
				if err != nil {
					return err
				}
				actions = append(actions,
					types.TransactWriteItem{Delete: &types.Delete{
						TableName: &s.table, Key: dynamo.Item{"pk": item["pk"], "sk": item["sk"]},
						// Not twice: what another deletion has ended, an erasure too, leaves no trace anew.
						ConditionExpression: ptr("attribute_exists(pk)"),
					}},
					types.TransactWriteItem{Put: &types.Put{TableName: &s.table, Item: gone}})
			}
			return dynamo.LegacyTransact(ctx, s.db, actions)
		})
		if err != nil {
			return fmt.Errorf("remove transactions: %w", err)
		}
	}
	return nil
}

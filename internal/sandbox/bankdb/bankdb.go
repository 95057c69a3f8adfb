// Package bankdb keeps the sandbox banks' consents in DynamoDB.
package bankdb

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/sandbox/bank"
)

// Store is a bank.Store in one table. Rows that may be forgotten are filtered
// on reading, since DynamoDB takes its time to delete them.
type Store struct {
	db    *dynamodb.Client
	table string
	now   func() time.Time
}

var _ bank.Store = (*Store)(nil)

// New is a store in the table.
func New(db *dynamodb.Client, table string, now func() time.Time) *Store {
	return &Store{db, table, now}
}

// The keys. Every row is read by its whole key; approvals are listed, too.
func consentKey(bank, id string) (pk, sk string) { return "B#" + bank + "#CONSENT#" + id, "CONSENT" }

func authorisationKey(bank, id string) (pk, sk string) {
	return "B#" + bank + "#AUTHORISATION#" + id, "AUTHORISATION"
}

func customerKey(bank, id string) (pk, sk string) { return "B#" + bank + "#CUSTOMER#" + id, "CUSTOMER" }

// approvalKey has all banks in one partition: people approve rarely.
func approvalKey(id string) (pk, sk string) { return "APPROVALS", id }

func callKey(c bank.Call) (pk, sk string) {
	pk, _ = consentKey(c.Bank, c.ConsentID)
	return pk, "CALLS#" + c.Day + "#" + c.Endpoint + "#" + c.Account
}

// row is how a record is stored: the record and when to forget it.
type row[R any] struct {
	Record    R     `dynamodbav:"record"`
	Version   int   `dynamodbav:"version"`
	ExpiresAt int64 `dynamodbav:"expiresAt"`
}

// Consent reads a consent.
func (s *Store) Consent(ctx context.Context, slug, id string) (bank.Consent, error) {
	pk, sk := consentKey(slug, id)
	return get[bank.Consent](ctx, s, pk, sk)
}

// Authorisation reads an authorisation.
func (s *Store) Authorisation(ctx context.Context, slug, id string) (bank.Authorisation, error) {
	pk, sk := authorisationKey(slug, id)
	return get[bank.Authorisation](ctx, s, pk, sk)
}

// Customer reads a customer.
func (s *Store) Customer(ctx context.Context, slug, id string) (bank.Customer, error) {
	pk, sk := customerKey(slug, id)
	return get[bank.Customer](ctx, s, pk, sk)
}

// Approval reads an approval.
func (s *Store) Approval(ctx context.Context, id string) (bank.Approval, error) {
	pk, sk := approvalKey(id)
	return get[bank.Approval](ctx, s, pk, sk)
}

// Approvals lists approvals, newest first. Those that may be forgotten are the
// oldest, so that the list ends with the first of them.
func (s *Store) Approvals(ctx context.Context, before string, limit int) ([]bank.Approval, error) {
	pk, _ := approvalKey("")
	condition, values, newestFirst := "pk = :pk", dynamo.Item{":pk": dynamo.S(pk)}, false
	if before != "" {
		condition += " AND sk < :before"
		values[":before"] = dynamo.S(before)
	}
	res, err := s.db.Query(ctx, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: &condition, ExpressionAttributeValues: values, ConsistentRead: aws.Bool(true),
		ScanIndexForward: &newestFirst, Limit: aws.Int32(int32(limit)),
	})
	if err != nil {
		return nil, fmt.Errorf("query approvals: %w", err)
	}
	var out []bank.Approval
	for _, item := range res.Items {
		var found row[bank.Approval]
		if err := dynamo.Unmarshal(item, &found); err != nil {
			return nil, err
		}
		if found.ExpiresAt <= s.now().Unix() {
			break
		}
		out = append(out, found.Record)
	}
	return out, nil
}

func get[R any](ctx context.Context, s *Store, pk, sk string) (R, error) {
	var found row[R]
	err := dynamo.LegacyGet(ctx, s.db, s.table, pk, sk, true, &found)
	switch {
	case errors.Is(err, outcome.ErrNotFound):
		return found.Record, outcome.ErrNotFound
	case err != nil:
		return found.Record, fmt.Errorf("get %T: %w", found.Record, err)
	case found.ExpiresAt <= s.now().Unix():
		return *new(R), outcome.ErrNotFound
	}
	return found.Record, nil
}

// Save writes all records in one transaction, each on the condition that it is
// still at the version that was read.
func (s *Store) Save(ctx context.Context, records ...bank.Record) error {
	actions := make([]types.TransactWriteItem, len(records))
	for i, r := range records {
		var err error
		switch r := r.(type) {
		case bank.Consent:
			pk, sk := consentKey(r.Bank, r.ID)
			was := r.Version
			r.Version++
			actions[i], err = s.put(pk, sk, r, was, r.KeepUntil())
		case bank.Authorisation:
			pk, sk := authorisationKey(r.Bank, r.ID)
			was := r.Version
			r.Version++
			actions[i], err = s.put(pk, sk, r, was, r.KeepUntil())
		case bank.Customer:
			pk, sk := customerKey(r.Bank, r.ID)
			was := r.Version
			r.Version++
			actions[i], err = s.put(pk, sk, r, was, r.KeepUntil())
		case bank.Approval:
			pk, sk := approvalKey(r.ID)
			was := r.Version
			r.Version++
			actions[i], err = s.put(pk, sk, r, was, r.KeepUntil())
		default:
			err = fmt.Errorf("no record: %T", r)
		}
		if err != nil {
			return err
		}
	}
	err := dynamo.LegacyTransact(ctx, s.db, actions)
	if errors.Is(err, outcome.ErrChanged) || contended(err) {
		return outcome.ErrChanged
	}
	return err
}

func (s *Store) put(pk, sk string, record any, was int, keepUntil time.Time) (types.TransactWriteItem, error) {
	item, err := dynamo.Marshal(pk, sk, row[any]{record, was + 1, dynamo.Expiry(keepUntil)})
	if err != nil {
		return types.TransactWriteItem{}, err
	}
	// A row that reading calls forgotten may be replaced by a new one.
	condition, values := "attribute_not_exists(pk) OR expiresAt <= :now", dynamo.Item{":now": dynamo.N(s.now().Unix())}
	if was > 0 {
		condition, values = "version = :was", dynamo.Item{":was": dynamo.N(int64(was))}
	}
	p := &types.Put{TableName: &s.table, Item: item, ConditionExpression: &condition, ExpressionAttributeValues: values}
	return types.TransactWriteItem{Put: p}, nil
}

// contended tells whether another transaction held one of the rows just then.
func contended(err error) bool {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return false
	}
	for _, reason := range cancelled.CancellationReasons {
		if reason.Code != nil && *reason.Code == "TransactionConflict" {
			return true
		}
	}
	return false
}

// Count adds one to the calls.
func (s *Store) Count(ctx context.Context, c bank.Call) (int, error) {
	pk, sk := callKey(c)
	update := "ADD calls :one SET expiresAt = if_not_exists(expiresAt, :until)"
	res, err := s.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: dynamo.LegacyKey(pk, sk), UpdateExpression: &update, ReturnValues: types.ReturnValueUpdatedNew,
		ExpressionAttributeValues: dynamo.Item{":one": dynamo.N(1), ":until": dynamo.N(dynamo.Expiry(c.KeepUntil))},
	})
	if err != nil {
		return 0, fmt.Errorf("count call: %w", err)
	}
	n, ok := res.Attributes["calls"].(*types.AttributeValueMemberN)
	if !ok {
		return 0, errors.New("count call: no count came back")
	}
	calls, err := strconv.Atoi(n.Value)
	if err != nil {
		return 0, fmt.Errorf("count call: %w", err)
	}
	return calls, nil
}

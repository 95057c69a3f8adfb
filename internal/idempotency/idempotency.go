// Package idempotency keeps the answers given under idempotency keys, in a
// DynamoDB table of their own whose rows expire by themselves.
package idempotency

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/api"
	"aviso/internal/dynamo"
	"aviso/internal/idempotency/answererasure"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Store is the table. It is an api.AnswerStore.
type Store struct {
	db    *dynamodb.Client
	table string
}

// New is the store in the named table.
func New(db *dynamodb.Client, table string) *Store { return &Store{db: db, table: table} }

// row is a claim as stored. ExpiresAt is when it no longer counts; the table's
// time-to-live removes it some time after that.
type row struct {
	Holder    string `dynamodbav:"holder"`
	Request   string `dynamodbav:"request"`
	Answer    []byte `dynamodbav:"answer,omitempty"`
	ExpiresAt int64  `dynamodbav:"expiresAt"`
}

// Claim reserves the key unless it is taken by a claim that still counts.
func (s *Store) Claim(ctx context.Context, user owner.User, k string, c api.Claim, now, until time.Time) (api.Claim, bool, error) {
	pk, sk := answererasure.Key(user, k)
	item, err := dynamo.Marshal(pk, sk, row{Holder: c.Holder, Request: c.Request, ExpiresAt: dynamo.Expiry(until)})
	if err != nil {
		return api.Claim{}, false, err
	}
	condition := "attribute_not_exists(pk) OR expiresAt < :now"
	_, err = s.db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.table, Item: item, ConditionExpression: &condition,
		ExpressionAttributeValues:           dynamo.Item{":now": dynamo.N(dynamo.Expiry(now))},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	var refused *types.ConditionalCheckFailedException
	if !errors.As(err, &refused) {
		if err != nil {
			return api.Claim{}, false, fmt.Errorf("put claim: %w", err)
		}
		return api.Claim{}, false, nil
	}
	var held row
	if err := dynamo.Unmarshal(refused.Item, &held); err != nil {
		return api.Claim{}, false, err
	}
	if held.Holder == c.Holder { // our own first try, whose answer was lost
		return api.Claim{}, false, nil
	}
	return api.Claim{Holder: held.Holder, Request: held.Request, Answer: held.Answer}, true, nil
}

// Keep replaces the claim with its answer, unless another holder has taken over.
func (s *Store) Keep(ctx context.Context, user owner.User, k string, c api.Claim, until time.Time) error {
	pk, sk := answererasure.Key(user, k)
	item, err := dynamo.Marshal(pk, sk, row{Holder: c.Holder, Request: c.Request, Answer: c.Answer, ExpiresAt: dynamo.Expiry(until)})
	if err != nil {
		return err
	}
	_, err = s.db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.table, Item: item, ConditionExpression: ptr("holder = :holder"),
		ExpressionAttributeValues: dynamo.Item{":holder": dynamo.S(c.Holder)},
	})
	if err != nil {
		return fmt.Errorf("put answer: %w", dynamo.Conditional(err))
	}
	return nil
}

// Release frees the key, unless another holder has taken over.
func (s *Store) Release(ctx context.Context, user owner.User, k string, c api.Claim) error {
	pk, sk := answererasure.Key(user, k)
	_, err := s.db.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: &s.table, Key: dynamo.LegacyKey(pk, sk), ConditionExpression: ptr("holder = :holder"),
		ExpressionAttributeValues: dynamo.Item{":holder": dynamo.S(c.Holder)},
	})
	if err = dynamo.Conditional(err); err != nil && !errors.Is(err, outcome.ErrChanged) {
		return fmt.Errorf("delete claim: %w", err)
	}
	return nil
}

func ptr[T any](v T) *T { return &v }

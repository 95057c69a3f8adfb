package identitydb

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/owner"
)

// termsRow holds all documents in force: there are three, read together.
type termsRow struct {
	Documents map[string]document `dynamodbav:"documents"`
}

type document struct {
	Version string `dynamodbav:"version"`
	URL     string `dynamodbav:"url"`
}

// Terms reads the documents in force.
func (s *Store) Terms(ctx context.Context) ([]identity.Terms, error) {
	var r termsRow
	err := dynamo.Get(ctx, s.db, s.table, pkTerms, skTerms, false, &r)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return nil, err
	}
	return r.terms(), nil
}

// PublishTerms puts one document in force and leaves the others as they are, even
// when they are published at the same time.
func (s *Store) PublishTerms(ctx context.Context, t identity.Terms) error {
	d := document{Version: t.Version, URL: t.URL}
	err := s.replaceDocument(ctx, t.Type, d)
	if !errors.Is(err, dynamo.ErrConditionFailed) {
		return err
	}
	item, err := dynamo.Marshal(pkTerms, skTerms, termsRow{Documents: map[string]document{string(t.Type): d}})
	if err != nil {
		return err
	}
	_, err = s.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: &s.table, Item: item, ConditionExpression: ptr("attribute_not_exists(pk)")})
	if err = dynamo.Conditional(err); errors.Is(err, dynamo.ErrConditionFailed) {
		return s.replaceDocument(ctx, t.Type, d) // another document has come first
	}
	if err != nil {
		return fmt.Errorf("put terms: %w", err)
	}
	return nil
}

// replaceDocument writes one of the documents; ErrConditionFailed when there are
// none yet.
func (s *Store) replaceDocument(ctx context.Context, t identity.TermsType, d document) error {
	_, err := s.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: dynamo.Key(pkTerms, skTerms), UpdateExpression: ptr("SET documents.#type = :document"),
		ConditionExpression: ptr("attribute_exists(documents)"), ExpressionAttributeNames: map[string]string{"#type": string(t)},
		ExpressionAttributeValues: dynamo.Item{":document": &types.AttributeValueMemberM{Value: dynamo.Item{
			"version": dynamo.S(d.Version), "url": dynamo.S(d.URL),
		}}},
	})
	if err = dynamo.Conditional(err); err != nil {
		return fmt.Errorf("update terms: %w", err)
	}
	return nil
}

// Standing reads the user and the documents in force in one call.
func (s *Store) Standing(ctx context.Context, id owner.User) (identity.User, []identity.Terms, error) {
	pk, sk := userKey(id)
	out, err := s.db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
		// Consistent, since partners post an acceptance and the call that needs
		// it right after each other.
		s.table: {Keys: []map[string]types.AttributeValue{dynamo.Key(pk, sk), dynamo.Key(pkTerms, skTerms)}, ConsistentRead: ptr(true)},
	}})
	if err != nil {
		return identity.User{}, nil, fmt.Errorf("get user and terms: %w", err)
	}
	if len(out.UnprocessedKeys) > 0 {
		// A user that was not read is not one that is not there.
		return identity.User{}, nil, &smithy.OperationError{
			ServiceID: dynamodb.ServiceID, OperationName: "BatchGetItem",
			Err: &types.ProvisionedThroughputExceededException{Message: ptr("not all keys were read")},
		}
	}
	var user *userRow
	var terms termsRow
	for _, item := range out.Responses[s.table] {
		if v, ok := item["sk"].(*types.AttributeValueMemberS); ok && v.Value == skUser {
			user = &userRow{}
			err = dynamo.Unmarshal(item, user)
		} else {
			err = dynamo.Unmarshal(item, &terms)
		}
		if err != nil {
			return identity.User{}, nil, err
		}
	}
	if user == nil {
		return identity.User{}, nil, identity.ErrNotFound
	}
	u, err := user.user(id.Partner)
	return u, terms.terms(), err
}

func (r termsRow) terms() []identity.Terms {
	list := make([]identity.Terms, 0, len(r.Documents))
	for _, t := range identity.TermsTypes() {
		if d, ok := r.Documents[string(t)]; ok {
			list = append(list, identity.Terms{Type: t, Version: d.Version, URL: d.URL})
		}
	}
	return list
}

func parseAcceptance(name, at string) (identity.Acceptance, error) {
	t, version, _ := strings.Cut(name, "#")
	accepted, err := time.Parse(time.RFC3339Nano, at)
	if err != nil {
		return identity.Acceptance{}, fmt.Errorf("acceptance of %s: %w", t, err)
	}
	return identity.Acceptance{Type: identity.TermsType(t), Version: version, AcceptedAt: accepted}, nil
}

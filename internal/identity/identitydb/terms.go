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
	item, err := dynamo.GetItem(ctx, s.db, s.table, pkTerms, skTerms, false)
	if err != nil && !errors.Is(err, dynamo.ErrNotFound) {
		return nil, err
	}
	return toTerms(dynamo.NewRow(item))
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
	var user identity.User
	var terms []identity.Terms
	missing := identity.ErrNotFound
	for _, item := range out.Responses[s.table] {
		row := dynamo.NewRow(item)
		if row.Text("sk") == skUser {
			user, err = toUser(id.Partner, row)
			missing = nil
		} else {
			terms, err = toTerms(row)
		}
		if err != nil {
			return identity.User{}, nil, err
		}
	}
	return user, terms, missing
}

// toTerms reads what PublishTerms has written.
func toTerms(r *dynamo.Row) ([]identity.Terms, error) {
	list := []identity.Terms{}
	documents := r.Inner("documents")
	for _, t := range identity.TermsTypes() {
		if documents.Has(string(t)) {
			d := documents.Inner(string(t))
			list = append(list, identity.Terms{Type: t, Version: d.Text("version"), URL: d.Text("url")})
		}
	}
	return list, r.Err()
}

func parseAcceptance(name, at string) (identity.Acceptance, error) {
	t, version, _ := strings.Cut(name, "#")
	accepted, err := time.Parse(time.RFC3339Nano, at)
	if err != nil {
		return identity.Acceptance{}, fmt.Errorf("acceptance of %s: %w", t, err)
	}
	return identity.Acceptance{Type: identity.TermsType(t), Version: version, AcceptedAt: accepted}, nil
}

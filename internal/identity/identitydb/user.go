package identitydb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/owner"
)

type userRow struct {
	UserID       string `dynamodbav:"userId"`
	ExternalID   string `dynamodbav:"externalId,omitempty"`
	CountryCode  string `dynamodbav:"countryCode"`
	LanguageCode string `dynamodbav:"languageCode"`
	CreatedAt    string `dynamodbav:"createdAt"`
	// Acceptances maps <type>#<version> to when it was accepted. It is part of
	// the user's row so that admitting a call takes one read.
	Acceptances map[string]string `dynamodbav:"acceptances"`
}

// externalRow points from the partner's own id to the user.
type externalRow struct {
	UserID string `dynamodbav:"userId"`
}

// CreateUser writes the user, and the pointer from its external id if it has
// one, together.
func (s *Store) CreateUser(ctx context.Context, u identity.User) error {
	pk, sk := userKey(u.Owner)
	user, err := dynamo.Marshal(pk, sk, userRow{
		UserID: string(u.Owner.ID), ExternalID: u.ExternalID, CountryCode: u.CountryCode, LanguageCode: u.LanguageCode,
		CreatedAt: dynamo.Time(u.CreatedAt), Acceptances: map[string]string{},
	})
	if err != nil {
		return err
	}
	isNew := ptr("attribute_not_exists(pk)")
	actions := []types.TransactWriteItem{{Put: &types.Put{TableName: &s.table, Item: user, ConditionExpression: isNew}}}
	if u.ExternalID != "" {
		pk, sk := externalKey(u.Owner.Partner, u.ExternalID)
		pointer, err := dynamo.Marshal(pk, sk, externalRow{UserID: string(u.Owner.ID)})
		if err != nil {
			return err
		}
		actions = append(actions, types.TransactWriteItem{Put: &types.Put{TableName: &s.table, Item: pointer, ConditionExpression: isNew}})
	}
	return translate(dynamo.Transact(ctx, s.db, actions))
}

// User reads a user.
func (s *Store) User(ctx context.Context, id owner.User) (identity.User, error) {
	pk, sk := userKey(id)
	item, err := dynamo.GetItem(ctx, s.db, s.table, pk, sk, true)
	if err != nil {
		return identity.User{}, translate(err)
	}
	return toUser(id.Partner, dynamo.NewRow(item))
}

// UserByExternalID follows the pointer from the partner's own id.
func (s *Store) UserByExternalID(ctx context.Context, p owner.PartnerID, externalID string) (identity.User, error) {
	pk, sk := externalKey(p, externalID)
	var r externalRow
	if err := dynamo.Get(ctx, s.db, s.table, pk, sk, true, &r); err != nil {
		return identity.User{}, translate(err)
	}
	return s.User(ctx, owner.User{Partner: p, ID: owner.UserID(r.UserID)})
}

// Accept notes the acceptance on the user's row; the first of a version stays.
func (s *Store) Accept(ctx context.Context, id owner.User, a identity.Acceptance) (identity.Acceptance, error) {
	pk, sk := userKey(id)
	out, err := s.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: dynamo.Key(pk, sk),
		ConditionExpression:       ptr("attribute_exists(pk)"),
		UpdateExpression:          ptr("SET acceptances.#a = if_not_exists(acceptances.#a, :at)"),
		ExpressionAttributeNames:  map[string]string{"#a": string(a.Type) + "#" + a.Version},
		ExpressionAttributeValues: dynamo.Item{":at": dynamo.S(dynamo.Time(a.AcceptedAt))},
		ReturnValues:              types.ReturnValueAllNew,
	})
	if err != nil {
		if errors.Is(dynamo.Conditional(err), dynamo.ErrConditionFailed) {
			return identity.Acceptance{}, identity.ErrNotFound
		}
		return identity.Acceptance{}, fmt.Errorf("update user: %w", err)
	}
	u, err := toUser(id.Partner, dynamo.NewRow(out.Attributes))
	if err != nil {
		return identity.Acceptance{}, err
	}
	for _, kept := range u.Acceptances {
		if kept.Type == a.Type && kept.Version == a.Version {
			return kept, nil
		}
	}
	return identity.Acceptance{}, fmt.Errorf("update user: acceptance of %s is not on the row", a.Type)
}

// toUser reads what CreateUser and Accept have written.
func toUser(p owner.PartnerID, r *dynamo.Row) (identity.User, error) {
	created, err := time.Parse(time.RFC3339Nano, r.Text("createdAt"))
	if err != nil {
		return identity.User{}, fmt.Errorf("user row: %w", err)
	}
	u := identity.User{
		Owner: owner.User{Partner: p, ID: owner.UserID(r.Text("userId"))}, ExternalID: r.Text("externalId"),
		CountryCode: r.Text("countryCode"), LanguageCode: r.Text("languageCode"), CreatedAt: created,
	}
	for name, at := range r.TextsByName("acceptances") {
		a, err := parseAcceptance(name, at)
		if err != nil {
			return identity.User{}, err
		}
		u.Acceptances = append(u.Acceptances, a)
	}
	return u, r.Err()
}

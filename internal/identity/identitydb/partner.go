package identitydb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/owner"
)

type partnerRow struct {
	ID         string      `dynamodbav:"id"`
	Name       string      `dynamodbav:"name"`
	Scopes     []string    `dynamodbav:"scopes"`
	Secrets    []secretRow `dynamodbav:"secrets"`
	ReturnURLs []string    `dynamodbav:"returnUrls"`
	Disabled   bool        `dynamodbav:"disabled"`
	Version    int64       `dynamodbav:"version"`
}

type secretRow struct {
	Hash      string    `dynamodbav:"hash"`
	ExpiresAt time.Time `dynamodbav:"expiresAt"`
}

// Partner reads a partner consistently: a secret that has been made or ended
// counts at once.
func (s *Store) Partner(ctx context.Context, id owner.PartnerID) (identity.Partner, error) {
	pk, sk := partnerKey(id)
	var r partnerRow
	if err := dynamo.Get(ctx, s.db, s.table, pk, sk, true, &r); err != nil {
		return identity.Partner{}, translate(err)
	}
	p := identity.Partner{ID: owner.PartnerID(r.ID), Name: r.Name, Scopes: r.Scopes, ReturnURLs: r.ReturnURLs, Disabled: r.Disabled, Version: r.Version}
	for _, secret := range r.Secrets {
		p.Secrets = append(p.Secrets, identity.ClientSecret(secret))
	}
	return p, nil
}

// PutPartner creates or replaces a partner.
func (s *Store) PutPartner(ctx context.Context, p identity.Partner) error {
	return s.putPartner(ctx, p, nil, nil)
}

// CreatePartner writes a partner unless there is one of the id.
func (s *Store) CreatePartner(ctx context.Context, p identity.Partner) error {
	return translate(s.putPartner(ctx, p, ptr("attribute_not_exists(pk)"), nil))
}

// SavePartner replaces the row if it is still of the version that p was read as.
func (s *Store) SavePartner(ctx context.Context, p identity.Partner) error {
	was := dynamo.Item{":was": dynamo.N(p.Version)}
	p.Version++
	err := s.putPartner(ctx, p, ptr("version = :was"), was)
	if errors.Is(err, dynamo.ErrConditionFailed) {
		return identity.ErrChanged
	}
	return err
}

func (s *Store) putPartner(ctx context.Context, p identity.Partner, condition *string, values dynamo.Item) error {
	r := partnerRow{ID: string(p.ID), Name: p.Name, Scopes: p.Scopes, ReturnURLs: p.ReturnURLs, Disabled: p.Disabled, Version: p.Version}
	for _, secret := range p.Secrets {
		r.Secrets = append(r.Secrets, secretRow(secret))
	}
	pk, sk := partnerKey(p.ID)
	item, err := dynamo.Marshal(pk, sk, r)
	if err != nil {
		return err
	}
	_, err = s.db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.table, Item: item, ConditionExpression: condition, ExpressionAttributeValues: values,
	})
	if err := dynamo.Conditional(err); err != nil {
		return fmt.Errorf("put partner: %w", err)
	}
	return nil
}

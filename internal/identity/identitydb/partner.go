package identitydb

import (
	"context"
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
}

type secretRow struct {
	Hash      string    `dynamodbav:"hash"`
	ExpiresAt time.Time `dynamodbav:"expiresAt"`
}

// Partner reads a partner.
func (s *Store) Partner(ctx context.Context, id owner.PartnerID) (identity.Partner, error) {
	pk, sk := partnerKey(id)
	var r partnerRow
	if err := dynamo.Get(ctx, s.db, s.table, pk, sk, false, &r); err != nil {
		return identity.Partner{}, translate(err)
	}
	p := identity.Partner{ID: owner.PartnerID(r.ID), Name: r.Name, Scopes: r.Scopes, ReturnURLs: r.ReturnURLs, Disabled: r.Disabled}
	for _, secret := range r.Secrets {
		p.Secrets = append(p.Secrets, identity.ClientSecret(secret))
	}
	return p, nil
}

// PutPartner creates or replaces a partner.
func (s *Store) PutPartner(ctx context.Context, p identity.Partner) error {
	r := partnerRow{ID: string(p.ID), Name: p.Name, Scopes: p.Scopes, ReturnURLs: p.ReturnURLs, Disabled: p.Disabled}
	for _, secret := range p.Secrets {
		r.Secrets = append(r.Secrets, secretRow(secret))
	}
	pk, sk := partnerKey(p.ID)
	item, err := dynamo.Marshal(pk, sk, r)
	if err != nil {
		return err
	}
	if _, err := s.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: &s.table, Item: item}); err != nil {
		return fmt.Errorf("put partner: %w", err)
	}
	return nil
}

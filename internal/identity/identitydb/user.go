package identitydb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/api/idempotency"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/internal/identity"
)

type userRow struct {
	UserID       string `dynamodbav:"userId"`
	ExternalID   string `dynamodbav:"externalId,omitempty"`
	CountryCode  string `dynamodbav:"countryCode"`
	LanguageCode string `dynamodbav:"languageCode"`
	CreatedAt    string `dynamodbav:"createdAt"`
	// Acceptances maps <type>#<version> to the time of acceptance. It is part of the
	// user's row so that admitting a call takes one read.
	Acceptances map[string]string `dynamodbav:"acceptances"`
}

// externalRow maps the partner's own ID to the user.
type externalRow struct {
	UserID string `dynamodbav:"userId"`
}

// CreateUser writes the user and, if it has an external ID, the row that maps it. It
// returns outcome.ErrChanged if either exists.
func (s *Store) CreateUser(ctx context.Context, u identity.User) error {
	var x dynamo.Transaction
	x.Put(s.table, userKey(u.Owner), userRow{
		UserID: string(u.Owner.ID), ExternalID: u.ExternalID, CountryCode: u.CountryCode,
		LanguageCode: u.LanguageCode, CreatedAt: dynamo.Time(u.CreatedAt), Acceptances: map[string]string{},
	}, dynamo.IfNew)
	if u.ExternalID != "" {
		key := externalKey(u.Owner.Partner, u.ExternalID)
		x.Put(s.table, key, externalRow{UserID: string(u.Owner.ID)}, dynamo.IfNew)
	}
	idempotency.Put(ctx, &x, u)
	return x.Commit(ctx)
}

// User reads a user.
func (s *Store) User(ctx context.Context, id owner.User) (identity.User, error) {
	row, err := s.table.Row(ctx, userKey(id))
	if err != nil {
		return identity.User{}, err
	}
	return toUser(id.Partner, row)
}

// UpdateUser changes the user's codes.
func (s *Store) UpdateUser(ctx context.Context, id owner.User, countryCode, languageCode string) error {
	_, err := s.table.Update(ctx, userKey(id),
		dynamo.Expr("SET countryCode = ?, languageCode = ?", countryCode, languageCode), dynamo.IfExists)
	if errors.Is(err, outcome.ErrChanged) {
		return outcome.ErrNotFound
	}
	return err
}

// UserByExternalID reads the user with the partner's own ID.
func (s *Store) UserByExternalID(ctx context.Context, p owner.PartnerID, externalID string) (identity.User, error) {
	r, err := dynamo.Get[externalRow](ctx, s.table, externalKey(p, externalID))
	if err != nil {
		return identity.User{}, err
	}
	return s.User(ctx, owner.User{Partner: p, ID: owner.UserID(r.UserID)})
}

// Accept adds the acceptance to the user's row. It keeps the first acceptance of a
// version.
func (s *Store) Accept(ctx context.Context, id owner.User, a identity.Acceptance) error {
	name := dynamo.Name(string(a.Type) + "#" + a.Version)
	var x dynamo.Transaction
	x.Update(s.table, userKey(id), dynamo.Expr("SET acceptances.? = ?", name, dynamo.Time(a.AcceptedAt)),
		dynamo.Expr("attribute_exists(pk) AND attribute_not_exists(acceptances.?)", name))
	idempotency.Put(ctx, &x, a)
	return x.Commit(ctx)
}

// toUser parses a row written by CreateUser and Accept.
func toUser(p owner.PartnerID, row dynamo.Item) (identity.User, error) {
	r, err := dynamo.Decode[userRow](row)
	if err != nil {
		return identity.User{}, err
	}
	created, err := time.Parse(time.RFC3339Nano, r.CreatedAt)
	if err != nil {
		return identity.User{}, fmt.Errorf("user row: %w", err)
	}
	u := identity.User{
		Owner: owner.User{Partner: p, ID: owner.UserID(r.UserID)}, ExternalID: r.ExternalID,
		CountryCode: r.CountryCode, LanguageCode: r.LanguageCode, CreatedAt: created,
	}
	for name, at := range r.Acceptances {
		a, err := parseAcceptance(name, at)
		if err != nil {
			return identity.User{}, err
		}
		u.Acceptances = append(u.Acceptances, a)
	}
	return u, nil
}

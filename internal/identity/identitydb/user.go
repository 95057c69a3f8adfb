package identitydb

import (
	"context"
	"strings"
	"time"

	"aviso/internal/api/idempotency"
	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/owner"
)

// userRow is the row of a user.
type userRow struct {
	identity.User
	UserID owner.UserID `dynamodbav:"userId"`
	// Acceptances maps <type>#<version> to the time of acceptance. It is part of the
	// user's row so that admitting a call takes one read.
	Acceptances map[string]time.Time `dynamodbav:"acceptances"`
}

// externalRow maps the partner's own ID to the user.
type externalRow struct {
	UserID owner.UserID `dynamodbav:"userId"`
}

// CreateUser writes the user and, for an external ID, the row that maps it. It returns outcome.ErrChanged if either
// exists.
func (s *Store) CreateUser(ctx context.Context, u identity.User, also idempotency.Effect[identity.User]) error {
	var x dynamo.Transaction
	r := userRow{User: u, UserID: u.Owner.ID, Acceptances: map[string]time.Time{}}
	x.Put(s.table, userKey(u.Owner), r, dynamo.IfNew)
	if u.ExternalID != "" {
		key := externalKey(u.Owner.Partner, u.ExternalID)
		x.Put(s.table, key, externalRow{UserID: u.Owner.ID}, dynamo.IfNew)
	}
	also.Put(&x, u)
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

// UpdateUser writes the user's codes and external ID, with the rows that map it.
func (s *Store) UpdateUser(ctx context.Context, u identity.User, former string) error {
	var x dynamo.Transaction
	set := dynamo.Expr("SET countryCode = ?, languageCode = ?", u.CountryCode, u.LanguageCode)
	if u.ExternalID != former {
		set = dynamo.Expr("SET countryCode = ?, languageCode = ?, externalId = ?", u.CountryCode, u.LanguageCode, u.ExternalID)
		x.Put(s.table, externalKey(u.Owner.Partner, u.ExternalID), externalRow{UserID: u.Owner.ID}, dynamo.IfNew)
		if former != "" {
			x.Delete(s.table, externalKey(u.Owner.Partner, former))
		}
	}
	x.Update(s.table, userKey(u.Owner), set, dynamo.IfExists, hasExternalID(former))
	return x.Commit(ctx)
}

// hasExternalID is the condition that a user's row has this external ID, or none if it is empty.
func hasExternalID(id string) dynamo.Expression {
	if id == "" {
		return dynamo.Expr("attribute_not_exists(externalId)")
	}
	return dynamo.Expr("externalId = ?", id)
}

// UserByExternalID reads the user with the partner's own ID.
func (s *Store) UserByExternalID(ctx context.Context, p owner.PartnerID, externalID string) (identity.User, error) {
	r, err := dynamo.Get[externalRow](ctx, s.table, externalKey(p, externalID))
	if err != nil {
		return identity.User{}, err
	}
	return s.User(ctx, owner.User{Partner: p, ID: r.UserID})
}

// Accept adds the acceptance to the user's row. It keeps the first acceptance of a
// version.
func (s *Store) Accept(
	ctx context.Context, id owner.User, a identity.TermsAcceptance, also idempotency.Effect[identity.TermsAcceptance],
) error {
	name := dynamo.Name(string(a.Type) + "#" + a.Version)
	var x dynamo.Transaction
	x.Update(s.table, userKey(id), dynamo.Expr("SET acceptances.? = ?", name, dynamo.Millis(a.AcceptedAt)),
		dynamo.Expr("attribute_exists(pk) AND attribute_not_exists(acceptances.?)", name))
	also.Put(&x, a)
	return x.Commit(ctx)
}

// toUser parses a row written by CreateUser and Accept.
func toUser(p owner.PartnerID, row dynamo.Item) (identity.User, error) {
	r, err := dynamo.Decode[userRow](row)
	if err != nil {
		return identity.User{}, err
	}
	u := r.User
	u.Owner = owner.User{Partner: p, ID: r.UserID}
	for name, at := range r.Acceptances {
		terms, version, _ := strings.Cut(name, "#")
		u.Acceptances = append(u.Acceptances,
			identity.TermsAcceptance{Type: identity.TermsType(terms), Version: version, AcceptedAt: at})
	}
	return u, nil
}

package identitydb

import (
	"context"
	"errors"

	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/owner"
)

// Partner reads a partner consistently, so that a new or revoked secret takes effect
// at once.
func (s *Store) Partner(ctx context.Context, id owner.PartnerID) (identity.Partner, error) {
	return dynamo.Get[identity.Partner](ctx, s.table, partnerKey(id))
}

// Addressee reads the data with which pages address a user.
func (s *Store) Addressee(ctx context.Context, user owner.User) (identity.Addressee, error) {
	keys := []dynamo.Key{userKey(user), partnerKey(user.Partner)}
	rows, err := s.table.Rows(ctx, keys, dynamo.Eventual)
	if err != nil {
		return identity.Addressee{}, err
	}
	found := dynamo.ByKey(rows)
	u, err := dynamo.Decode[userRow](found[keys[0]])
	p, unread := dynamo.Decode[identity.Partner](found[keys[1]])
	return identity.Addressee{LanguageCode: u.LanguageCode, PartnerName: p.PublicName()}, errors.Join(err, unread)
}

// PutPartner creates or replaces a partner. The operator uses CreatePartner and SavePartner instead.
func (s *Store) PutPartner(ctx context.Context, p identity.Partner) error {
	return s.putPartner(ctx, p)
}

// CreatePartner writes a partner. It returns outcome.ErrChanged if the ID is taken.
func (s *Store) CreatePartner(ctx context.Context, p identity.Partner) error {
	return s.putPartner(ctx, p, dynamo.IfNew)
}

// SavePartner saves p. It returns outcome.ErrChanged if there is a newer version.
func (s *Store) SavePartner(ctx context.Context, p identity.Partner) error {
	was := dynamo.Expr("version = ?", p.Version)
	p.Version++
	return s.putPartner(ctx, p, was)
}

// SwitchPartner is SavePartner, but also writes the row for dynamo.DisabledIn. Only the operator may write that row.
func (s *Store) SwitchPartner(ctx context.Context, p identity.Partner) error {
	var x dynamo.Transaction
	was := dynamo.Expr("version = ?", p.Version)
	p.Version++
	x.Put(s.table, partnerKey(p.ID), p, was)
	x.Put(s.table, dynamo.DisabledKey(p.ID), dynamo.DisabledRow{Disabled: p.Disabled})
	return x.Commit(ctx)
}

func (s *Store) putPartner(ctx context.Context, p identity.Partner, conditions ...dynamo.Expression) error {
	return s.table.Put(ctx, partnerKey(p.ID), p, conditions...)
}

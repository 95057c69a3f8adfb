package identitydb

import (
	"context"
	"errors"

	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// termsRow has all documents in force: three, read together.
type termsRow struct {
	Documents map[identity.TermsType]identity.Terms `dynamodbav:"documents"`
}

// Terms reads the documents in force.
func (s *Store) Terms(ctx context.Context) ([]identity.Terms, error) {
	r, err := dynamo.Get[termsRow](ctx, s.table, termsKey(), dynamo.Eventual)
	if err != nil && !errors.Is(err, outcome.ErrNotFound) {
		return nil, err
	}
	return r.terms(), nil
}

// PublishTerms puts one document in force. It does not change the others, even if they
// are published at the same time.
func (s *Store) PublishTerms(ctx context.Context, t identity.Terms) error {
	err := s.replaceDocument(ctx, t)
	if !errors.Is(err, outcome.ErrChanged) {
		return err
	}
	first := termsRow{Documents: map[identity.TermsType]identity.Terms{t.Type: t}}
	err = s.table.Put(ctx, termsKey(), first, dynamo.IfNew)
	if errors.Is(err, outcome.ErrChanged) {
		return s.replaceDocument(ctx, t) // another document created the row first
	}
	return err
}

// replaceDocument writes one of the documents. It returns outcome.ErrChanged if none exist yet.
func (s *Store) replaceDocument(ctx context.Context, t identity.Terms) error {
	_, err := s.table.Update(ctx, termsKey(),
		dynamo.Expr("SET documents.? = ?", dynamo.Name(t.Type), t), dynamo.Expr("attribute_exists(documents)"))
	return err
}

// UserWithTerms reads the user and the documents in force in one consistent call, because partners post an acceptance
// right before the call that needs it.
func (s *Store) UserWithTerms(ctx context.Context, id owner.User) (identity.User, []identity.Terms, error) {
	rows, err := s.table.Rows(ctx, []dynamo.Key{userKey(id), termsKey()})
	if err != nil {
		return identity.User{}, nil, err
	}
	found := dynamo.ByKey(rows)
	r, err := dynamo.Decode[termsRow](found[termsKey()])
	if err != nil {
		return identity.User{}, nil, err
	}
	row, exists := found[userKey(id)]
	if !exists {
		return identity.User{}, r.terms(), outcome.ErrNotFound
	}
	user, err := toUser(id.Partner, row)
	return user, r.terms(), err
}

func (r termsRow) terms() []identity.Terms {
	list := []identity.Terms{}
	for _, t := range identity.TermsTypes() {
		if terms, inForce := r.Documents[t]; inForce {
			terms.Type = t
			list = append(list, terms)
		}
	}
	return list
}

func entityKey() dynamo.Key { return dynamo.Key{PK: "TERMS", SK: "ENTITY"} }

// PutEntity replaces the licensed entity.
func (s *Store) PutEntity(ctx context.Context, e identity.Entity) error {
	return s.table.Put(ctx, entityKey(), e)
}

// Entity reads the licensed entity, or returns outcome.ErrNotFound if the operator has named none.
func (s *Store) Entity(ctx context.Context) (identity.Entity, error) {
	return dynamo.Get[identity.Entity](ctx, s.table, entityKey(), dynamo.Eventual)
}

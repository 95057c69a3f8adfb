package identitydb

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/internal/identity"
)

// termsRow contains all documents in force. There are three, read together.
type termsRow struct {
	Documents map[string]document `dynamodbav:"documents"`
}

type document struct {
	Version string `dynamodbav:"version"`
	URL     string `dynamodbav:"url"`
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
	d := document{Version: t.Version, URL: t.URL}
	err := s.replaceDocument(ctx, t.Type, d)
	if !errors.Is(err, outcome.ErrChanged) {
		return err
	}
	first := termsRow{Documents: map[string]document{string(t.Type): d}}
	err = s.table.Put(ctx, termsKey(), first, dynamo.IfNew)
	if errors.Is(err, outcome.ErrChanged) {
		return s.replaceDocument(ctx, t.Type, d) // another document created the row first
	}
	return err
}

// replaceDocument writes one of the documents. It returns outcome.ErrChanged if
// there are none yet.
func (s *Store) replaceDocument(ctx context.Context, t identity.TermsType, d document) error {
	_, err := s.table.Update(ctx, termsKey(),
		dynamo.Expr("SET documents.? = ?", dynamo.Name(t), d), dynamo.Expr("attribute_exists(documents)"))
	return err
}

// UserWithTerms reads the user and the documents in force in one consistent call,
// because partners post an acceptance right before the call that needs it.
func (s *Store) UserWithTerms(
	ctx context.Context, id owner.User,
) (user identity.User, terms []identity.Terms, err error) {
	rows, err := s.table.Rows(ctx, []dynamo.Key{userKey(id), termsKey()})
	if err != nil {
		return identity.User{}, nil, err
	}
	missing := outcome.ErrNotFound
	for _, row := range rows {
		if dynamo.KeyOf(row) == userKey(id) {
			user, err = toUser(id.Partner, row)
			missing = nil
		} else {
			var r termsRow
			r, err = dynamo.Decode[termsRow](row)
			terms = r.terms()
		}
		if err != nil {
			return identity.User{}, nil, err
		}
	}
	return user, terms, missing
}

func (r termsRow) terms() []identity.Terms {
	list := []identity.Terms{}
	for _, t := range identity.TermsTypes() {
		if d, inForce := r.Documents[string(t)]; inForce {
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

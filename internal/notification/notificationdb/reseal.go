package notificationdb

import (
	"context"
	"errors"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
)

// Resealer seals with the present key what another key sealed.
type Resealer interface {
	// Reseal returns nil where the value is sealed by the present key already.
	Reseal(sealed []byte, binding string) ([]byte, error)
}

// Resealed is the result of ResealSecrets.
type Resealed struct {
	// Secrets is how many there are, Resealed how many of them were sealed by
	// another key than the present one.
	Secrets  int `json:"secrets"`
	Resealed int `json:"resealed"`
	// Unopened is how many no key that is held opens.
	Unopened int `json:"unopened"`
}

// ResealSecrets seals every signing key with the present key. It reads the whole
// table, for the operator. A secret that changes meanwhile is left alone: whoever
// wrote it has sealed it.
func (s *Store) ResealSecrets(ctx context.Context, keys Resealer) (Resealed, error) {
	var done Resealed
	secrets := dynamo.Query{Filter: dynamo.Expr("begins_with(sk, ?)", secretPrefix), Attributes: "pk, sk, #key"}
	for row, err := range s.table.Scan(ctx, secrets) {
		if err != nil {
			return done, err
		}
		done.Secrets++
		if err := s.reseal(ctx, keys, row, &done); err != nil {
			return done, err
		}
	}
	return done, nil
}

func (s *Store) reseal(ctx context.Context, keys Resealer, row *dynamo.Row, done *Resealed) error {
	r, err := dynamo.Decode[secretRow](row)
	if err != nil {
		return err
	}
	key := row.Key()
	fresh, err := keys.Reseal(r.Key, key.PK+key.SK)
	switch {
	case err != nil: // one that is lost keeps no other from being saved
		done.Unopened++
		return nil //nolint:nilerr // it is counted
	case fresh == nil:
		return nil
	}
	_, err = s.table.Update(ctx, key, dynamo.Expr("SET #key = ?", fresh), dynamo.Expr("#key = ?", r.Key))
	if errors.Is(err, outcome.ErrChanged) {
		return nil
	}
	if err == nil {
		done.Resealed++
	}
	return err
}

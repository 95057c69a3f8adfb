package notificationdb

import (
	"context"
	"errors"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
)

// Resealer seals values again with the current key.
type Resealer interface {
	// Reseal returns nil if the current key already sealed the value.
	Reseal(sealed []byte, binding string) ([]byte, error)
}

// Resealed is the result of ResealSecrets.
type Resealed struct {
	// Secrets is the number of secrets. Resealed is how many of them an older key had sealed.
	Secrets  int `json:"secrets"`
	Resealed int `json:"resealed"`
	// Unopened is the number of secrets that none of our keys can open.
	Unopened int `json:"unopened"`
}

// ResealSecrets seals every signing key with the current key. It scans the whole table, so only the operator uses it.
// It skips a secret that changes meanwhile, because that write already uses the current key.
func (s *Store) ResealSecrets(ctx context.Context, keys Resealer) (Resealed, error) {
	var done Resealed
	secrets := dynamo.Query{Filter: dynamo.Expr("begins_with(sk, ?)", secretPrefix), Attributes: "pk, sk, #key"}
	for r, err := range dynamo.Each[secretRow](s.table.Scan(ctx, secrets)) {
		if err != nil {
			return done, err
		}
		done.Secrets++
		fresh, err := keys.Reseal(r.Sealed, r.PK+r.SK)
		if err != nil { // one lost secret must not stop the others
			done.Unopened++
			continue
		}
		if fresh == nil {
			continue
		}
		_, err = s.table.Update(ctx, r.Key, dynamo.Expr("SET #key = ?", fresh), dynamo.Expr("#key = ?", r.Sealed))
		if err == nil {
			done.Resealed++
		} else if !errors.Is(err, outcome.ErrChanged) {
			return done, err
		}
	}
	return done, nil
}

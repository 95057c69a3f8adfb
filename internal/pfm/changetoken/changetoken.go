// Package changetoken makes the tokens with which partners ask for the changes of
// a user's transactions, where the operation that takes them is not linked: in
// what events tell.
package changetoken

import (
	"fmt"
	"net/http"
	"time"

	"aviso/internal/keyring"
	"aviso/internal/owner"
	"aviso/internal/pagetoken"
	"aviso/internal/pfm"
)

// Path is that of the operation that takes the tokens, with GET.
const Path = "/openbanking/v1/transactions/changes"

// Maker makes the tokens.
type Maker struct {
	// Sealer is that of the page tokens.
	Sealer *keyring.Sealer
	Now    func() time.Time
}

// ChangesToken implements pfm.ChangesToken: the token of the changes after a position. It holds for 30
// days.
func (m Maker) ChangesToken(user owner.User, since pfm.ChangePosition) string {
	return pagetoken.Seal(m.Sealer, m.Now(), Format(since), pagetoken.Bind(http.MethodGet+" "+Path, user))
}

// Format writes the position that a token holds; Parse reads it.
func Format(p pfm.ChangePosition) string { return fmt.Sprintf("%d %d", p.Read, p.CaughtUp) }

// Parse reads what Format has written. Nothing is the beginning.
func Parse(s string) (p pfm.ChangePosition, err error) {
	if s == "" {
		return p, nil
	}
	if _, err = fmt.Sscanf(s, "%d %d", &p.Read, &p.CaughtUp); err != nil {
		return p, fmt.Errorf("position of changes: %w", err)
	}
	return p, nil
}

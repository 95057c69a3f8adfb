// Package grant is what access tokens say: whom they speak for, what they allow and
// for how long. It is apart from accesstoken, which signs and verifies, so that
// the identity area can be linked without either.
package grant

import (
	"slices"
	"time"

	"aviso/internal/owner"
)

// Lifetime is how long an access token holds.
const Lifetime = time.Hour

// Principal is whom a token speaks for and what it allows.
type Principal struct {
	Partner owner.PartnerID
	Scopes  []string
}

// Has tells whether the token carries the scope.
func (p Principal) Has(scope string) bool { return slices.Contains(p.Scopes, scope) }

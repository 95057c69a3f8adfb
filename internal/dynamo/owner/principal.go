package owner

import (
	"slices"
	"time"
)

// TokenLifetime is how long an access token is valid.
const TokenLifetime = time.Hour

// Principal is the partner that an access token was issued to, and the scopes it
// grants.
type Principal struct {
	Partner PartnerID
	Scopes  []string
}

// Has reports whether the token carries the scope.
func (p Principal) Has(scope string) bool { return slices.Contains(p.Scopes, scope) }

// Package identityapi is the HTTP side of the identity area.
package identityapi

import (
	"context"

	"github.com/go-jose/go-jose/v4"

	"aviso/internal/api"
	"aviso/internal/identity"
)

// Services is what the operations call.
type Services struct {
	Tokens     *identity.Tokens
	Users      *identity.Users
	Agreements *identity.Agreements
	Erasures   *identity.Erasures
	// PublicKeys are the keys of the key set.
	PublicKeys func(context.Context) ([]jose.JSONWebKey, error)
}

// Register adds the area's operations.
func Register(r *api.Router, s Services) {
	registerToken(r, s.Tokens)
	registerMetadata(r, s.PublicKeys)
	registerUsers(r, s.Users)
	registerTerms(r, s.Agreements)
	registerErasures(r, s.Erasures)
}

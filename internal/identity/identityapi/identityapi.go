// Package identityapi is the HTTP API of the identity area.
package identityapi

import (
	"context"

	"github.com/go-jose/go-jose/v4"

	"aviso/internal/api"
	"aviso/internal/identity"
)

// Services are the services that the operations call.
type Services struct {
	Tokens     *identity.Tokens
	Users      *identity.Users
	Agreements *identity.Agreements
	Clocks     *identity.UserClocks
	// Production leaves out the operations of the sandbox.
	Production bool
	// PublicKeys returns the keys of the key set.
	PublicKeys func(context.Context) ([]jose.JSONWebKey, error)
}

// Register adds the area's operations to the router.
func Register(r *api.Router, s Services) {
	registerToken(r, s.Tokens)
	registerMetadata(r, s.PublicKeys)
	registerDocument(r)
	registerUsers(r, s.Users)
	registerTerms(r, s.Agreements)
	registerErasures(r, s.Users)
	registerExports(r, s.Users)
	r.ServeExport("getUserArchive", "/identity/v1/export", func(in *api.Router) {
		registerUsers(in, s.Users)
		registerTerms(in, s.Agreements)
	},
		api.Exported{Path: "/identity/v1/users/{id}", File: "user.jsonl"},
		api.Exported{Path: "/identity/v1/users/{id}/terms-acceptances", File: "terms-acceptances.jsonl"},
	)
	if !s.Production {
		registerClock(r, s.Clocks)
	}
}

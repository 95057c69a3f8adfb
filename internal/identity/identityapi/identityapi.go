// Package identityapi is the HTTP side of the identity area.
package identityapi

import (
	"context"

	"github.com/go-jose/go-jose/v4"

	"aviso/internal/api"
	"aviso/internal/identity"
	"aviso/internal/owner"
)

// Services is what the operations call.
type Services struct {
	Tokens     TokenService
	Users      UserService
	Agreements AgreementService
	Erasures   ErasureService
	// PublicKeys are the keys of the key set.
	PublicKeys func(context.Context) ([]jose.JSONWebKey, error)
}

// TokenService issues access tokens.
type TokenService interface {
	// Issue fails with identity.ErrInvalidClient or identity.ErrInvalidScope.
	Issue(ctx context.Context, id owner.PartnerID, secret, scope, issuer string) (identity.Token, error)
}

// UserService keeps users.
type UserService interface {
	Create(ctx context.Context, p owner.PartnerID, n identity.NewUser) (u identity.User, created bool, err error)
	Get(ctx context.Context, id owner.User) (identity.User, error)
	ByExternalID(ctx context.Context, p owner.PartnerID, externalID string) (identity.User, error)
}

// AgreementService keeps terms and their acceptance.
type AgreementService interface {
	Published(ctx context.Context) ([]identity.Terms, error)
	Accept(ctx context.Context, user owner.User, t identity.TermsType, version string) (identity.Acceptance, error)
	List(ctx context.Context, user owner.User) ([]identity.Acceptance, error)
}

// ErasureService erases users.
type ErasureService interface {
	Begin(ctx context.Context, user owner.User) (identity.Erasure, error)
	Receipt(ctx context.Context, p owner.PartnerID, id string) (identity.Erasure, error)
}

// Register adds the area's operations.
func Register(r *api.Router, s Services) {
	registerToken(r, s.Tokens)
	registerMetadata(r, s.PublicKeys)
	registerUsers(r, s.Users)
	registerTerms(r, s.Agreements)
	registerErasures(r, s.Erasures)
}

package pfm

import (
	"context"

	"github.com/google/uuid"

	"aviso/internal/authz"
	"aviso/internal/owner"
)

// Clients gives users the client id that former versions of the interface
// asked for. Nothing needs it, so nothing is kept.
type Clients struct{ gate authz.Gate }

// NewClients gives ids to those whom g lets pass.
func NewClients(g authz.Gate) *Clients { return &Clients{gate: g} }

// ID is the user's client id: always the same, and another for each user of
// each partner.
func (s *Clients) ID(ctx context.Context, user owner.User) (string, error) {
	if err := s.gate.Admit(ctx, user); err != nil {
		return "", err
	}
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://aviso.example/clients/"+string(user.Partner)+"/"+string(user.ID))).String(), nil
}

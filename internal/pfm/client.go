package pfm

import (
	"context"

	"github.com/google/uuid"

	"aviso/internal/dynamo/owner"
)

// Clients returns the client IDs that earlier versions of the API required. Nothing
// needs them now, so none are stored.
type Clients struct{ gate owner.Gate }

// NewClients returns the service for users that g admits.
func NewClients(g owner.Gate) *Clients { return &Clients{gate: g} }

// ID returns the user's client ID. It is always the same, and different for each user
// of each partner.
func (s *Clients) ID(ctx context.Context, user owner.User) (string, error) {
	if err := s.gate.Admit(ctx, user); err != nil {
		return "", err
	}
	url := "https://aviso.example/clients/" + string(user.Partner) + "/" + string(user.ID)
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte(url)).String(), nil
}

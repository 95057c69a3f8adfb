package identity

import (
	"context"
	"time"

	"aviso/internal/owner"
)

// Store keeps partners, their users and what both have agreed to. What is not
// there is outcome.ErrNotFound; a lost race is outcome.ErrChanged.
type Store interface {
	// Partner sees every write before it.
	Partner(ctx context.Context, id owner.PartnerID) (Partner, error)
	// PutPartner creates or replaces a partner.
	PutPartner(ctx context.Context, p Partner) error
	// CreatePartner returns outcome.ErrChanged when the id is taken.
	CreatePartner(ctx context.Context, p Partner) error
	// SavePartner writes over the version it was read as.
	SavePartner(ctx context.Context, p Partner) error

	// CreateUser returns outcome.ErrChanged when the partner has a user of the
	// same ExternalID.
	CreateUser(ctx context.Context, u User) error
	User(ctx context.Context, id owner.User) (User, error)
	UserByExternalID(ctx context.Context, p owner.PartnerID, externalID string) (User, error)

	// Terms returns the documents in force, none when nothing is published.
	Terms(ctx context.Context) ([]Terms, error)
	PublishTerms(ctx context.Context, t Terms) error
	// Accept records an acceptance and returns the one that counts: the first of
	// the same version.
	Accept(ctx context.Context, user owner.User, a Acceptance) (Acceptance, error)
	// Standing returns the user and the documents in force, read together.
	Standing(ctx context.Context, user owner.User) (User, []Terms, error)

	// BeginErasure takes the user away, and writes the receipt and the task, in
	// one transaction. The receipt counts what the user's own row held.
	BeginErasure(ctx context.Context, user owner.User, e Erasure) error
	Erasure(ctx context.Context, p owner.PartnerID, id string) (Erasure, error)
}

// ErasureTaskStore keeps the erasures that are running. It stands apart from
// Store because another type implements it, the only one with an outbox.
type ErasureTaskStore interface {
	// ErasureTasks returns all of them.
	ErasureTasks(ctx context.Context) ([]ErasureTask, error)
	// NoteCounts adds counts to the receipt, once: when that has been done, it
	// changes nothing.
	NoteCounts(ctx context.Context, t ErasureTask, counts map[string]int) error
	// CompleteErasure completes the receipt, tells the partner by EventUserErased
	// and forgets the task. When that has been done, it changes nothing.
	CompleteErasure(ctx context.Context, t ErasureTask, at time.Time) error
}

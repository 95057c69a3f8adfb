package identity

import (
	"context"

	"aviso/internal/api/idempotency"
	"aviso/internal/clock"
	"aviso/internal/owner"
)

// The methods of these stores return outcome.ErrNotFound for a missing row and outcome.ErrChanged after a lost race.

// PartnerReader reads partners.
type PartnerReader interface {
	// Partner reads a partner consistently.
	Partner(ctx context.Context, id owner.PartnerID) (Partner, error)
}

// PartnerStore stores partners.
type PartnerStore interface {
	PartnerReader
	// CreatePartner returns outcome.ErrChanged if the ID is taken.
	CreatePartner(ctx context.Context, p Partner) error
	// SavePartner saves p unless its row has changed since p was read.
	SavePartner(ctx context.Context, p Partner) error
	// SwitchPartner is SavePartner for a partner that was just disabled or enabled.
	SwitchPartner(ctx context.Context, p Partner) error
}

// UserStore stores users and the receipts of their erasure.
type UserStore interface {
	// CreateUser returns outcome.ErrChanged if the partner already has a user with the
	// same ExternalID.
	CreateUser(ctx context.Context, u User, also idempotency.Effect[User]) error
	User(ctx context.Context, id owner.User) (User, error)
	// UpdateUser writes the user's codes and external ID. It returns outcome.ErrChanged if the user no longer has the
	// former external ID, is gone, or if another user has the new one.
	UpdateUser(ctx context.Context, u User, former string) error
	UserByExternalID(ctx context.Context, p owner.PartnerID, externalID string) (User, error)
	// BeginErasure deletes the user and writes the receipt and the task in one transaction. The receipt counts the
	// contents of the user's row.
	BeginErasure(ctx context.Context, user owner.User, e ErasureReceipt) error
	Erasure(ctx context.Context, p owner.PartnerID, id string) (ErasureReceipt, error)
}

// TermsStore stores the terms and who accepted them.
type TermsStore interface {
	User(ctx context.Context, id owner.User) (User, error)
	// Terms returns the documents in force. There are none before the first is published.
	Terms(ctx context.Context) ([]Terms, error)
	PublishTerms(ctx context.Context, t Terms) error
	PutEntity(ctx context.Context, e Entity) error
	// Accept records an acceptance. It returns outcome.ErrChanged if the version is already accepted, or the user does
	// not exist.
	Accept(ctx context.Context, user owner.User, a TermsAcceptance, also idempotency.Effect[TermsAcceptance]) error
	// UserWithTerms returns the user and the documents in force in one read.
	UserWithTerms(ctx context.Context, user owner.User) (User, []Terms, error)
}

// ErasureTaskStore stores the running erasures. Its implementation needs an outbox.
type ErasureTaskStore interface {
	// ErasureTasks returns all running erasures.
	ErasureTasks(ctx context.Context) ([]ErasureTask, error)
	// NoteCounts adds counts to the receipt. A second call changes nothing.
	NoteCounts(ctx context.Context, t ErasureTask, counts map[string]int) error
	// CompleteErasure completes the receipt, publishes EventUserErased and deletes the
	// task. A second call changes nothing.
	CompleteErasure(ctx context.Context, t ErasureTask, at clock.Real) error
}

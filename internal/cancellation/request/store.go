package request

import (
	"context"
	"errors"

	"aviso/internal/api/idempotency"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/owner"
)

// ErrExternalIDTaken is returned when another cancellation of the user already has
// the external identifier.
var ErrExternalIDTaken = errors.New("cancellation: external identifier taken")

// ErrAlreadyCancelled is returned when the user has another cancellation of the contract.
var ErrAlreadyCancelled = errors.New("cancellation: product already cancelled")

// Earlier is the user's last cancellation of a contract that allows another one: that with
// the ID, any, or none if there is neither.
type Earlier struct {
	// Contract tells contracts about one product apart (Request.contract).
	Contract string
	ID       string
	Any      bool
}

// Filter filters a list of cancellations. Zero fields match all.
type Filter struct {
	Status     cancellation.Status
	ExternalID string
}

// Store stores cancellations. Its methods return outcome.ErrNotFound for missing rows and
// outcome.ErrChanged for a lost optimistic-lock race.
type Store interface {
	// CreateCancellation stores a new cancellation with its letter, the events of its
	// history and the jobs. content is a digest of the request. It returns
	// ErrExternalIDTaken if the user has another cancellation with the external
	// identifier, ErrAlreadyCancelled unless earlier allows the user's last one of the
	// contract, and outcome.ErrNotFound if the user has been erased.
	CreateCancellation(
		ctx context.Context, c cancellation.Cancellation, letter cancellation.StoredLetter, content string, earlier Earlier,
		also idempotency.Effect[cancellation.Cancellation], jobs ...cancellation.Job,
	) error
	// Cancellation returns one of the user's cancellations or objections.
	Cancellation(ctx context.Context, user owner.User, id string) (cancellation.Cancellation, error)
	// Cancellations returns a page of the user's cancellations that match, newest
	// first. If few match, a page may be short even if another one follows.
	Cancellations(
		ctx context.Context, user owner.User, f Filter, limit int, position string,
	) (page []cancellation.Cancellation, next string, err error)
	// ByExternalID returns the ID of the cancellation with the external identifier,
	// and the digest of its request.
	ByExternalID(ctx context.Context, user owner.User, externalID string) (id, content string, err error)
	// LastOf returns the ID of the user's last cancellation of the contract about c's product.
	LastOf(ctx context.Context, c cancellation.Cancellation, contract string) (id string, err error)
	// Letter returns a letter without Joined, which JoinedLetter returns.
	Letter(ctx context.Context, user owner.User, id string) (cancellation.StoredLetter, error)
	JoinedLetter(ctx context.Context, user owner.User, id string) ([]byte, error)
	// ReceivedDocuments returns what carriers sent about a cancellation, by digest.
	ReceivedDocuments(ctx context.Context, user owner.User, id string) (map[evidence.Digest]evidence.Received, error)
	// SaveCancellation replaces the version that c was read as. It also stores the
	// events of new history steps and the jobs.
	SaveCancellation(
		ctx context.Context, c cancellation.Cancellation, jobs ...cancellation.Job,
	) (cancellation.Cancellation, error)
}

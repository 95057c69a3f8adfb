package cancellation

import (
	"context"
	"errors"
	"iter"
	"time"

	"aviso/internal/api/idempotency"
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
	Status     Status
	ExternalID string
}

// Store stores all data of the area except the search index. Its methods return
// outcome.ErrNotFound for missing rows and outcome.ErrChanged for a lost
// optimistic-lock race.
type Store interface {
	CatalogueStore

	// AcquireImport acquires the import lease, so that only one import runs at a
	// time. It returns outcome.ErrChanged while another import's lease is valid.
	AcquireImport(ctx context.Context, lease ImportLease, now time.Time) error
	// ReleaseImport releases the lease. If another import has taken it over,
	// ReleaseImport does nothing.
	ReleaseImport(ctx context.Context, lease ImportLease) error
	// StoredCatalogue returns what is stored now.
	StoredCatalogue(ctx context.Context) (StoredCatalogue, error)
	// WriteEntries writes the changes, each organization with its products and list
	// entries, and renews the lease. If it fails, it may have written some of them;
	// an organization written in part has an empty digest in StoredCatalogue. If
	// another import has taken over the lease, it stops and returns
	// outcome.ErrChanged.
	WriteEntries(ctx context.Context, lease ImportLease, changes []EntryChange) error
	// PublishCatalogue writes changes as WriteEntries does. Together with the last of them, it
	// writes categories and version and releases the lease, all or nothing. It returns
	// outcome.ErrChanged if another import has taken over the lease.
	PublishCatalogue(
		ctx context.Context, lease ImportLease, changes []EntryChange, categories []Category, v CatalogueVersion,
	) error

	// CreateCancellation stores a new cancellation with its letter, the events of its
	// history and the jobs. content is a digest of the request. It returns
	// ErrExternalIDTaken if the user has another cancellation with the external
	// identifier, ErrAlreadyCancelled unless earlier allows the user's last one of the
	// contract, and outcome.ErrNotFound if the user has been erased.
	CreateCancellation(
		ctx context.Context, c Cancellation, letter StoredLetter, content string, earlier Earlier,
		also idempotency.Effect[Cancellation], jobs ...Job,
	) error
	// Cancellation returns one of the user's cancellations or objections.
	Cancellation(ctx context.Context, user owner.User, id string) (Cancellation, error)
	// Cancellations returns a page of the user's cancellations that match, newest
	// first. If few match, a page may be short even if another one follows.
	Cancellations(
		ctx context.Context, user owner.User, f Filter, limit int, position string,
	) (page []Cancellation, next string, err error)
	// AllCancellations returns all of the user's cancellations and objections, read
	// consistently.
	AllCancellations(ctx context.Context, user owner.User) ([]Cancellation, error)
	// DueShards is how many shards waiting letters are spread over for housekeeping.
	DueShards() int
	// DueCancellations iterates over the cancellations of a shard whose NextTryAt is at or
	// before until, the longest overdue first. An error concerns one cancellation that
	// cannot be read, or it comes last.
	DueCancellations(ctx context.Context, shard int, until time.Time) iter.Seq2[Cancellation, error]
	// CancellationOwner returns the user who owns the cancellation.
	CancellationOwner(ctx context.Context, id string) (owner.User, error)
	// ByExternalID returns the ID of the cancellation with the external identifier,
	// and the digest of its request.
	ByExternalID(ctx context.Context, user owner.User, externalID string) (id, content string, err error)
	// LastOf returns the ID of the user's last cancellation of the contract about c's product.
	LastOf(ctx context.Context, c Cancellation, contract string) (id string, err error)
	// ByReference returns the cancellation whose letter has this reference at a
	// carrier.
	ByReference(ctx context.Context, channel ChannelKind, reference string) (user owner.User, id string, err error)
	// Letter returns a letter without Joined, which JoinedLetter returns.
	Letter(ctx context.Context, user owner.User, id string) (StoredLetter, error)
	JoinedLetter(ctx context.Context, user owner.User, id string) ([]byte, error)
	// ReceivedDocuments returns what carriers sent about a cancellation, by digest.
	ReceivedDocuments(ctx context.Context, user owner.User, id string) (map[evidence.Digest]evidence.Received, error)
	// SaveCancellation replaces the version that c was read as. It also stores the
	// events of new history steps and the jobs.
	SaveCancellation(ctx context.Context, c Cancellation, jobs ...Job) (Cancellation, error)
	// ClaimCancellation is SaveCancellation for a worker that is about to hand the letter
	// over. If the user has been erased, it returns outcome.ErrNotFound, so that no letter
	// leaves from then on.
	ClaimCancellation(ctx context.Context, c Cancellation) (Cancellation, error)
	// DeleteCancellations deletes the cancellations with their letters and pointers.
	DeleteCancellations(ctx context.Context, user owner.User, all []Cancellation) error
}

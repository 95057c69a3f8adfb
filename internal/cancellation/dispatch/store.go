package dispatch

import (
	"context"
	"iter"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/owner"
)

// Store stores cancellations. Its methods return outcome.ErrNotFound for missing rows and
// outcome.ErrChanged for a lost optimistic-lock race.
type Store interface {
	// Cancellation returns one of the user's cancellations or objections.
	Cancellation(ctx context.Context, user owner.User, id string) (cancellation.Cancellation, error)
	// AllCancellations returns all of the user's cancellations and objections, read
	// consistently.
	AllCancellations(ctx context.Context, user owner.User) ([]cancellation.Cancellation, error)
	// DueShards is how many shards waiting letters are spread over for housekeeping.
	DueShards() int
	// DueCancellations iterates over the cancellations of a shard whose NextTryAt is at or
	// before until, the longest overdue first. An error concerns one cancellation that
	// cannot be read, or it comes last.
	DueCancellations(ctx context.Context, shard int, until time.Time) iter.Seq2[cancellation.Cancellation, error]
	// CancellationOwner returns the user who owns the cancellation.
	CancellationOwner(ctx context.Context, id string) (owner.User, error)
	// ByReference returns the cancellation whose letter has this reference at a
	// carrier.
	ByReference(
		ctx context.Context, channel cancellation.ChannelKind, reference string,
	) (user owner.User, id string, err error)
	// Letter returns a letter without Joined, which JoinedLetter returns.
	Letter(ctx context.Context, user owner.User, id string) (cancellation.StoredLetter, error)
	JoinedLetter(ctx context.Context, user owner.User, id string) ([]byte, error)
	// SaveCancellation replaces the version that c was read as. It also stores the
	// events of new history steps and the jobs.
	SaveCancellation(
		ctx context.Context, c cancellation.Cancellation, jobs ...cancellation.Job,
	) (cancellation.Cancellation, error)
	// ClaimCancellation is SaveCancellation for a worker that is about to hand the letter
	// over. If the user has been erased, it returns outcome.ErrNotFound, so that no letter
	// leaves from then on.
	ClaimCancellation(ctx context.Context, c cancellation.Cancellation) (cancellation.Cancellation, error)
	// DeleteCancellations deletes the cancellations with their letters and pointers.
	DeleteCancellations(ctx context.Context, user owner.User, all []cancellation.Cancellation) error
}

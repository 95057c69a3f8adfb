package cancellation

import (
	"context"
	"errors"
	"time"

	"aviso/internal/owner"
)

// ErrExternalIDTaken reports that another cancellation of the user has the
// identifier.
var ErrExternalIDTaken = errors.New("cancellation: external identifier taken")

// StoredLetter is a letter as it goes out, with what an e-mail needs besides.
type StoredLetter struct {
	Document
	SenderName string
	ReplyTo    string
}

// RequestStore keeps the requests of users.
type RequestStore interface {
	// CreateCancellation writes a new cancellation with its letter, the events
	// of its history and the jobs. content is a digest of what was asked for.
	// ErrExternalIDTaken when the user has another one of that identifier.
	CreateCancellation(ctx context.Context, c Cancellation, letter StoredLetter, content string, jobs ...Job) error
	// ByExternalID tells which cancellation has the identifier, and the digest
	// of what was asked for. outcome.ErrNotFound when there is none.
	ByExternalID(ctx context.Context, user owner.User, externalID string) (id, content string, err error)
	// Cancellations is a page of the user's cancellations that match, newest
	// first. Where few match, a page may be short although another follows.
	Cancellations(ctx context.Context, user owner.User, f Filter, limit int, position string) (page []Cancellation, next string, err error)
	LetterStore
}

// LetterStore reads and changes one cancellation, and reads its letter.
type LetterStore interface {
	// Cancellation is outcome.ErrNotFound when the user has none of this id.
	Cancellation(ctx context.Context, user owner.User, id string) (Cancellation, error)
	// Letter is outcome.ErrNotFound when there is no letter of this id.
	Letter(ctx context.Context, user owner.User, id string) (StoredLetter, error)
	// SaveCancellation writes c over the version it was read as, with the events
	// of what is new in its history and the jobs. outcome.ErrChanged when that version
	// is no longer there.
	SaveCancellation(ctx context.Context, c Cancellation, jobs ...Job) (Cancellation, error)
}

// Filter narrows a list; zero fields do not.
type Filter struct {
	Status     Status
	ExternalID string
}

// FeedbackStore finds what a carrier speaks of.
type FeedbackStore interface {
	// CancellationOwner tells whose cancellation it is. outcome.ErrNotFound when there
	// is none.
	CancellationOwner(ctx context.Context, id string) (owner.User, error)
	// ByReference tells whose letter a carrier calls so. outcome.ErrNotFound when there
	// is none.
	ByReference(ctx context.Context, channel ChannelKind, reference string) (user owner.User, id string, err error)
	LetterStore
}

// DueStore finds letters that nobody has woken letter-dispatch for.
type DueStore interface {
	// DueCancellations are up to limit whose NextTryAt has come.
	DueCancellations(ctx context.Context, until time.Time, limit int) ([]Cancellation, error)
	LetterStore
}

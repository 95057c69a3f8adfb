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

// Filter narrows a list; zero fields do not.
type Filter struct {
	Status     Status
	ExternalID string
}

// Store keeps all of the area but what the search reads. What is not there is
// outcome.ErrNotFound; a lost race is outcome.ErrChanged.
type Store interface {
	// Categories returns all in the order of the file; none before the first
	// import.
	Categories(ctx context.Context) ([]Category, error)
	// Organizations returns a page of the active ones by name, from position on,
	// and the position of the following page, empty at the end.
	Organizations(
		ctx context.Context, f OrganizationFilter, limit int, position string,
	) (page []Organization, next string, err error)
	// Entry returns an organization with its products, in the order of the file.
	// What is inactive is not there for it.
	Entry(ctx context.Context, organizationID string) (Entry, error)

	// AcquireImport hands the catalogue to one import at a time: outcome.ErrChanged
	// while another's lease has not run out.
	AcquireImport(ctx context.Context, lease ImportLease, now time.Time) error
	// ReleaseImport gives the lease back. One that is another's by now stays.
	ReleaseImport(ctx context.Context, lease ImportLease) error
	// StoredCatalogue returns what is stored now.
	StoredCatalogue(ctx context.Context) (StoredCatalogue, error)
	// WriteEntries makes the changes, each organization with its products and
	// its places in all lists, and prolongs the lease. When it fails, some
	// changes have been made; one that was begun shows in StoredCatalogue by an
	// empty digest. outcome.ErrChanged, and it writes nothing more, once the lease
	// is another's.
	WriteEntries(ctx context.Context, lease ImportLease, changes []EntryChange) error
	// PublishCatalogue writes categories and version and gives the lease back,
	// all or nothing. outcome.ErrChanged once the lease is another's.
	PublishCatalogue(ctx context.Context, lease ImportLease, categories []Category, v CatalogueVersion) error

	// CreateCancellation writes a new cancellation with its letter, the events
	// of its history and the jobs. content is a digest of what was asked for.
	// ErrExternalIDTaken when the user has another one of that identifier.
	CreateCancellation(ctx context.Context, c Cancellation, letter StoredLetter, content string, jobs ...Job) error
	// Cancellation returns one of the user's.
	Cancellation(ctx context.Context, user owner.User, id string) (Cancellation, error)
	// Cancellations returns a page of the user's cancellations that match, newest
	// first. Where few match, a page may be short although another follows.
	Cancellations(
		ctx context.Context, user owner.User, f Filter, limit int, position string,
	) (page []Cancellation, next string, err error)
	// AllCancellations returns all of the user's cancellations, read consistently.
	AllCancellations(ctx context.Context, user owner.User) ([]Cancellation, error)
	// DueCancellations returns up to limit whose NextTryAt has come.
	DueCancellations(ctx context.Context, until time.Time, limit int) ([]Cancellation, error)
	// CancellationOwner returns whose cancellation it is.
	CancellationOwner(ctx context.Context, id string) (owner.User, error)
	// ByExternalID returns which cancellation has the identifier, and the digest
	// of what was asked for.
	ByExternalID(ctx context.Context, user owner.User, externalID string) (id, content string, err error)
	// ByReference returns whose letter a carrier calls so.
	ByReference(ctx context.Context, channel ChannelKind, reference string) (user owner.User, id string, err error)
	Letter(ctx context.Context, user owner.User, id string) (StoredLetter, error)
	// SaveCancellation writes c over the version it was read as, with the events
	// of what is new in its history and the jobs.
	SaveCancellation(ctx context.Context, c Cancellation, jobs ...Job) (Cancellation, error)
	// DeleteCancellations deletes all of them with letters and pointers.
	DeleteCancellations(ctx context.Context, user owner.User, all []Cancellation) error
}

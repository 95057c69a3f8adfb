package evidence

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"aviso/internal/api/apierror"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Signed is evidence that has been signed. It is stored, so that a bundle has the same bytes
// each time.
type Signed struct {
	// Head is the digest of the last step that the document has.
	Head      Digest `dynamodbav:"head"`
	Document  []byte `dynamodbav:"document"`
	Signature []byte `dynamodbav:"signature"`
	// Summary is the document in words.
	Summary []byte `dynamodbav:"summary"`
	// Stamp is the time stamp of the signature. It is empty until the authority gives one.
	Stamp   []byte `dynamodbav:"stamp,omitempty"`
	Version int64  `dynamodbav:"version"`
}

// Store stores signed evidence. It returns outcome.ErrNotFound if there is none, and
// outcome.ErrChanged for a lost optimistic-lock race.
type Store interface {
	// SignedEvidence returns the evidence that was signed last.
	SignedEvidence(ctx context.Context, user owner.User, id string) (Signed, error)
	// SaveEvidence replaces the version that e was read as.
	SaveEvidence(ctx context.Context, user owner.User, id string, e Signed) error
}

// Case is what there is to prove about one cancellation or objection.
type Case struct {
	Owner owner.User
	ID    string
	// Document has all steps so far, and all files but the summary.
	Document Document
	Files    []File
	// Sender is the user's name.
	Sender string
}

// Bundles makes bundles that prove cancellations.
type Bundles struct {
	Store Store
	// Case finds what there is to prove. Its refusals are *apierror.Error.
	Case func(ctx context.Context, user owner.User, id string) (Case, error)
	// Summarize returns a PDF that tells a person what the document says. sender is the
	// user's name.
	Summarize func(d Document, sender string) ([]byte, error)
	// Sign returns a detached JWS of content.
	Sign func(ctx context.Context, content []byte) ([]byte, error)
	// Stamp returns a time stamp of content (RFC 3161). It is nil without an authority.
	Stamp func(ctx context.Context, content []byte) ([]byte, error)
	Log   *slog.Logger
}

// Bundle returns the evidence of a cancellation as a ZIP archive. It has the same bytes
// until something happens to the cancellation, or until the time stamp is there that the
// authority did not give at first.
func (b *Bundles) Bundle(ctx context.Context, user owner.User, id string) ([]byte, error) {
	c, err := b.Case(ctx, user, id)
	if err != nil {
		return nil, err
	}
	e, err := b.signed(ctx, c)
	if errors.Is(err, outcome.ErrNotFound) { // erased in the meantime
		return nil, apierror.New(apierror.NotFound, "The user has no cancellation with this ID.")
	}
	if err != nil {
		return nil, err
	}
	stamp := File{Name: StampFile, Content: e.Stamp}
	if len(e.Stamp) == 0 {
		stamp = File{Name: PendingFile, Content: []byte(PendingText)}
	}
	return Zip(append([]File{
		{Name: DocumentFile, Content: e.Document}, {Name: SignatureFile, Content: e.Signature}, stamp,
	}, append(c.Files, e.summary())...)...)
}

// Summary returns the summary of a case. It returns outcome.ErrChanged if something happens to
// the cancellation meanwhile.
func (b *Bundles) Summary(ctx context.Context, c Case) ([]byte, error) {
	e, err := b.signed(ctx, c)
	if err == nil && e.Head != c.Document.Head {
		err = outcome.ErrChanged
	}
	return e.Summary, err
}

// summary returns the file with the summary.
func (e Signed) summary() File { return File{Name: SummaryFile, Content: e.Summary} }

// signed returns the evidence of all steps, and stores what is new about it.
func (b *Bundles) signed(ctx context.Context, c Case) (Signed, error) {
	e, err := b.Store.SignedEvidence(ctx, c.Owner, c.ID)
	if err != nil && !errors.Is(err, outcome.ErrNotFound) {
		return e, err
	}
	document := c.Document
	if e.Head == document.Head && len(e.Stamp) > 0 {
		return e, nil
	}
	isNew := e.Head != document.Head
	if isNew {
		e.Head, e.Stamp = document.Head, nil
		if e.Summary, err = b.Summarize(document, c.Sender); err != nil {
			return e, fmt.Errorf("summarize evidence: %w", err)
		}
		document.Files = append(document.Files, Digests([]File{e.summary()})...)
		if e.Document, err = Canonical(document); err != nil {
			return e, err
		}
		if e.Signature, err = b.Sign(ctx, e.Document); err != nil {
			return e, err
		}
	}
	if b.Stamp != nil {
		if e.Stamp, err = b.Stamp(ctx, e.Signature); err != nil {
			b.Log.WarnContext(ctx, "no time stamp", "cancellation", c.ID, "error", err.Error())
		}
	}
	if !isNew && len(e.Stamp) == 0 {
		return e, nil
	}
	err = b.Store.SaveEvidence(ctx, c.Owner, c.ID, e)
	if errors.Is(err, outcome.ErrChanged) { // another call was first
		return b.Store.SignedEvidence(ctx, c.Owner, c.ID)
	}
	return e, err
}

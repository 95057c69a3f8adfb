package cancellation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"aviso/internal/cancellation/evidence"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// SignedEvidence is evidence that has been signed. It is stored, so that a bundle has the
// same bytes each time.
type SignedEvidence struct {
	// Head is the digest of the last step that the document has.
	Head      evidence.Digest `dynamodbav:"head"`
	Document  []byte          `dynamodbav:"document"`
	Signature []byte          `dynamodbav:"signature"`
	// Summary is the document in words.
	Summary []byte `dynamodbav:"summary"`
	// Stamp is the time stamp of the signature. It is empty until the authority gives one.
	Stamp   []byte `dynamodbav:"stamp,omitempty"`
	Version int64  `dynamodbav:"version"`
}

// Evidence makes bundles that prove cancellations.
type Evidence struct {
	Store Store
	// Product finds the names of what is cancelled.
	Product FindProduct
	Gate    Gate
	// Summarize returns a PDF that tells a person what the document says. sender is the
	// user's name.
	Summarize func(d evidence.Document, sender string) ([]byte, error)
	// Sign returns a detached JWS of content.
	Sign func(ctx context.Context, content []byte) ([]byte, error)
	// Stamp returns a time stamp of content (RFC 3161). It is nil without an authority.
	Stamp func(ctx context.Context, content []byte) ([]byte, error)
	Log   *slog.Logger
}

// Bundle returns the evidence of a cancellation as a ZIP archive. It has the same bytes
// until something happens to the cancellation, or until the time stamp is there that the
// authority did not give at first.
func (s *Evidence) Bundle(ctx context.Context, user owner.User, id string) ([]byte, error) {
	c, err := owner.Read(ctx, s.Gate, user, func(ctx context.Context) (Cancellation, error) {
		c, err := s.Store.Cancellation(ctx, user, id)
		return c, asAPIError(err)
	})
	if err != nil {
		return nil, err
	}
	p, err := s.prove(ctx, c)
	if err != nil {
		return nil, err
	}
	stamp := evidence.File{Name: evidence.StampFile, Content: p.signed.Stamp}
	if len(p.signed.Stamp) == 0 {
		stamp = evidence.File{Name: evidence.PendingFile, Content: []byte(evidence.PendingText)}
	}
	return evidence.Zip(append([]evidence.File{
		{Name: evidence.DocumentFile, Content: p.signed.Document},
		{Name: evidence.SignatureFile, Content: p.signed.Signature}, stamp,
	}, append(p.files, p.signed.summary())...)...)
}

// proven is the evidence of all steps so far.
type proven struct {
	document evidence.Document
	// sender is the user's name.
	sender string
	files  []evidence.File
	signed SignedEvidence
}

// prove returns the evidence of all steps so far, signed.
func (s *Evidence) prove(ctx context.Context, c Cancellation) (p proven, err error) {
	letter, err := s.Store.Letter(ctx, c.Owner, c.ID)
	if err != nil {
		return p, asAPIError(err)
	}
	p.sender = letter.SenderName
	if p.files, err = s.files(ctx, c, letter); err != nil {
		return p, err
	}
	if p.document, err = s.document(ctx, c, p.files); err != nil {
		return p, err
	}
	p.signed, err = s.signed(ctx, c, p)
	if errors.Is(err, outcome.ErrChanged) { // another call was first
		p.signed, err = s.Store.SignedEvidence(ctx, c.Owner, c.ID)
	}
	return p, asAPIError(err)
}

// enclosed returns the evidence of a cancellation as an objection encloses it, and its
// summary. It returns outcome.ErrChanged if something happens to the cancellation meanwhile.
func (s *Evidence) enclosed(ctx context.Context, c Cancellation) (Enclosed, []byte, error) {
	p, err := s.prove(ctx, c)
	if err != nil {
		return Enclosed{}, nil, err
	}
	if p.signed.Head != p.document.Head {
		return Enclosed{}, nil, outcome.ErrChanged
	}
	return Enclosed{Document: p.document, Sender: p.sender}, p.signed.Summary, nil
}

// summary returns the file with the summary.
func (e SignedEvidence) summary() evidence.File {
	return evidence.File{Name: evidence.SummaryFile, Content: e.Summary}
}

// files returns the letter and what carriers sent.
func (s *Evidence) files(ctx context.Context, c Cancellation, letter StoredLetter) ([]evidence.File, error) {
	received, err := s.Store.ReceivedDocuments(ctx, c.Owner, c.ID)
	if err != nil {
		return nil, fmt.Errorf("read documents: %w", err)
	}
	files := []evidence.File{{Name: evidence.LetterFile, Content: letter.PDF}}
	if c.Objects != nil {
		joined, err := s.Store.JoinedLetter(ctx, c.Owner, c.ID)
		if err != nil {
			return nil, fmt.Errorf("read letter with its enclosure: %w", err)
		}
		files = append(files, evidence.File{Name: evidence.EnclosureFile, Content: letter.Enclosure},
			evidence.File{Name: evidence.JoinedFile, Content: joined})
	}
	for i, step := range c.History {
		for _, p := range step.Proofs {
			if p.Kind != evidence.ProofDocument || p.SHA256 == nil {
				continue
			}
			r, ok := received[*p.SHA256]
			if !ok {
				continue
			}
			extension := ".bin"
			if json.Valid(r.Body) {
				extension = ".json"
			}
			name := fmt.Sprintf("%s%02d-%s-%s%s", evidence.CarrierFolder, i+1, step.Channel, step.Event, extension)
			files = append(files, evidence.File{Name: name, Content: r.Body})
		}
	}
	return files, nil
}

// signed returns the evidence of all steps, and stores what is new about it.
func (s *Evidence) signed(ctx context.Context, c Cancellation, p proven) (SignedEvidence, error) {
	e, err := s.Store.SignedEvidence(ctx, c.Owner, c.ID)
	if err != nil && !errors.Is(err, outcome.ErrNotFound) {
		return e, err
	}
	document := p.document
	if e.Head == document.Head && len(e.Stamp) > 0 {
		return e, nil
	}
	isNew := e.Head != document.Head
	if isNew {
		e.Head, e.Stamp = document.Head, nil
		if e.Summary, err = s.Summarize(document, p.sender); err != nil {
			return e, fmt.Errorf("summarize evidence: %w", err)
		}
		document.Files = append(document.Files, evidence.Digests([]evidence.File{e.summary()})...)
		if e.Document, err = evidence.Canonical(document); err != nil {
			return e, err
		}
		if e.Signature, err = s.Sign(ctx, e.Document); err != nil {
			return e, err
		}
	}
	if s.Stamp != nil {
		if e.Stamp, err = s.Stamp(ctx, e.Signature); err != nil {
			s.Log.WarnContext(ctx, "no time stamp", "cancellation", c.ID, "error", err.Error())
		}
	}
	if !isNew && len(e.Stamp) == 0 {
		return e, nil
	}
	return e, s.Store.SaveEvidence(ctx, c.Owner, c.ID, e)
}

// document returns what is signed.
func (s *Evidence) document(ctx context.Context, c Cancellation, files []evidence.File) (evidence.Document, error) {
	d := evidence.Document{
		Format: evidence.Format, Files: evidence.Digests(files), Entries: c.entries(),
		Cancellation: evidence.Cancellation{
			ID: c.ID, UserID: string(c.Owner.ID), ExternalID: c.ExternalID,
			OrganizationID: c.OrganizationID, ProductID: c.ProductID,
			Locale: string(c.Locale), EndDate: string(c.EndDate), Status: string(c.Status.Shown()), StatusReason: string(c.Reason),
			CreatedAt: evidence.Time{Time: c.CreatedAt}, Recipients: make([]evidence.Recipient, 0, len(c.Channels)),
		},
	}
	if c.Cause.Kind != "" {
		d.Cancellation.Reason = evidence.Reason{
			Kind: string(c.Cause.Kind), Date: string(c.Cause.Date), Article: c.Cause.Article,
		}
	}
	if c.Objects != nil {
		d.Cancellation.ID, d.Cancellation.ObjectionID = c.Objects.CancellationID, c.ID
	}
	for _, channel := range c.Channels {
		d.Cancellation.Recipients = append(d.Cancellation.Recipients,
			evidence.Recipient{Channel: string(channel.Kind), Address: channel.inOneLine()})
	}
	organization, product, err := s.Product(ctx, c.OrganizationID, c.ProductID)
	if err != nil && !errors.Is(err, outcome.ErrNotFound) {
		return d, fmt.Errorf("read product: %w", err)
	}
	d.Cancellation.Organization, d.Cancellation.Product = organization.Name, product.Name
	d.Head, err = d.Entries[len(d.Entries)-1].Digest()
	return d, err
}

// inOneLine returns the address that the channel leads to.
func (c Channel) inOneLine() string {
	a := c.Address
	if a == nil {
		return c.Email + c.Fax
	}
	lines := slices.Concat(a.Recipient, []string{a.Street, strings.TrimSpace(a.PostalCode + " " + a.City), a.CountryCode})
	return strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), ", ")
}

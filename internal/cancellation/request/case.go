package request

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Case returns what there is to prove about a cancellation or an objection.
func (s *Requests) Case(ctx context.Context, user owner.User, id string) (evidence.Case, error) {
	c, err := owner.Read(ctx, s.Gate, user, func(ctx context.Context) (cancellation.Cancellation, error) {
		c, err := s.Store.Cancellation(ctx, user, id)
		return c, asAPIError(err)
	})
	if err != nil {
		return evidence.Case{}, err
	}
	return s.CaseOf(ctx, c)
}

// CaseOf returns what there is to prove about c.
func (s *Requests) CaseOf(ctx context.Context, c cancellation.Cancellation) (evidence.Case, error) {
	letter, err := s.Store.Letter(ctx, c.Owner, c.ID)
	if err != nil {
		return evidence.Case{}, asAPIError(err)
	}
	files, err := s.files(ctx, c, letter)
	if err != nil {
		return evidence.Case{}, err
	}
	d, err := c.Evidence()
	if err != nil {
		return evidence.Case{}, err
	}
	organization, product, err := s.Product(ctx, c.OrganizationID, c.ProductID)
	if err != nil && !errors.Is(err, outcome.ErrNotFound) {
		return evidence.Case{}, fmt.Errorf("read product: %w", err)
	}
	d.Cancellation.Organization, d.Cancellation.Product = organization.Name, product.Name
	d.Files = evidence.Digests(files)
	return evidence.Case{Owner: c.Owner, ID: c.ID, Document: d, Files: files, Sender: letter.SenderName}, nil
}

// files returns the letter and what carriers sent.
func (s *Requests) files(
	ctx context.Context, c cancellation.Cancellation, letter cancellation.StoredLetter,
) ([]evidence.File, error) {
	received, err := s.Store.ReceivedDocuments(ctx, c.Owner, c.ID)
	if err != nil {
		return nil, fmt.Errorf("read documents: %w", err)
	}
	files := []evidence.File{{Name: evidence.LetterFile, Content: letter.PDF}}
	if c.Objects != nil && c.Objects.ReplyID == "" {
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

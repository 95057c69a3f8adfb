package cancellation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"aviso/internal/apierror"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// ObjectionRequest asks for the letter that objects to debits after the end of a contract. A
// cancellation keeps no values of its letter, so they are sent again.
type ObjectionRequest struct {
	CancellationID string
	Parameters     []Parameter
	Signature      Signature
}

// PreviewObjection returns the letter that objects to the debits that came after the end of
// a contract, and were not paid back. It stores and sends nothing.
func (s *Requests) PreviewObjection(ctx context.Context, user owner.User, r ObjectionRequest) (Draft, error) {
	c, err := s.Get(ctx, user, r.CancellationID)
	if err != nil {
		return Draft{}, err
	}
	objection, err := c.objection()
	if err != nil {
		return Draft{}, err
	}
	if err := s.gate.AdmitCancelling(ctx, user); err != nil {
		return Draft{}, err
	}
	organization, product, err := s.product(ctx, c.OrganizationID, c.ProductID)
	if errors.Is(err, outcome.ErrNotFound) {
		return Draft{}, apierror.New(apierror.NotFound, "The catalogue has the product no longer.")
	}
	if err != nil {
		return Draft{}, fmt.Errorf("read product: %w", err)
	}
	request := Request{Locale: c.Locale, Parameters: r.Parameters, Signature: r.Signature}
	values, err := request.match(product.Fields, s.writer.Check)
	if err != nil {
		return Draft{}, err
	}
	if err := r.Signature.check(s.writer.Check); err != nil {
		return Draft{}, err
	}
	letter := request.letter(organization, product, values)
	letter.Date, letter.DeleteData, letter.Objection = clock.Now(ctx, s.now), false, &objection
	document, err := s.writer.Write(letter)
	if err != nil {
		return Draft{}, imageFault(err)
	}
	return Draft{Channel: c.Channel().Kind, Locale: c.Locale, Document: document, SHA256: digest(document.PDF)}, nil
}

// objection returns what the letter says, and a conflict if there is nothing to object to.
func (c Cancellation) objection() (Objection, error) {
	o := Objection{SHA256: c.LetterSHA256, SentOn: c.CreatedAt, Debits: slices.DeleteFunc(
		slices.Clone(c.Seen.Debits), func(d Debit) bool { return d.RefundID != "" })}
	if len(o.Debits) == 0 || c.cameToNothing() {
		return o, apierror.New(apierror.Conflict, "No debit after the end of the contract is known that was not paid back.")
	}
	var err error
	if o.EndedOn, err = time.Parse(time.DateOnly, c.Seen.End); err != nil {
		return o, fmt.Errorf("end of the contract: %w", err)
	}
	return o, nil
}

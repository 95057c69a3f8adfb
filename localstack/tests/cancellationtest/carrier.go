package cancellationtest

import (
	"context"
	"slices"
	"sync"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
)

// Carrier accepts every letter unless Answers has an error for it.
type Carrier struct {
	mu sync.Mutex
	// Answers are returned in order, one per call. nil accepts the letter.
	Answers []error
	// Unheard makes it accept letters even if it answers with an error.
	Unheard bool
	// Sent are the shipments of all calls of Send, and Deleted the references of all letters deleted.
	Sent    []dispatch.Shipment
	Deleted []string
	has     []string // IDs of shipments
	// KeepsMail makes it note mail, as the sandbox's mailbox does; SES keeps none.
	KeepsMail bool
	// RefuseDelete is returned by every call of Delete.
	RefuseDelete error
}

// Send implements dispatch.Carrier. The reference is "ref-" and the shipment's
// ID.
func (c *Carrier) Send(ctx context.Context, s dispatch.Shipment) (dispatch.Receipt, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !s.LookOnly {
		c.Sent = append(c.Sent, s)
	}
	var answer error
	if len(c.Answers) > 0 {
		answer, c.Answers = c.Answers[0], c.Answers[1:]
	}
	switch {
	case s.LookOnly && answer == nil && !slices.Contains(c.has, s.ID):
		return dispatch.Receipt{}, &dispatch.CarrierError{Failure: dispatch.CarrierNotSent}
	case !s.LookOnly && (answer == nil || c.Unheard):
		c.has = append(c.has, s.ID)
	}
	if answer != nil {
		return dispatch.Receipt{}, answer
	}
	reference := "ref-" + s.ID
	if s.Channel.Kind != cancellation.ChannelEmail || c.KeepsMail {
		if err := s.Note(ctx, reference); err != nil {
			return dispatch.Receipt{}, err
		}
	}
	return dispatch.Receipt{Reference: reference, TrackingNumber: "T-1"}, nil
}

// Delete implements dispatch.CarrierEraser.
func (c *Carrier) Delete(_ context.Context, reference string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.RefuseDelete != nil {
		return c.RefuseDelete
	}
	c.Deleted = append(c.Deleted, reference)
	return nil
}

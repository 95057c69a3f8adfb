package cancellationtest

import (
	"context"
	"sync"

	"aviso/internal/cancellation"
)

// Carrier takes every letter, once for each shipment, unless it is told how to
// answer.
type Carrier struct {
	mu sync.Mutex
	// Answers are given in turn, one a call; a nil one takes the letter.
	Answers []error
	sent    []cancellation.Shipment
	deleted []string
	// RefuseDelete is given to every call of Delete.
	RefuseDelete error
}

// Send is cancellation.Carrier's. The reference is "ref-" and the shipment's id.
func (c *Carrier) Send(ctx context.Context, s cancellation.Shipment) (cancellation.Receipt, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent = append(c.sent, s)
	var answer error
	if len(c.Answers) > 0 {
		answer, c.Answers = c.Answers[0], c.Answers[1:]
	}
	if answer != nil {
		return cancellation.Receipt{}, answer
	}
	reference := "ref-" + s.ID
	if err := s.Note(ctx, reference); err != nil {
		return cancellation.Receipt{}, err
	}
	return cancellation.Receipt{Reference: reference, TrackingNumber: "T-1"}, nil
}

// Delete is cancellation.CarrierEraser's.
func (c *Carrier) Delete(_ context.Context, reference string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.RefuseDelete != nil {
		return c.RefuseDelete
	}
	c.deleted = append(c.deleted, reference)
	return nil
}

// Sent are all shipments that the carrier was asked to take.
func (c *Carrier) Sent() []cancellation.Shipment {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]cancellation.Shipment(nil), c.sent...)
}

// Deleted are the references of what it was asked to delete.
func (c *Carrier) Deleted() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.deleted...)
}

package cancellationtest

import (
	"context"
	"sync"

	"aviso/internal/cancellation"
)

// Carrier accepts every letter unless Answers has an error for it.
type Carrier struct {
	mu sync.Mutex
	// Answers are returned in order, one per call. nil accepts the letter.
	Answers []error
	// Unheard makes it accept letters even if it answers with an error.
	Unheard bool
	sent    []cancellation.Shipment
	has     map[string]bool // by shipment ID
	deleted []string
	// KeepsMail makes it note mail, as the sandbox's mailbox does; SES keeps none.
	KeepsMail bool
	// RefuseDelete is returned by every call of Delete.
	RefuseDelete error
}

// Send implements cancellation.Carrier. The reference is "ref-" and the shipment's
// ID.
func (c *Carrier) Send(ctx context.Context, s cancellation.Shipment) (cancellation.Receipt, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.has == nil {
		c.has = map[string]bool{}
	}
	if !s.LookOnly {
		c.sent = append(c.sent, s)
	}
	var answer error
	if len(c.Answers) > 0 {
		answer, c.Answers = c.Answers[0], c.Answers[1:]
	}
	switch {
	case s.LookOnly && answer == nil && !c.has[s.ID]:
		return cancellation.Receipt{}, &cancellation.CarrierError{Failure: cancellation.CarrierNotSent}
	case !s.LookOnly && (answer == nil || c.Unheard):
		c.has[s.ID] = true
	}
	if answer != nil {
		return cancellation.Receipt{}, answer
	}
	reference := "ref-" + s.ID
	if s.Channel.Kind != cancellation.ChannelEmail || c.KeepsMail {
		if err := s.Note(ctx, reference); err != nil {
			return cancellation.Receipt{}, err
		}
	}
	return cancellation.Receipt{Reference: reference, TrackingNumber: "T-1"}, nil
}

// Delete implements cancellation.CarrierEraser.
func (c *Carrier) Delete(_ context.Context, reference string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.RefuseDelete != nil {
		return c.RefuseDelete
	}
	c.deleted = append(c.deleted, reference)
	return nil
}

// Sent returns the shipments of all calls of Send.
func (c *Carrier) Sent() []cancellation.Shipment {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]cancellation.Shipment(nil), c.sent...)
}

// Deleted returns the references of all letters deleted.
func (c *Carrier) Deleted() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.deleted...)
}

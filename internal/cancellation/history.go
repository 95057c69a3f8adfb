package cancellation

import (
	"slices"
	"time"

	"aviso/internal/cancellation/evidence"
)

// Steps returns the steps that changed the status that partners see, each with its Delay.
func (c Cancellation) Steps() []Step {
	var steps []Step
	for _, s := range c.History {
		if s.Status != "" {
			steps = append(steps, s)
		}
		if s.Event == evidence.EventDelayed && len(steps) > 0 {
			steps[len(steps)-1].Delay = &Delay{At: s.At, Reason: s.Reason, Said: s.Said}
		}
	}
	return steps
}

// Prove records what happened: about the step that was just added, or else as a step of
// its own.
func (c *Cancellation) Prove(now time.Time, fact evidence.Fact) {
	if last := len(c.History) - 1; last >= c.Stored.History && c.History[last].Actor == "" {
		c.History[last].Fact = fact
		return
	}
	c.History = append(c.History, Step{At: now, Fact: fact})
}

// Sealed returns c with its new steps chained to those before them. The store calls it
// before it writes.
func (c Cancellation) Sealed() (Cancellation, error) {
	stored := c.Stored.History
	if stored == len(c.History) {
		return c, nil
	}
	c.History = slices.Clone(c.History)
	for i := stored; i < len(c.History); i++ {
		step := &c.History[i]
		if step.Actor == "" {
			step.Fact = evidence.Fact{Actor: evidence.ActorService, Event: step.Status.Event()}
		}
		if i == 0 {
			continue
		}
		previous, err := c.History[i-1].entry().Digest()
		if err != nil {
			return c, err
		}
		step.Previous = &previous
	}
	return c, nil
}

// Evidence returns what is signed, without the files and the names of what is cancelled.
func (c Cancellation) Evidence() (evidence.Document, error) {
	d := evidence.Document{
		Format: evidence.Format, Entries: make([]evidence.Entry, 0, len(c.History)),
		Cancellation: evidence.Cancellation{
			ID: c.ID, UserID: string(c.Owner.ID), ExternalID: c.ExternalID,
			OrganizationID: c.OrganizationID, ProductID: c.ProductID,
			Locale: string(c.Locale), EndDate: string(c.EndDate), Status: string(c.Status.Shown()),
			StatusReason: string(c.Reason),
			CreatedAt:    evidence.Time{Time: c.CreatedAt}, Recipients: make([]evidence.Recipient, 0, len(c.Channels)),
		},
	}
	if c.Cause.Kind != "" {
		d.Cancellation.Reason = evidence.Reason{
			Kind: string(c.Cause.Kind), Date: string(c.Cause.Date), Article: c.Cause.Article, Text: c.Cause.Text,
		}
	}
	if c.Objects != nil {
		d.Cancellation.ID, d.Cancellation.ObjectionID = c.Objects.CancellationID, c.ID
	}
	for _, channel := range c.Channels {
		d.Cancellation.Recipients = append(d.Cancellation.Recipients,
			evidence.Recipient{Channel: string(channel.Kind), Address: channel.inOneLine()})
	}
	for _, s := range c.History {
		d.Entries = append(d.Entries, s.entry())
	}
	var err error
	d.Head, err = d.Entries[len(d.Entries)-1].Digest()
	return d, err
}

func (s Step) entry() evidence.Entry {
	return evidence.Entry{
		Previous: s.Previous, At: evidence.Time{Time: s.At}, Status: string(s.Status.Shown()), Fact: s.Fact,
	}
}

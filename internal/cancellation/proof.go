package cancellation

import (
	"slices"
	"time"

	"aviso/internal/cancellation/evidence"
)

// Received is a document as a carrier sent it, such as the body of a callback.
type Received struct {
	Body []byte `dynamodbav:"body"`
	// Signature is the carrier's signature of Body, as received. Not every carrier signs.
	Signature string `dynamodbav:"signature,omitempty"`
}

// maxReceived bounds a document that is stored. Of a larger one only the digest is.
const maxReceived = 64 << 10

// Steps returns the steps that changed the status that partners see, each with its Delay.
func (c Cancellation) Steps() []Step {
	var steps []Step
	for _, s := range c.History {
		if s.Status != "" {
			steps = append(steps, s)
		}
		if s.Event == evidence.EventDelayed && len(steps) > 0 {
			steps[len(steps)-1].Delay = &Delay{At: s.At, Reason: s.Reason}
		}
	}
	return steps
}

// prove records what happened: about the step that was just added, or else as a step of
// its own.
func (c *Cancellation) prove(now time.Time, fact evidence.Fact) {
	if last := len(c.History) - 1; last >= c.Stored.History && c.History[last].Actor == "" {
		c.History[last].Fact = fact
		return
	}
	c.History = append(c.History, Step{At: now, Fact: fact})
}

// proved reports whether the current channel's part of the history has such an event.
func (c *Cancellation) proved(fact evidence.Fact) bool {
	return slices.ContainsFunc(c.History, func(s Step) bool {
		return s.Event == fact.Event && s.Channel == fact.Channel
	})
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

// entries returns the history.
func (c Cancellation) entries() []evidence.Entry {
	list := make([]evidence.Entry, 0, len(c.History))
	for _, s := range c.History {
		list = append(list, s.entry())
	}
	return list
}

func (s Step) entry() evidence.Entry {
	return evidence.Entry{
		Previous: s.Previous, At: evidence.Time{Time: s.At}, Status: string(s.Status.Shown()), Fact: s.Fact,
	}
}

// handOver returns the fact that a carrier has accepted the letter.
func (c Cancellation) handOver(r Receipt) evidence.Fact {
	letter, enclosure := c.LetterSHA256, ""
	if c.Objects != nil && c.Channel().Kind == ChannelEmail {
		enclosure = c.Objects.EnclosureSHA256
	} else if c.Objects != nil {
		letter = c.Objects.JoinedSHA256
	}
	return evidence.Fact{
		Actor: evidence.ActorCarrier, Event: evidence.EventHandedOver, Channel: string(c.Channel().Kind),
		Proofs: proofs(
			evidence.Proof{Kind: evidence.ProofLetter, SHA256: evidence.Hex(letter)},
			evidence.Proof{Kind: evidence.ProofEnclosure, SHA256: evidence.Hex(enclosure)},
			evidence.Proof{Kind: evidence.ProofReference, Value: r.Reference},
			evidence.Proof{Kind: evidence.ProofTracking, Value: r.TrackingNumber},
		),
	}
}

// fact returns what a report proves about the letter of the current channel.
func (c Cancellation) fact(r Report) evidence.Fact {
	event := map[ReportState]evidence.Event{
		ReportAccepted: evidence.EventAccepted, ReportDelivered: evidence.EventDelivered,
		ReportDelayed: evidence.EventDelayed, ReportFailed: evidence.EventUndelivered,
	}[r.State]
	list := []evidence.Proof{
		{Kind: evidence.ProofReference, Value: r.Reference},
		{Kind: evidence.ProofTracking, Value: r.TrackingNumber},
		{Kind: evidence.ProofSignature, Value: r.Received.Signature},
	}
	if len(r.Received.Body) > 0 {
		list = append(list, evidence.Proof{Kind: evidence.ProofDocument, SHA256: new(evidence.Of(r.Received.Body))})
	}
	if !r.At.IsZero() {
		list = append(list, evidence.Proof{Kind: evidence.ProofReported, Value: r.At.UTC().Format(time.RFC3339)})
	}
	return evidence.Fact{
		Actor: evidence.ActorCarrier, Event: event, Channel: string(c.Channel().Kind), Reason: r.Reason,
		Proofs: proofs(list...),
	}
}

// proofs leaves out proofs of nothing.
func proofs(list ...evidence.Proof) []evidence.Proof {
	return slices.DeleteFunc(list, func(p evidence.Proof) bool { return p.Value == "" && p.SHA256.IsZero() })
}

package dispatch

import (
	"slices"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
)

// maxReceived bounds a document that is stored. Of a larger one only the digest is.
const maxReceived = 64 << 10

// proved reports whether the current channel's part of the history has such an event.
func proved(c cancellation.Cancellation, fact evidence.Fact) bool {
	return slices.ContainsFunc(c.History, func(s cancellation.Step) bool {
		return s.Event == fact.Event && s.Channel == fact.Channel
	})
}

// handedOver returns the fact that a carrier has accepted the letter.
func handedOver(c cancellation.Cancellation, r Receipt) evidence.Fact {
	letter, enclosure := c.LetterSHA256, ""
	if c.Objects != nil && c.Channel().Kind == cancellation.ChannelEmail {
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

// reported returns what a report proves about the letter of the current channel.
func reported(c cancellation.Cancellation, r Report) evidence.Fact {
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

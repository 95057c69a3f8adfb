// Package evidence proves what happened to a cancellation. A cancellation has a chain of
// entries: each holds the digest of the one before, so that none can be changed, left out
// or added unseen.
package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/gowebpki/jcs"
)

// Actor is who did something.
type Actor string

// The actors.
const (
	ActorPartner      Actor = "partner"
	ActorService      Actor = "service"
	ActorCarrier      Actor = "carrier"
	ActorOrganization Actor = "organization"
	ActorOperator     Actor = "operator"
)

// Event is what happened.
type Event string

// The events.
const (
	EventRequested    Event = "Requested"
	EventQueued       Event = "Queued"
	EventHandedOver   Event = "HandedOver"
	EventAccepted     Event = "Accepted"
	EventDelivered    Event = "Delivered"
	EventDelayed      Event = "Delayed"
	EventUndelivered  Event = "Undelivered"
	EventChannelEnded Event = "ChannelEnded"
	EventFailed       Event = "Failed"
	EventWithdrawn    Event = "Withdrawn"
	EventConfirmed    Event = "Confirmed"
	EventRejected     Event = "Rejected"
	// EventReplied: the organization has answered, and the answer decides nothing.
	EventReplied Event = "Replied"
	// EventAnswered: the user has sent what the organization asked for.
	EventAnswered Event = "Answered"
	// EventOutcome: the user's account showed whether debits came after the end.
	EventOutcome Event = "OutcomeChanged"
)

// ProofKind is what a proof is about.
type ProofKind string

// The kinds. The first four have a digest, the others a value.
const (
	// ProofRequest is the request as the partner sent it.
	ProofRequest ProofKind = "request"
	// ProofLetter is the letter, in PDF.
	ProofLetter ProofKind = "letter"
	// ProofEnclosure is the evidence of a cancellation that goes with a letter of objection.
	ProofEnclosure ProofKind = "enclosure"
	// ProofDocument is what a carrier sent, as it was received.
	ProofDocument ProofKind = "document"
	// ProofSignature is the carrier's signature of the document.
	ProofSignature ProofKind = "signature"
	// ProofReference is the carrier's ID of the letter. SES calls it message ID.
	ProofReference ProofKind = "reference"
	// ProofTracking is the tracking number.
	ProofTracking ProofKind = "trackingNumber"
	// ProofReported is the time that the carrier states.
	ProofReported ProofKind = "reportedAt"
	// ProofAuthentication has the mail server's verdicts on the sender of a mail: SPF, DKIM and DMARC.
	ProofAuthentication ProofKind = "authentication"
	// ProofRule is the rule by which a mail was understood.
	ProofRule ProofKind = "rule"
	// ProofTransaction is the ID of a transaction in the user's account.
	ProofTransaction ProofKind = "transaction"
)

// Proof proves an entry. It has a digest or a value.
type Proof struct {
	Kind   ProofKind `json:"kind" dynamodbav:"kind"`
	SHA256 *Digest   `json:"sha256,omitzero" dynamodbav:"sha256,omitempty"`
	Value  string    `json:"value,omitempty" dynamodbav:"value,omitempty"`
}

// Received is a document as a carrier sent it, such as the body of a callback.
type Received struct {
	Body []byte `dynamodbav:"body"`
	// Signature is the carrier's signature of Body, as received. Not every carrier signs.
	Signature string `dynamodbav:"signature,omitempty"`
}

// Fact is what happened, and what proves it.
type Fact struct {
	Actor   Actor   `json:"actor" dynamodbav:"actor,omitempty"`
	Event   Event   `json:"event" dynamodbav:"event,omitempty"`
	Channel string  `json:"channel,omitempty" dynamodbav:"channel,omitempty"`
	Reason  string  `json:"reason,omitempty" dynamodbav:"reason,omitempty"`
	Proofs  []Proof `json:"proofs,omitempty" dynamodbav:"proofs,omitempty"`
}

// Entry is an element of the chain.
type Entry struct {
	// Previous is the digest of the entry before. The first entry has none.
	Previous *Digest `json:"previous,omitzero"`
	At       Time    `json:"at"`
	// Status is the status that partners see from then on. It is empty if the entry
	// did not change it.
	Status string `json:"status,omitempty"`
	Fact
}

// Digest returns the digest of the entry's canonical JSON.
func (e Entry) Digest() (Digest, error) {
	text, err := Canonical(e)
	return Of(text), err
}

// Digest is a SHA-256 digest.
type Digest [sha256.Size]byte

// Of returns the digest of content.
func Of(content []byte) Digest { return sha256.Sum256(content) }

// Hex returns the digest from its text, and nil for any other text.
func Hex(text string) *Digest {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != sha256.Size {
		return nil
	}
	return new(Digest(raw))
}

// IsZero reports whether there is no digest.
func (d *Digest) IsZero() bool { return d == nil || *d == Digest{} }

func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// MarshalText implements encoding.TextMarshaler.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler. It accepts what MarshalText writes.
func (d *Digest) UnmarshalText(text []byte) error {
	read := Hex(string(text))
	if read == nil || read.String() != string(text) {
		return fmt.Errorf("not a SHA-256 digest: %d characters", len(text))
	}
	*d = *read
	return nil
}

// Time is a time with milliseconds, as rows store it.
type Time struct{ time.Time }

const timeFormat = "2006-01-02T15:04:05.000Z"

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) { return json.Marshal(t.UTC().Format(timeFormat)) }

// Canonical returns the canonical JSON of v (RFC 8785).
func Canonical(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err == nil {
		text, err = jcs.Transform(text)
	}
	if err != nil {
		return nil, fmt.Errorf("canonical JSON: %w", err)
	}
	return text, nil
}

package letter

import (
	"fmt"
	"time"

	"aviso/internal/cancellation/evidence"
)

// about is what evidence is about: who cancels which contract with whom.
type about struct{ Locale, Organization, Product, Email, Address, Fax string }

// histories are the names of the histories that evidenceOf has.
func histories() []string {
	return []string{"delivered", "bounced", "answered", "failed", "endless"}
}

// evidenceOf returns evidence with a history:
//   - delivered: by e-mail, which is the usual case
//   - bounced: the e-mail comes back, and a registered letter arrives
//   - answered: by fax, and the organization rejects it
//   - failed: by every channel, which is the longest that there is
//   - endless: longer than any
func evidenceOf(a about, history string) evidence.Document {
	b := &chain{at: time.Date(2026, time.November, 20, 9, 15, 3, 127_000_000, time.UTC)}
	d := evidence.Document{Format: evidence.Format, Cancellation: evidence.Cancellation{
		ID: "019d0c5e-6f1a-7c3b-9a52-3f8f2f1d7b60", UserID: "0f2d6c7e-4d4b-4a3f-9a55-60c0b8d1a001",
		ExternalID: "order-2026-004711", OrganizationID: "8a3b2f51-8a3e-5c0c-9d5e-3f6a7b8c9d01", Organization: a.Organization,
		ProductID: "1b2c3d4e-5f60-5172-8394-a5b6c7d8e9f0", Product: a.Product, Locale: a.Locale,
		CreatedAt: evidence.Time{Time: b.at}, Status: "Delivered",
		Recipients: []evidence.Recipient{{Channel: "Email", Address: a.Email}, {Channel: "RegisteredMail", Address: a.Address}},
	}}
	b.files = []evidence.FileDigest{{Name: evidence.LetterFile, SHA256: evidence.Of([]byte("letter"))}}
	b.step(0, "partner", evidence.EventRequested, "", "Created", evidence.Proof{
		Kind: evidence.ProofRequest, SHA256: new(evidence.Of([]byte("request"))),
	}, b.letter())
	b.step(time.Second, "service", evidence.EventQueued, "", "Queued")
	switch history {
	case "delivered":
		b.sent("Email")
		b.reported("Email", evidence.EventDelivered, "Delivered", "")
	case "bounced":
		b.bounced()
	case "answered":
		d.Cancellation.Recipients = []evidence.Recipient{{Channel: "Fax", Address: a.Fax}}
		d.Cancellation.Status, d.Cancellation.StatusReason = "Rejected", "BindingPeriod"
		b.sent("Fax")
		b.reported("Fax", evidence.EventDelivered, "Delivered", "")
		b.step(73*time.Hour, "operator", evidence.EventRejected, "", "Rejected")
		b.entries[len(b.entries)-1].Reason = "BindingPeriod"
	case "failed":
		d.Cancellation.Status, d.Cancellation.StatusReason = "DeliveryFailed", "Undeliverable"
		d.Cancellation.Recipients = append(d.Cancellation.Recipients,
			evidence.Recipient{Channel: "Mail", Address: a.Address}, evidence.Recipient{Channel: "Fax", Address: a.Fax})
		for i, channel := range []string{"Email", "RegisteredMail", "Mail", "Fax"} {
			b.sent(channel)
			b.reported(channel, evidence.EventDelivered, "Delivered", "")
			status := "Queued"
			if i == 3 {
				status = "DeliveryFailed"
			}
			b.reported(channel, evidence.EventUndelivered, status, "BounceMailboxFull")
		}
	case "endless":
		for range 12 {
			b.bounced()
		}
	}
	d.Entries, d.Files = b.entries, b.files
	d.Head, _ = d.Entries[len(d.Entries)-1].Digest()
	return d
}

type chain struct {
	at      time.Time
	entries []evidence.Entry
	files   []evidence.FileDigest
}

func (b *chain) letter() evidence.Proof {
	return evidence.Proof{Kind: evidence.ProofLetter, SHA256: &b.files[0].SHA256}
}

func (b *chain) step(
	later time.Duration, by evidence.Actor, what evidence.Event, channel, status string, proofs ...evidence.Proof,
) {
	b.at = b.at.Add(later)
	b.entries = append(b.entries, evidence.Entry{
		At: evidence.Time{Time: b.at}, Status: status,
		Fact: evidence.Fact{Actor: by, Event: what, Channel: channel, Proofs: proofs},
	})
}

// bounced adds an e-mail that comes back and a registered letter that arrives.
func (b *chain) bounced() {
	b.sent("Email")
	b.reported("Email", evidence.EventUndelivered, "Queued", "BounceGeneral")
	b.sent("RegisteredMail")
	b.reported("RegisteredMail", evidence.EventDelivered, "Delivered", "")
}

func (b *chain) sent(channel string) {
	proofs := []evidence.Proof{b.letter(), {Kind: evidence.ProofReference, Value: "0110019a9f2c7d41-5b2f6a83-" + channel}}
	if channel == "RegisteredMail" {
		proofs = append(proofs, evidence.Proof{Kind: evidence.ProofTracking, Value: "RR 12 345 678 9DE"})
	}
	b.step(4*time.Second, "carrier", evidence.EventHandedOver, channel, "Sent", proofs...)
	b.reported(channel, evidence.EventAccepted, "", "")
}

// reported adds a report that has a file in the archive.
func (b *chain) reported(channel string, what evidence.Event, status, reason string) {
	name := fmt.Sprintf("%s%02d-%s-%s.json", evidence.CarrierFolder, len(b.entries)+1, channel, what)
	document := evidence.Of([]byte(name))
	b.files = append(b.files, evidence.FileDigest{Name: name, SHA256: document})
	proofs := []evidence.Proof{{Kind: evidence.ProofDocument, SHA256: &document}}
	if channel != "Email" {
		proofs = append(proofs, evidence.Proof{Kind: evidence.ProofSignature, Value: evidence.Of([]byte("mac")).String()})
	}
	proofs = append(proofs, evidence.Proof{Kind: evidence.ProofReported, Value: b.at.Add(time.Minute).Format(time.RFC3339)})
	b.step(22*time.Hour+17*time.Minute, "carrier", what, channel, status, proofs...)
	b.entries[len(b.entries)-1].Reason = reason
}

package dispatch

import (
	"context"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/owner"
)

// Shipment is one letter to send by one channel.
type Shipment struct {
	// ID is a UUID that stays the same for every try with this channel. The next
	// channel gets a new one.
	ID             string
	CancellationID string
	// Partner is whose letter it is. Post and fax tell the carrier.
	Partner    owner.PartnerID
	Channel    cancellation.Channel
	Locale     cancellation.Locale
	Document   cancellation.Document
	SenderName string
	// ReplyTo is the e-mail address that the answer goes to, as the letter says. It is optional.
	ReplyTo string
	// TriedAt is the start of the last try that may have handed the letter over, and
	// Since the start of the first one. Both are zero if there is none. Reference is
	// the one that an earlier try noted.
	Since, TriedAt time.Time
	Reference      string
	// LookOnly means that the user has been erased, or the partner disabled: Send finds out whether an earlier try
	// has handed the letter over, and does not hand it over itself.
	LookOnly bool
	// Note stores the carrier's reference of the letter. The carrier calls it before
	// it does anything irreversible, and stops if it fails.
	Note func(ctx context.Context, reference string) error
}

// Receipt is what a carrier returns for a letter that it has accepted.
type Receipt struct {
	// Reference is the carrier's own ID of the letter.
	Reference string
	// TrackingNumber is empty if there is none, or none yet.
	TrackingNumber string
}

// Carrier delivers letters by one or more channels.
type Carrier interface {
	// Send hands the letter over exactly once: if an earlier try may have done so
	// (TriedAt), Send finds that out first. With LookOnly it stops there and returns
	// CarrierNotSent. Errors are *CarrierError. Any other error counts as CarrierUnclear.
	Send(ctx context.Context, s Shipment) (Receipt, error)
}

// CarrierEraser is a carrier that stores letters.
type CarrierEraser interface {
	// Delete deletes what the carrier stores of the letter. It succeeds if there is
	// nothing to delete.
	Delete(ctx context.Context, reference string) error
}

// CarrierFailure is the meaning of a failed try to hand a letter over.
type CarrierFailure string

// The failures.
const (
	// CarrierRefused means that the carrier will never accept the letter.
	CarrierRefused CarrierFailure = "Refused"
	// CarrierBusy means that this try did not hand the letter over. It may be
	// retried. The result of an earlier try is as unknown as before.
	CarrierBusy CarrierFailure = "Busy"
	// CarrierUnclear means that this try may have handed the letter over. A retry
	// with TriedAt finds out.
	CarrierUnclear CarrierFailure = "Unclear"
	// CarrierNotSent means that no earlier try handed the letter over, and this one must
	// not (LookOnly).
	CarrierNotSent CarrierFailure = "NotSent"
)

// CarrierError reports why a letter was not handed over. Reason is a code for the
// log and the operator, such as a carrier's error code. It contains no personal
// data.
type CarrierError struct {
	Failure CarrierFailure
	Reason  string
	// RetryAfter is the wait that the carrier asks for, or zero.
	RetryAfter time.Duration
	// Normal means that nothing is wrong: the carrier is at work, and every letter waits
	// for that. It goes with CarrierBusy.
	Normal bool
	Err    error
}

func (e *CarrierError) Error() string {
	text := "carrier: " + string(e.Failure) + " (" + e.Reason + ")"
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *CarrierError) Unwrap() error { return e.Err }

// ReportState is the state of a letter that a carrier reports.
type ReportState string

// The states.
const (
	// ReportAccepted means that the carrier has accepted the letter for delivery.
	ReportAccepted ReportState = "Taken"
	// ReportDelivered means that the letter has arrived.
	ReportDelivered ReportState = "Delivered"
	// ReportDelayed means that the letter has not arrived yet, and the carrier still tries.
	ReportDelayed ReportState = "Delayed"
	// ReportFailed means that the letter will not arrive.
	ReportFailed ReportState = "Failed"
)

// Report is a carrier's report about a letter, from a callback or event. It
// identifies the letter by CancellationID and ShipmentID, or else by Reference.
type Report struct {
	CancellationID, ShipmentID string
	Channel                    cancellation.ChannelKind // of the carrier: Mail also for registered mail
	Reference                  string
	State                      ReportState
	// Reason is the carrier's code for ReportDelayed and ReportFailed. Said is that of cancellation.Step.
	Reason, Said string
	// UnlessDelivered means that ReportFailed is about something else, such as a reply of a
	// robot, if the letter has arrived.
	UnlessDelivered bool
	TrackingNumber  string
	At              time.Time
	// Received is what the carrier sent.
	Received evidence.Received
}

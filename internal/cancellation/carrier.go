package cancellation

import (
	"context"
	"time"
)

// Shipment is one letter on its way by one channel.
type Shipment struct {
	// ID is a UUID that stays the same for every try to hand this letter over
	// by this channel, and is new for the next channel.
	ID             string
	CancellationID string
	Channel        Channel
	Locale         Locale
	Document       Document
	SenderName     string
	// ReplyTo is the user's e-mail address; empty where it is not known.
	ReplyTo string
	// TriedAt is when the last try began that may have handed the letter over,
	// and Since when the first one did; both zero where there is none. Reference
	// is what an earlier try had noted.
	Since, TriedAt time.Time
	Reference      string
	// Note keeps the carrier's reference of the letter before anything is done
	// that cannot be undone. When it fails, nothing more may be done.
	Note func(ctx context.Context, reference string) error
}

// Receipt is what a carrier gives for a letter it has taken.
type Receipt struct {
	// Reference is the carrier's own id of the letter.
	Reference string
	// TrackingNumber is empty where there is none, or not yet.
	TrackingNumber string
}

// Carrier takes letters for one or several channels.
type Carrier interface {
	// Send hands the letter over, once: when an earlier try may have done so
	// (TriedAt), the carrier finds that out first. Errors are *CarrierError;
	// any other counts as CarrierUnclear.
	Send(ctx context.Context, s Shipment) (Receipt, error)
}

// CarrierEraser is a carrier that stores letters.
type CarrierEraser interface {
	// Delete deletes what the carrier keeps of the letter. One that is gone, or
	// never was, is no error.
	Delete(ctx context.Context, reference string) error
}

// CarrierFailure is what a failed try to hand a letter over means.
type CarrierFailure string

// The failures.
const (
	// CarrierRefused: the letter was not taken and never will be.
	CarrierRefused CarrierFailure = "Refused"
	// CarrierBusy: this try has not handed the letter over; it may be tried
	// again. What became of an earlier one is as open as before.
	CarrierBusy CarrierFailure = "Busy"
	// CarrierUnclear: this try may have handed the letter over or not. Trying
	// again with TriedAt settles it.
	CarrierUnclear CarrierFailure = "Unclear"
)

// CarrierError says why a letter was not handed over. Reason is a word for the
// log and the operator, such as a carrier's error code; it holds nothing
// personal.
type CarrierError struct {
	Failure CarrierFailure
	Reason  string
	// RetryAfter is the wait that the carrier asks for; zero where it says
	// nothing.
	RetryAfter time.Duration
	Err        error
}

func (e *CarrierError) Error() string {
	text := "carrier: " + string(e.Failure) + " (" + e.Reason + ")"
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *CarrierError) Unwrap() error { return e.Err }

// ReportState is what a carrier says has become of a letter.
type ReportState string

// The states.
const (
	// ReportAccepted: the carrier has taken the letter and will bring it.
	ReportAccepted ReportState = "Taken"
	// ReportDelivered: it has arrived.
	ReportDelivered ReportState = "Delivered"
	// ReportFailed: it has not arrived and will not.
	ReportFailed ReportState = "Failed"
)

// Report is a carrier's word on a letter, by callback or event. It names the
// letter by CancellationID and ShipmentID, or else by Reference.
type Report struct {
	CancellationID, ShipmentID string
	Channel                    ChannelKind // of the carrier; Mail for all paper
	Reference                  string
	State                      ReportState
	// Reason goes with ReportFailed: the carrier's word for it.
	Reason         string
	TrackingNumber string
	At             time.Time
}

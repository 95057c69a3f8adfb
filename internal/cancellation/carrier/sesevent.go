package carrier

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"aviso/internal/cancellation"
)

// sesEvent is the detail of an event from SES (developer guide, "Contents of event
// data"). Each event has only the object named after its type.
type sesEvent struct {
	EventType string
	Mail      struct {
		MessageID string
		Timestamp time.Time
		Tags      map[string][]string
	}
	Delivery, Complaint struct{ Timestamp time.Time }
	Bounce              struct {
		Timestamp                 time.Time
		BounceType, BounceSubType string
	}
}

// ParseSESEvent reads the detail of an EventBridge event from SES. It returns false
// for events without a result (a delay, an opened mail, a bounce that may be an
// out-of-office reply) and for mail without our tags. It fails if detail is not an
// SES event.
func ParseSESEvent(detail json.RawMessage) (cancellation.Report, bool, error) {
	var e sesEvent
	if err := json.Unmarshal(detail, &e); err != nil {
		// The decoder quotes what it read.
		return cancellation.Report{}, false, fmt.Errorf("read SES event: %w", errMalformed)
	}
	if e.EventType == "" {
		return cancellation.Report{}, false, errors.New("read SES event: missing event type")
	}
	report := cancellation.Report{
		CancellationID: tag(e.Mail.Tags, tagCancellation),
		ShipmentID:     tag(e.Mail.Tags, tagShipment),
		Channel:        cancellation.ChannelEmail,
		Reference:      e.Mail.MessageID,
		At:             e.Mail.Timestamp,
	}
	if report.CancellationID == "" || report.ShipmentID == "" || !e.fill(&report) {
		return cancellation.Report{}, false, nil
	}
	report.At = report.At.UTC()
	return report, true, nil
}

// fill fills in the result of the mail. It returns false if the event has none.
func (e sesEvent) fill(r *cancellation.Report) bool {
	switch e.EventType {
	case "Send":
		r.State = cancellation.ReportAccepted
	case "Delivery":
		r.State, r.At = cancellation.ReportDelivered, cmp.Or(e.Delivery.Timestamp, r.At)
	case "Complaint": // nobody complains about mail that did not arrive
		r.State, r.At = cancellation.ReportDelivered, cmp.Or(e.Complaint.Timestamp, r.At)
	case "Bounce":
		r.State, r.At = cancellation.ReportFailed, cmp.Or(e.Bounce.Timestamp, r.At)
		r.Reason = safeCode("Bounce" + e.Bounce.BounceSubType)
		return e.bouncedPermanently()
	case "Reject", "Rendering Failure":
		r.State, r.Reason = cancellation.ReportFailed, "Reject"
	default:
		return false
	}
	return true
}

// bouncedPermanently reports whether the mail will not arrive. SES reports a
// transient bounce only after it has given up. However, an out-of-office reply is
// also a transient bounce, with the subtype General; the other subtypes are reasons
// for rejecting the mail.
func (e sesEvent) bouncedPermanently() bool {
	rejections := []string{"MailboxFull", "MessageTooLarge", "ContentRejected", "AttachmentRejected"}
	bounce := e.Bounce
	return bounce.BounceType == "Permanent" ||
		bounce.BounceType == "Transient" && slices.Contains(rejections, bounce.BounceSubType)
}

// tag returns the first value of a tag if it is a UUID like our IDs.
func tag(tags map[string][]string, name string) string {
	if values := tags[name]; len(values) > 0 && uuid.Validate(values[0]) == nil {
		return values[0]
	}
	return ""
}

package carrier

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"aviso/internal/cancellation"
)

// sesEvent is the detail of an event from SES (developer guide, "Contents of event
// data"). Each event has only the object named after its type.
type sesEvent struct {
	EventType string `json:"eventType"`
	Mail      struct {
		MessageID string              `json:"messageId"`
		Timestamp time.Time           `json:"timestamp"`
		Tags      map[string][]string `json:"tags"`
	} `json:"mail"`
	Delivery struct {
		Timestamp time.Time `json:"timestamp"`
	} `json:"delivery"`
	Complaint struct {
		Timestamp time.Time `json:"timestamp"`
	} `json:"complaint"`
	Bounce struct {
		Timestamp time.Time `json:"timestamp"`
		Type      string    `json:"bounceType"`
		SubType   string    `json:"bounceSubType"`
	} `json:"bounce"`
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
	at := func(t time.Time) {
		if !t.IsZero() {
			r.At = t
		}
	}
	switch e.EventType {
	case "Send":
		r.State = cancellation.ReportAccepted
	case "Delivery":
		r.State = cancellation.ReportDelivered
		at(e.Delivery.Timestamp)
	case "Complaint": // nobody complains about mail that did not arrive
		r.State = cancellation.ReportDelivered
		at(e.Complaint.Timestamp)
	case "Bounce":
		if !e.bouncedPermanently() {
			return false
		}
		r.State, r.Reason = cancellation.ReportFailed, safeCode("Bounce"+e.Bounce.SubType)
		at(e.Bounce.Timestamp)
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
	switch e.Bounce.Type {
	case "Permanent":
		return true
	case "Transient":
		switch e.Bounce.SubType {
		case "MailboxFull", "MessageTooLarge", "ContentRejected", "AttachmentRejected":
			return true
		}
	}
	return false
}

// tag returns the first value of a tag if it is a UUID like our IDs.
func tag(tags map[string][]string, name string) string {
	if values := tags[name]; len(values) > 0 && uuid.Validate(values[0]) == nil {
		return values[0]
	}
	return ""
}

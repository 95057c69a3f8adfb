package carrier

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"aviso/internal/cancellation"
)

// sesEvent is the detail of an event of SES (developer guide, "Contents of
// event data"). Of what happened there is only the object named after it.
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

// ParseSESEvent reads the detail of an EventBridge event of SES. It tells
// nothing of events that settle nothing (a delay, an opened mail, a bounce that
// may be an out-of-office reply) and of mail that carries no shipment's tags.
// It fails for what is no such event.
func ParseSESEvent(detail json.RawMessage) (cancellation.Report, bool, error) {
	var e sesEvent
	if err := json.Unmarshal(detail, &e); err != nil {
		// The decoder quotes what it read.
		return cancellation.Report{}, false, fmt.Errorf("read SES event: %w", errMalformed)
	}
	if e.EventType == "" {
		return cancellation.Report{}, false, errors.New("read SES event: it has no type")
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

// tell fills in what the event says has become of the mail; false where it
// settles nothing.
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
	case "Complaint": // nobody complains of mail that did not arrive
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

// bouncedPermanently tells whether the mail has not arrived and will not. SES
// reports a transient bounce only once it has given up, but calls an
// out-of-office reply a transient bounce as well, of the sub-type General; the
// other sub-types say what kept the mail out.
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

// tag is the first value of a tag, where it is an id of ours.
func tag(tags map[string][]string, name string) string {
	if values := tags[name]; len(values) > 0 && uuid.Validate(values[0]) == nil {
		return values[0]
	}
	return ""
}

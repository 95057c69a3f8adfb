package carrier

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
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
	Delivery  struct{ Timestamp time.Time }
	Complaint struct {
		Timestamp        time.Time
		ComplaintSubType string
	}
	Bounce struct {
		Timestamp                 time.Time
		BounceType, BounceSubType string
		BouncedRecipients         []bouncedRecipient
	}
	DeliveryDelay struct {
		Timestamp         time.Time
		DelayType         string
		DelayedRecipients []bouncedRecipient
	}
}

// bouncedRecipient has members besides the address only if a server sent a delivery status notification (RFC 3464).
type bouncedRecipient struct{ Action, Status, DiagnosticCode string }

// ParseSESEvent reads the detail of an EventBridge event from SES. It returns false for events without a result (an
// opened mail, an out-of-office reply) and for mail without our tags, such as mail to partners. It fails if detail is
// not an SES event.
func ParseSESEvent(detail json.RawMessage) (dispatch.Report, bool, error) {
	var e sesEvent
	if err := json.Unmarshal(detail, &e); err != nil {
		// The decoder's error quotes the input.
		return dispatch.Report{}, false, fmt.Errorf("read SES event: %w", errMalformed)
	}
	if e.EventType == "" {
		return dispatch.Report{}, false, errors.New("read SES event: missing event type")
	}
	report := dispatch.Report{
		CancellationID: tag(e.Mail.Tags, tagCancellation), ShipmentID: tag(e.Mail.Tags, tagShipment),
		Channel: cancellation.ChannelEmail, Reference: e.Mail.MessageID, At: e.Mail.Timestamp,
	}
	if report.CancellationID == "" || report.ShipmentID == "" || !e.fill(&report) {
		return dispatch.Report{}, false, nil
	}
	report.At = report.At.UTC()
	return report, true, nil
}

// fill fills in the result of the mail. It returns false if the event has none.
func (e sesEvent) fill(r *dispatch.Report) bool {
	switch e.EventType {
	case "Send":
		r.State = dispatch.ReportAccepted
	case "Delivery":
		r.State, r.At = dispatch.ReportDelivered, cmp.Or(e.Delivery.Timestamp, r.At)
	case "Complaint": // nobody complains about mail that did not arrive
		r.State, r.At = dispatch.ReportDelivered, cmp.Or(e.Complaint.Timestamp, r.At)
		if list := e.Complaint.ComplaintSubType; list != "" { // they complained earlier, so SES did not send this mail
			r.State, r.Reason = dispatch.ReportFailed, safeCode("Complaint"+list)
		}
	case "Bounce":
		r.At, r.Reason = cmp.Or(e.Bounce.Timestamp, r.At), safeCode("Bounce"+e.Bounce.BounceSubType)
		r.State, r.UnlessDelivered = e.bounced()
		r.Said = said(e.Bounce.BouncedRecipients)
		return r.State != ""
	case "DeliveryDelay":
		r.State, r.At = dispatch.ReportDelayed, cmp.Or(e.DeliveryDelay.Timestamp, r.At)
		r.Reason, r.Said = safeCode(e.DeliveryDelay.DelayType), said(e.DeliveryDelay.DelayedRecipients)
	case "Reject", "Rendering Failure":
		r.State, r.Reason = dispatch.ReportFailed, "Reject"
	default:
		return false
	}
	return true
}

// bounced returns the effect of a bounce, or "". SES sends a bounce only after it has given up, or for automatic
// replies. These are Transient and General, sometimes Undetermined, come after the delivery, and have no status. A
// later server may also report that it is still trying.
func (e sesEvent) bounced() (state dispatch.ReportState, unlessDelivered bool) {
	b := e.Bounce
	switch {
	case b.BounceType == "Permanent", slices.ContainsFunc(b.BouncedRecipients, bouncedRecipient.failed):
		return dispatch.ReportFailed, false
	case slices.ContainsFunc(b.BouncedRecipients, bouncedRecipient.delayed):
		return dispatch.ReportDelayed, false
	case b.BounceType == "Transient" && b.BounceSubType == "General":
		return "", false
	default:
		return dispatch.ReportFailed, b.BounceType != "Transient"
	}
}

// maxSaid limits a server's answer, in runes.
const maxSaid = 500

// said returns what the recipient's server answered, in one line: the status, unless the answer has it, and the
// answer without its type.
func said(all []bouncedRecipient) string {
	for _, r := range all {
		answer := strings.TrimPrefix(strings.Join(strings.Fields(strings.Map(printable, r.DiagnosticCode)), " "), "smtp; ")
		if !strings.Contains(answer, r.Status) {
			answer = strings.TrimSpace(safeCode(r.Status) + " " + answer)
		}
		if runes := []rune(answer); len(runes) > 0 {
			return string(runes[:min(len(runes), maxSaid)])
		}
	}
	return ""
}

// printable turns a character that does not print into a space.
func printable(r rune) rune {
	if unicode.IsGraphic(r) && r != unicode.ReplacementChar {
		return r
	}
	return ' '
}

// refusal matches an SMTP code, such as 550 or 5.1.1, for mail that will not arrive.
var refusal = regexp.MustCompile(`\b5(\d\d|\.\d+\.\d+)\b`)

// failed reports whether the server has given up.
func (r bouncedRecipient) failed() bool {
	return strings.EqualFold(r.Action, "failed") || strings.HasPrefix(r.Status, "5.") ||
		r.Action == "" && (strings.HasPrefix(r.Status, "4.") || refusal.MatchString(r.DiagnosticCode))
}

// delayed reports whether a later server is still trying.
func (r bouncedRecipient) delayed() bool { return strings.EqualFold(r.Action, "delayed") }

// tag returns the first value of a tag if it is a UUID like our IDs.
func tag(tags map[string][]string, name string) string {
	if values := tags[name]; len(values) > 0 && uuid.Validate(values[0]) == nil {
		return values[0]
	}
	return ""
}

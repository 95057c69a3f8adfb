package carrier

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
)

const (
	mailedAt   = "2026-11-20T09:30:00.123Z"
	happenedAt = "2026-11-20T09:30:05.456Z"
)

// newSESEvent returns the detail of an event. member has the event's own data.
func newSESEvent(eventType, member string, what object, edits ...func(mail object)) []byte {
	mail := object{
		"timestamp": mailedAt, "source": "letters@aviso.example", "messageId": "0100018b-message",
		"destination": []string{"service@strom.example"}, "headersTruncated": false,
		"headers": []object{{"name": "Subject", "value": "Kündigung"}},
		"tags": object{
			"ses:configuration-set": []string{"letters"}, "ses:source-ip": []string{"192.0.2.1"},
			"cancellationId": []string{testCancellation}, "shipmentId": []string{testShipment},
		},
	}
	for _, edit := range edits {
		edit(mail)
	}
	detail := object{"eventType": eventType, "mail": mail}
	if member != "" {
		detail[member] = what
	}
	body, err := json.Marshal(detail)
	if err != nil {
		panic(err)
	}
	return body
}

func bounce(kind, subType string) []byte {
	return newSESEvent("Bounce", "bounce", object{
		"bounceType": kind, "bounceSubType": subType, "timestamp": happenedAt, "feedbackId": "f", "reportingMTA": "dns; mta.example",
		"bouncedRecipients": []object{{"emailAddress": "service@strom.example", "diagnosticCode": "smtp; 550 Erika Mustermann"}},
	})
}

func TestParseSESEvent(t *testing.T) {
	report := func(state cancellation.ReportState, reason, at string) cancellation.Report {
		when, err := time.Parse(time.RFC3339, at)
		require.NoError(t, err)
		return cancellation.Report{
			CancellationID: testCancellation, ShipmentID: testShipment, Channel: cancellation.ChannelEmail,
			Reference: "0100018b-message", State: state, Reason: reason, At: when,
		}
	}
	for name, tt := range map[string]struct {
		detail []byte
		want   cancellation.Report
	}{
		"send":      {newSESEvent("Send", "send", object{}), report(cancellation.ReportAccepted, "", mailedAt)},
		"delivery":  {newSESEvent("Delivery", "delivery", object{"timestamp": happenedAt, "smtpResponse": "250 ok"}), report(cancellation.ReportDelivered, "", happenedAt)},
		"complaint": {newSESEvent("Complaint", "complaint", object{"timestamp": happenedAt}), report(cancellation.ReportDelivered, "", happenedAt)},
		"reject":    {newSESEvent("Reject", "reject", object{"reason": "Bad content"}), report(cancellation.ReportFailed, "Reject", mailedAt)},
		"rendering failure": {
			newSESEvent("Rendering Failure", "failure", object{"errorMessage": "Erika"}),
			report(cancellation.ReportFailed, "Reject", mailedAt),
		},
		"permanent bounce":     {bounce("Permanent", "NoEmail"), report(cancellation.ReportFailed, "BounceNoEmail", happenedAt)},
		"suppressed":           {bounce("Permanent", "OnAccountSuppressionList"), report(cancellation.ReportFailed, "BounceOnAccountSuppressionList", happenedAt)},
		"a reason of no word":  {bounce("Permanent", "Erika Mustermann"), report(cancellation.ReportFailed, "Unknown", happenedAt)},
		"mailbox full":         {bounce("Transient", "MailboxFull"), report(cancellation.ReportFailed, "BounceMailboxFull", happenedAt)},
		"attachment not taken": {bounce("Transient", "AttachmentRejected"), report(cancellation.ReportFailed, "BounceAttachmentRejected", happenedAt)},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok, err := ParseSESEvent(tt.detail)
			require.NoError(t, err)
			require.True(t, ok)
			assert.Equal(t, tt.want, got)
		})
	}

	untagged := func(name string, value any) func(mail object) {
		return func(mail object) { mail["tags"].(object)[name] = value }
	}
	for name, detail := range map[string][]byte{
		"out of office":            bounce("Transient", "General"),
		"undetermined bounce":      bounce("Undetermined", "Undetermined"),
		"bounce of a new type":     bounce("Sideways", "General"),
		"delay":                    newSESEvent("DeliveryDelay", "deliveryDelay", object{"timestamp": happenedAt, "delayType": "MailboxFull"}),
		"open":                     newSESEvent("Open", "open", object{"timestamp": happenedAt}),
		"click":                    newSESEvent("Click", "click", object{"timestamp": happenedAt}),
		"subscription":             newSESEvent("Subscription", "subscription", object{}),
		"an event that is new":     newSESEvent("Telepathy", "", nil),
		"mail without tags":        newSESEvent("Delivery", "delivery", object{}, func(mail object) { delete(mail, "tags") }),
		"no cancellation id":       newSESEvent("Delivery", "delivery", object{}, untagged("cancellationId", []string{})),
		"no shipment id":           newSESEvent("Delivery", "delivery", object{}, untagged("shipmentId", nil)),
		"an ID that is not a UUID": newSESEvent("Delivery", "delivery", object{}, untagged("shipmentId", []string{"P#a#U#b"})),
	} {
		t.Run(name+" settles nothing", func(t *testing.T) {
			got, ok, err := ParseSESEvent(detail)
			require.NoError(t, err)
			assert.False(t, ok)
			assert.Zero(t, got)
		})
	}

	for name, detail := range map[string]string{
		"nothing": "", "no JSON": "Erika", "no object": `"Erika"`, "null": "null", "no type": `{"mail":{}}`,
		"tags that are not lists": `{"eventType":"Send","mail":{"tags":{"shipmentId":"Erika"}}}`,
		"an invalid time":         `{"eventType":"Send","mail":{"timestamp":"Erika"}}`,
	} {
		t.Run(name+" is refused", func(t *testing.T) {
			got, ok, err := ParseSESEvent([]byte(detail))
			require.Error(t, err)
			assert.False(t, ok)
			assert.Zero(t, got)
			assertNothingPersonal(t, err.Error())
		})
	}
}

func FuzzParseSESEvent(f *testing.F) {
	f.Add(newSESEvent("Send", "send", object{}))
	f.Add(newSESEvent("Delivery", "delivery", object{"timestamp": happenedAt}))
	f.Add(bounce("Permanent", "General"))
	f.Fuzz(func(t *testing.T, detail []byte) {
		report, ok, err := ParseSESEvent(detail)
		if err != nil || !ok {
			assert.Zero(t, report)
			return
		}
		assert.NotEmpty(t, report.CancellationID)
		assert.NotEmpty(t, report.ShipmentID)
		assert.Equal(t, report.State == cancellation.ReportFailed, report.Reason != "")
	})
}

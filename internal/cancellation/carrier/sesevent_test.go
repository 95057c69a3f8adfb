package carrier

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
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

// bounce returns a bounce. Each recipient is its action, status and diagnostic code, which only a delivery
// status notification has.
func bounce(kind, subType string, recipients ...[3]string) []byte {
	bounced := []object{}
	for _, r := range recipients {
		recipient := object{"emailAddress": "service@strom.example"}
		for i, name := range []string{"action", "status", "diagnosticCode"} {
			if r[i] != "" {
				recipient[name] = r[i]
			}
		}
		bounced = append(bounced, recipient)
	}
	return newSESEvent("Bounce", "bounce", object{
		"bounceType": kind, "bounceSubType": subType, "timestamp": happenedAt, "feedbackId": "f",
		"reportingMTA": "dns; mta.example", "bouncedRecipients": bounced,
	})
}

func complaint(members object) []byte {
	what := object{"timestamp": happenedAt, "feedbackId": "f", "complaintSubType": nil,
		"complainedRecipients": []object{{"emailAddress": "service@strom.example"}}}
	maps.Copy(what, members)
	return newSESEvent("Complaint", "complaint", what)
}

func delay(kind, status string) []byte {
	return newSESEvent("DeliveryDelay", "deliveryDelay", object{
		"timestamp": happenedAt, "delayType": kind, "expirationTime": "2026-11-21T09:30:00.000Z",
		"delayedRecipients": []object{{
			"emailAddress": "service@strom.example", "status": status, "diagnosticCode": "smtp; 421 " + status + " Erika",
		}},
	})
}

// The replies are of the kinds that mail servers give in public collections of bounces.
func TestWhatTheMailServerSaid(t *testing.T) {
	for name, tt := range map[string]struct {
		detail []byte
		want   string
	}{
		"as SES shows it":             {bounce("Permanent", "General", [3]string{"failed", "5.1.1", "smtp; 550 5.1.1 <a@b.example>... User unknown"}), "550 5.1.1 <a@b.example>... User unknown"},
		"several lines":               {bounce("Permanent", "General", [3]string{"failed", "5.7.1", "smtp; 550-5.7.1 [192.0.2.1] Our system\r\n550 5.7.1 has detected"}), "550-5.7.1 [192.0.2.1] Our system 550 5.7.1 has detected"},
		"no enhanced code":            {bounce("Permanent", "General", [3]string{"failed", "5.0.0", "smtp; 550 ip in prison"}), "5.0.0 550 ip in prison"},
		"no answer, only a status":    {bounce("Permanent", "NoEmail", [3]string{"failed", "5.1.1", ""}), "5.1.1"},
		"neither":                     {bounce("Permanent", "General", [3]string{}), ""},
		"the second of two":           {bounce("Permanent", "General", [3]string{}, [3]string{"failed", "", "smtp; 554 Dumb."}), "554 Dumb."},
		"tabs and control letters":    {bounce("Permanent", "General", [3]string{"failed", "", "smtp; 554\tno\x00\x1b[31m mail\xff"}), "554 no [31m mail"},
		"another type":                {bounce("Permanent", "General", [3]string{"failed", "", "X-Postfix; host mx said: 451"}), "X-Postfix; host mx said: 451"},
		"a novel":                     {bounce("Permanent", "General", [3]string{"failed", "", "smtp; " + strings.Repeat("ä", 2*maxSaid)}), strings.Repeat("ä", maxSaid)},
		"a status that is not a code": {bounce("Permanent", "General", [3]string{"failed", "<script>", "smtp; 554 no"}), "Unknown 554 no"},
		"mail that is late":           {delay("MailboxFull", "4.2.2"), "421 4.2.2 Erika"},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, err := ParseSESEvent(tt.detail)
			require.NoError(t, err)
			assert.Equal(t, tt.want, got.Said)
		})
	}
}

// Each form of an event of SES, as its developer guide and recorded events have them.
func TestParseSESEvent(t *testing.T) {
	const delivered, failed, delayed = "Delivered", "Failed", "Delayed"
	for name, tt := range map[string]struct {
		detail            []byte
		state, reason, at string
		unlessDelivered   bool
	}{
		"send":     {newSESEvent("Send", "send", object{}), "Taken", "", mailedAt, false},
		"delivery": {newSESEvent("Delivery", "delivery", object{"timestamp": happenedAt, "smtpResponse": "250 ok"}), delivered, "", happenedAt, false},
		"reject":   {newSESEvent("Reject", "reject", object{"reason": "Bad content"}), failed, "Reject", mailedAt, false},
		"rendering failure": {
			newSESEvent("Rendering Failure", "failure", object{"templateName": "t", "errorMessage": "Erika"}),
			failed, "Reject", mailedAt, false,
		},

		"complaint":                 {complaint(object{"complaintFeedbackType": "abuse", "userAgent": "Erika/1"}), delivered, "", happenedAt, false},
		"complaint without report":  {complaint(nil), delivered, "", happenedAt, false},
		"complaint taken back":      {complaint(object{"complaintFeedbackType": "not-spam"}), delivered, "", happenedAt, false},
		"complaint of a virus":      {complaint(object{"complaintFeedbackType": "virus"}), delivered, "", happenedAt, false},
		"complained before":         {complaint(object{"complaintSubType": "OnAccountSuppressionList"}), failed, "ComplaintOnAccountSuppressionList", happenedAt, false},
		"complained to this tenant": {complaint(object{"complaintSubType": "OnTenantSuppressionList"}), failed, "ComplaintOnTenantSuppressionList", happenedAt, false},

		"permanent":           {bounce("Permanent", "General", [3]string{"failed", "5.1.1", "smtp; 550 5.1.1 Erika"}), failed, "BounceGeneral", happenedAt, false},
		"permanent, no DSN":   {bounce("Permanent", "General", [3]string{}), failed, "BounceGeneral", happenedAt, false},
		"no such mailbox":     {bounce("Permanent", "NoEmail", [3]string{"failed", "5.1.1", ""}), failed, "BounceNoEmail", happenedAt, false},
		"suppressed by SES":   {bounce("Permanent", "Suppressed", [3]string{"failed", "5.1.1", ""}), failed, "BounceSuppressed", happenedAt, false},
		"suppressed by us":    {bounce("Permanent", "OnAccountSuppressionList"), failed, "BounceOnAccountSuppressionList", happenedAt, false},
		"suppressed, tenant":  {bounce("Permanent", "OnTenantSuppressionList"), failed, "BounceOnTenantSuppressionList", happenedAt, false},
		"judged invalid":      {bounce("Permanent", "EmailValidationSuppressed"), failed, "BounceEmailValidationSuppressed", happenedAt, false},
		"a reason of no word": {bounce("Permanent", "Erika Mustermann"), failed, "Unknown", happenedAt, false},

		"mailbox full":         {bounce("Transient", "MailboxFull", [3]string{"failed", "5.2.2", "smtp; 552 5.2.2 full"}), failed, "BounceMailboxFull", happenedAt, false},
		"mailbox full, no DSN": {bounce("Transient", "MailboxFull", [3]string{}), failed, "BounceMailboxFull", happenedAt, false},
		"too large":            {bounce("Transient", "MessageTooLarge", [3]string{}), failed, "BounceMessageTooLarge", happenedAt, false},
		"content rejected":     {bounce("Transient", "ContentRejected", [3]string{}), failed, "BounceContentRejected", happenedAt, false},
		"attachment rejected":  {bounce("Transient", "AttachmentRejected", [3]string{}), failed, "BounceAttachmentRejected", happenedAt, false},
		"our time-out":         {bounce("Transient", "CustomTimeoutExceeded", [3]string{}), failed, "BounceCustomTimeoutExceeded", happenedAt, false},

		"given up": {
			bounce("Transient", "General", [3]string{
				"failed", "4.4.7", "smtp; 554 4.4.7 Message expired: unable to deliver in 840 minutes.<421 4.4.2 timed out>",
			}),
			failed, "BounceGeneral", happenedAt, false,
		},
		"given up without a code":       {bounce("Transient", "General", [3]string{"Failed", "", ""}), failed, "BounceGeneral", happenedAt, false},
		"given up without an action":    {bounce("Transient", "General", [3]string{"", "4.4.7", ""}), failed, "BounceGeneral", happenedAt, false},
		"refused, but called transient": {bounce("Transient", "General", [3]string{"failed", "5.0.0", ""}), failed, "BounceGeneral", happenedAt, false},
		"refused, without an action":    {bounce("Transient", "General", [3]string{"", "5.3.0", ""}), failed, "BounceGeneral", happenedAt, false},
		"refused, only SMTP's code":     {bounce("Transient", "General", [3]string{"", "", "smtp; 550 recipient denied"}), failed, "BounceGeneral", happenedAt, false},
		"refused for one of two":        {bounce("Transient", "General", [3]string{"delayed", "4.0.0", ""}, [3]string{"failed", "5.0.0", ""}), failed, "BounceGeneral", happenedAt, false},
		"undetermined":                  {bounce("Undetermined", "Undetermined", [3]string{}), failed, "BounceUndetermined", happenedAt, true},
		"undetermined without anybody":  {bounce("Undetermined", "Undetermined"), failed, "BounceUndetermined", happenedAt, true},
		"undetermined, refused":         {bounce("Undetermined", "Undetermined", [3]string{"", "", "smtp; 550 5.4.4 Invalid domain"}), failed, "BounceUndetermined", happenedAt, false},
		"of a new type":                 {bounce("Sideways", "General", [3]string{}), failed, "BounceGeneral", happenedAt, true},
		"of a new type, refused":        {bounce("Sideways", "General", [3]string{"failed", "5.0.0", ""}), failed, "BounceGeneral", happenedAt, false},
		"a later server still tries":    {bounce("Transient", "General", [3]string{"delayed", "4.4.1", "smtp; 451 4.4.1 timed out"}), delayed, "BounceGeneral", happenedAt, false},
		"a later server's mailbox full": {bounce("Transient", "MailboxFull", [3]string{"delayed", "4.2.2", ""}), delayed, "BounceMailboxFull", happenedAt, false},
		"permanent, though delayed":     {bounce("Permanent", "General", [3]string{"delayed", "4.0.0", ""}), failed, "BounceGeneral", happenedAt, false},

		"delay":                {delay("TransientCommunicationFailure", "4.4.1"), delayed, "TransientCommunicationFailure", happenedAt, false},
		"delay, mailbox full":  {delay("MailboxFull", "4.2.2"), delayed, "MailboxFull", happenedAt, false},
		"delay, spam":          {delay("SpamDetected", "4.7.1"), delayed, "SpamDetected", happenedAt, false},
		"delay, their server":  {delay("RecipientServerError", "4.3.0"), delayed, "RecipientServerError", happenedAt, false},
		"delay, our address":   {delay("IPFailure", "4.7.0"), delayed, "IPFailure", happenedAt, false},
		"delay within SES":     {delay("InternalFailure", ""), delayed, "InternalFailure", happenedAt, false},
		"delay, deferred":      {delay("SendingDeferral", ""), delayed, "SendingDeferral", happenedAt, false},
		"delay of no word":     {delay("Erika Mustermann", ""), delayed, "Unknown", happenedAt, false},
		"delay without a time": {newSESEvent("DeliveryDelay", "deliveryDelay", object{"delayType": "General"}), delayed, "General", mailedAt, false},
	} {
		t.Run(name, func(t *testing.T) {
			at, err := time.Parse(time.RFC3339, tt.at)
			require.NoError(t, err)
			got, ok, err := ParseSESEvent(tt.detail)
			require.NoError(t, err)
			require.True(t, ok)
			got.Said = "" // TestWhatTheMailServerSaid has it
			assert.Equal(t, dispatch.Report{
				CancellationID: testCancellation, ShipmentID: testShipment, Channel: cancellation.ChannelEmail,
				Reference: "0100018b-message", State: dispatch.ReportState(tt.state), Reason: tt.reason, At: at,
				UnlessDelivered: tt.unlessDelivered,
			}, got)
		})
	}

	untagged := func(name string, value any) func(mail object) {
		return func(mail object) { mail["tags"].(object)[name] = value }
	}
	for name, detail := range map[string][]byte{
		"out of office":            bounce("Transient", "General", [3]string{}),
		"out of office, nobody":    bounce("Transient", "General"),
		"a copy that arrived":      bounce("Transient", "General", [3]string{"relayed", "2.0.0", ""}),
		"a copy without an action": bounce("Transient", "General", [3]string{"", "2.1.5", "smtp; 250 2.1.5 ok"}),
		"open":                     newSESEvent("Open", "open", object{"timestamp": happenedAt}),
		"click":                    newSESEvent("Click", "click", object{"timestamp": happenedAt}),
		"subscription":             newSESEvent("Subscription", "subscription", object{}),
		"an event that is new":     newSESEvent("Telepathy", "", nil),
		"mail to a partner":        newSESEvent("Bounce", "bounce", object{"bounceType": "Permanent"}, func(mail object) { delete(mail, "tags") }),
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
		"a notification by SNS": `{"notificationType":"Bounce","bounce":{"bounceType":"Permanent"},"mail":{"messageId":"Erika"}}`,
		"nothing":               "", "no JSON": "Erika", "no object": `"Erika"`, "null": "null", "no type": `{"mail":{}}`,
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
		assert.Equal(t, report.State == dispatch.ReportFailed || report.State == dispatch.ReportDelayed, report.Reason != "")
	})
}

package ses

import (
	"strings"
	"time"

	"aviso/localstack/host"
	"aviso/localstack/template"
)

// event returns the EventBridge event for an outcome. Its detail is the record that
// SES's guide describes under event publishing.
func (m Mail) event(o outcome, now time.Time) host.Event {
	at := stamp(now)
	feedback := m.messageID + "-" + strings.ToLower(string(o.kind)) + "-" + strings.ToLower(o.bounceSubType)
	detail := map[string]any{"mail": m.record()}
	detailType := ""
	switch o.kind {
	case kindSend:
		detailType, detail["eventType"] = "Email Sent", "Send"
		detail["send"] = map[string]any{}
	case kindDelivery:
		detailType, detail["eventType"] = "Email Delivered", "Delivery"
		detail["delivery"] = map[string]any{
			"timestamp": at, "processingTimeMillis": now.Sub(m.sentAt).Milliseconds(), "recipients": o.recipients,
			"smtpResponse": "250 2.6.0 Message received", "reportingMTA": "localhost",
		}
	case kindBounce:
		detailType, detail["eventType"] = "Email Bounced", "Bounce"
		detail["bounce"] = map[string]any{
			"bounceType": o.bounceType, "bounceSubType": o.bounceSubType, "bouncedRecipients": o.bouncedRecipients(),
			"timestamp": at, "feedbackId": feedback, "reportingMTA": "dns; localhost",
		}
	case kindComplaint:
		detailType, detail["eventType"] = "Email Complaint Received", "Complaint"
		detail["complaint"] = map[string]any{
			"complainedRecipients": o.complainedRecipients(), "timestamp": at, "arrivalDate": at,
			"feedbackId": feedback, "complaintSubType": nil, "complaintFeedbackType": "abuse", "userAgent": "Amazon SES Mailbox Simulator",
		}
	}
	return host.Event{
		Source: "aws.ses", DetailType: detailType, Time: now, Detail: detail,
		Resources: []string{arn("configuration-set/" + m.ConfigurationSet)},
	}
}

func (o outcome) bouncedRecipients() []map[string]string {
	var list []map[string]string
	for _, address := range o.recipients {
		list = append(list, map[string]string{
			"emailAddress": address, "action": "failed", "status": o.status, "diagnosticCode": o.diagnostic,
		})
	}
	return list
}

func (o outcome) complainedRecipients() []map[string]string {
	var list []map[string]string
	for _, address := range o.recipients {
		list = append(list, map[string]string{"emailAddress": address})
	}
	return list
}

// record returns what every event says about the mail.
func (m Mail) record() map[string]any {
	_, domain, _ := strings.Cut(m.from.Address, "@")
	tags := map[string][]string{
		"ses:operation":         {"SendEmail"},
		"ses:configuration-set": {m.ConfigurationSet},
		"ses:source-ip":         {"127.0.0.1"},
		"ses:from-domain":       {domain},
		"ses:caller-identity":   {"local"},
	}
	for _, tag := range m.Tags {
		tags[tag.Name] = append(tags[tag.Name], tag.Value)
	}
	common := map[string]any{"from": []string{m.From}, "messageId": m.messageID, "subject": m.Subject}
	for name, list := range map[string][]string{"to": m.to, "cc": m.cc, "replyTo": m.replyTo} {
		if len(list) > 0 {
			common[name] = list
		}
	}
	return map[string]any{
		"timestamp":        stamp(m.sentAt),
		"source":           m.From,
		"sourceArn":        arn("identity/" + m.identity),
		"sendingAccountId": template.Account,
		"messageId":        m.messageID,
		"destination":      m.recipients,
		"headersTruncated": false,
		"headers":          m.headers,
		"commonHeaders":    common,
		"tags":             tags,
	}
}

func arn(resource string) string {
	return "arn:aws:ses:" + template.Region + ":" + template.Account + ":" + resource
}

// stamp formats a time as SES does.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

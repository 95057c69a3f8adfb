package ses

import (
	"strings"
	"time"

	"aviso/localstack/host"
	"aviso/localstack/template"
)

// outcome is what may happen to a mail. Its kind is as spelled in a configuration set.
type outcome struct {
	kind, eventType, detailType string
	// at is the mailbox of SES's simulator that it happens to. Without one, it happens to any
	// address but those in except.
	at, except                string
	bounceType, bounceSubType string
}

// outcomes are in the order of their events.
func outcomes() []outcome {
	const bounced = "Email Bounced"
	return []outcome{
		{kind: "SEND", eventType: "Send", detailType: "Email Sent"},
		{kind: "DELIVERY", eventType: "Delivery", detailType: "Email Delivered", except: "bounce suppressionlist"},
		{kind: "BOUNCE", eventType: "Bounce", detailType: bounced, at: "bounce", bounceType: "Permanent", bounceSubType: "General"},
		{
			kind: "BOUNCE", eventType: "Bounce", detailType: bounced, at: "suppressionlist",
			bounceType: "Permanent", bounceSubType: "Suppressed",
		},
		{kind: "COMPLAINT", eventType: "Complaint", detailType: "Email Complaint Received", at: "complaint"},
		{kind: "BOUNCE", eventType: "Bounce", detailType: bounced, at: "ooto", bounceType: "Transient", bounceSubType: "General"},
	}
}

// recipients returns those that the outcome happens to. A simulator's mailbox may carry a
// label: bounce+one@simulator.amazonses.com.
func (o outcome) recipients(of []string) (list []string) {
	for _, address := range of {
		local, simulated := strings.CutSuffix(strings.ToLower(address), "@simulator.amazonses.com")
		mailbox, _, _ := strings.Cut(local, "+")
		if simulated && o.at == mailbox || o.at == "" && !(simulated && strings.Contains(o.except, mailbox)) {
			list = append(list, address)
		}
	}
	return list
}

// event returns the EventBridge event for an outcome. Its detail is what SES's guide describes
// under event publishing, without the mail's headers and what the recipient's server says.
func (m Mail) event(o outcome, recipients []string, now time.Time) host.Event {
	const stamp = "2006-01-02T15:04:05.000Z"
	tags := map[string][]string{"ses:configuration-set": {m.configurationSet}}
	for _, tag := range m.Tags {
		tags[tag.Name] = append(tags[tag.Name], tag.Value)
	}
	var named []map[string]string
	for _, address := range recipients {
		named = append(named, map[string]string{"emailAddress": address})
	}
	about := map[string]any{}
	if o.kind != "SEND" {
		about["timestamp"] = now.UTC().Format(stamp)
	}
	switch o.kind {
	case "DELIVERY":
		about["recipients"] = recipients
	case "BOUNCE":
		about["bounceType"], about["bounceSubType"], about["bouncedRecipients"] = o.bounceType, o.bounceSubType, named
	case "COMPLAINT":
		about["complaintFeedbackType"], about["complainedRecipients"] = "abuse", named
	}
	return host.Event{
		Source: "aws.ses", DetailType: o.detailType, Time: now,
		Resources: []string{"arn:aws:ses:" + template.Region + ":" + template.Account + ":configuration-set/" + m.configurationSet},
		Detail: map[string]any{
			"eventType": o.eventType, strings.ToLower(o.eventType): about,
			"mail": map[string]any{
				"timestamp": m.sentAt.UTC().Format(stamp), "source": m.From, "sendingAccountId": template.Account,
				"messageId": m.MessageID, "destination": m.recipients, "tags": tags,
			},
		},
	}
}

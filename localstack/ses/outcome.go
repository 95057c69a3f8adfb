package ses

import "strings"

// kind is a type of event, as spelled in a configuration set.
type kind string

const (
	kindSend      kind = "SEND"
	kindDelivery  kind = "DELIVERY"
	kindBounce    kind = "BOUNCE"
	kindComplaint kind = "COMPLAINT"
)

// outcome is what happened to a mail, for some of its recipients.
type outcome struct {
	kind       kind
	recipients []string
	// Only for a bounce.
	bounceType, bounceSubType, status, diagnostic string
}

// simulator is the domain of SES's mailbox simulator. Its mailboxes may carry a
// label: bounce+one@simulator.amazonses.com.
const simulator = "simulator.amazonses.com"

func mailbox(address string) string {
	at := strings.LastIndex(address, "@")
	if at < 0 || !strings.EqualFold(address[at+1:], simulator) {
		return ""
	}
	local, _, _ := strings.Cut(address[:at], "+")
	return strings.ToLower(local)
}

// steps returns a mail's outcomes in order; those of one step come together. Mail to
// recipients outside the simulator is delivered.
func steps(recipients []string) [][]outcome {
	delivered := outcome{kind: kindDelivery}
	bounced := outcome{
		kind: kindBounce, bounceType: "Permanent", bounceSubType: "General",
		status: "5.1.1", diagnostic: "smtp; 550 5.1.1 user unknown",
	}
	suppressed := outcome{
		kind: kindBounce, bounceType: "Permanent", bounceSubType: "Suppressed",
		status: "5.1.1", diagnostic: "Amazon SES has suppressed sending to this address.",
	}
	complained := outcome{kind: kindComplaint}
	away := outcome{
		kind: kindBounce, bounceType: "Transient", bounceSubType: "General",
		status: "4.4.7", diagnostic: "smtp; out of the office",
	}
	add := func(o *outcome, address string) { o.recipients = append(o.recipients, address) }
	for _, address := range recipients {
		switch mailbox(address) {
		case "bounce":
			add(&bounced, address)
		case "suppressionlist":
			add(&suppressed, address)
		case "complaint":
			add(&delivered, address)
			add(&complained, address)
		case "ooto":
			add(&delivered, address)
			add(&away, address)
		default:
			add(&delivered, address)
		}
	}
	var list [][]outcome
	sent := outcome{kind: kindSend, recipients: recipients}
	for _, step := range [][]outcome{{sent}, {delivered, bounced, suppressed}, {complained, away}} {
		var found []outcome
		for _, o := range step {
			if len(o.recipients) > 0 {
				found = append(found, o)
			}
		}
		if len(found) > 0 {
			list = append(list, found)
		}
	}
	return list
}

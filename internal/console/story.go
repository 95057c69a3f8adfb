package console

import (
	"cmp"
	"encoding/json"
	"strings"

	"aviso/internal/console/feed"
)

// acknowledged is the one outcome of a callback that is a success.
const acknowledged = "Acknowledged"

// Story says what an event means, and what to do next if there is anything to do.
type Story struct {
	Tone       Tone
	What, Next string
}

// storyOf tells an event in words. An event of another type is told by its name.
func storyOf(eventType string) Story {
	story, ok := map[string]Story{
		"connection.activated": {Good, "The user authorised access at the bank.", ""},
		"connection.failed": {Bad, "The user did not complete the authorisation, so there is no access.",
			"Ask the user to connect the bank again."},
		"connection.refreshed": {Neutral, "All accounts were read from the bank.", ""},
		"connection.sync_failed": {Waiting, "The bank could not be read, and retries did not help. The data stays as old as it is.",
			"Nothing yet: later syncs try again. The bank's status page may say more."},
		"connection.sync_recovered":  {Good, "The bank can be read again.", ""},
		"connection.action_required": {Bad, "The bank refuses to give data until the user authorises access again.", reconnect},
		"connection.expiring":        {Waiting, "The user's consent ends soon.", reconnect},
		"connection.expired":         {Bad, "The user's consent has ended. Data that was read is kept.", reconnect},
		"connection.revoked":         {Bad, "The user withdrew the consent at the bank.", "Respect it, or ask the user. " + reconnect},
		"connection.deleted":         {Neutral, "The connection and its data were deleted.", ""},
		"transactions.updated": {Neutral, "A sync changed transactions.",
			"Read what changed: GET /openbanking/v1/transactions/changes with since from the event."},
		"contract.deadline_approaching": {Waiting, "A contract must be cancelled soon, or it runs for a long time more.",
			"Ask the user whether to cancel it."},
		"contract.price_increased": {Neutral, "A contract of the user costs more.",
			"See whether the rise gives a right to end it: GET /openbanking/v1/insights/price-changes."},
		"cancellation.created":   {Neutral, "A cancellation was created and its letter written.", ""},
		"cancellation.queued":    {Neutral, "The letter waits to be sent.", ""},
		"cancellation.sent":      {Neutral, "The letter was handed over for delivery.", ""},
		"cancellation.delivered": {Good, "The letter reached the organization.", ""},
		"cancellation.confirmed": {Good, "The organization confirmed the cancellation.", ""},
		"cancellation.delivery_failed": {Bad, "The letter could not be delivered through any channel.",
			"Tell the user, who has to cancel in another way. Check the organization's address."},
		"cancellation.rejected":  {Bad, "The organization rejected the cancellation.", "Tell the user the reason."},
		"cancellation.withdrawn": {Neutral, "The cancellation was withdrawn before its letter was sent.", ""},
		"cancellation.debit_after_end": {Bad, "The contract has ended, but the user's account was debited for it.",
			"Tell the user, who may object to the debit and ask for a refund."},
		"cancellation.effective": {Good, "No debit has come for one and a half periods: the contract has ended.", ""},
		"objection.sent":         {Neutral, "The letter that objects to debits was handed over for delivery.", ""},
		"objection.delivered":    {Good, "The letter that objects to debits reached the organization.", ""},
		"objection.delivery_failed": {Bad, "The letter that objects to debits could not be delivered through any channel.",
			"Check the organization's address, and send another objection."},
		"subscription.failing": {Bad, "A receiver does not acknowledge events.", "See under Webhooks why, and fix the receiver."},
		"webhook.ping":         {Neutral, "A test call to a receiver.", ""},
	}[eventType]
	if ok {
		return story
	}
	return Story{Neutral, eventType, ""}
}

// tell tells an event in words. What was simulated has not happened, so it asks for nothing.
func tell(e feed.Event) Story {
	story := storyOf(e.Type)
	if _, reason := about(e); reason != "" {
		story.What += " Reason: " + reason + "."
	}
	if e.IsSimulated && e.Type != "webhook.ping" {
		return Story{Neutral, "Simulated: nothing has happened. A real one says: " + story.What, ""}
	}
	return story
}

// about returns the ID of the connection or cancellation that an event is about, and the
// reason in words; "" if there is none.
func about(e feed.Event) (id, reason string) {
	var data struct{ ConnectionID, CancellationID, StatusReason string }
	if json.Unmarshal(e.Data, &data) != nil {
		return "", ""
	}
	return cmp.Or(data.ConnectionID, data.CancellationID), strings.ToLower(spaced(data.StatusReason))
}

// subject returns the ID of the connection or cancellation that an event is about.
func subject(e feed.Event) string {
	id, _ := about(e)
	return id
}

// spaced writes a name such as ActionRequired as words: "Action required".
func spaced(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && 'A' <= r && r <= 'Z' {
			b.WriteByte(' ')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return strings.NewReplacer("Http ", "HTTP ", "Dns ", "DNS ", "Tls ", "TLS ").Replace(b.String())
}

func letterTone(status string) Tone {
	switch status {
	case "Delivered", "Confirmed":
		return Good
	case "DeliveryFailed", "Rejected":
		return Bad
	}
	return Neutral
}

func connectionTone(status string) Tone {
	switch status {
	case "Active":
		return Good
	case "ActionRequired", "Expired":
		return Waiting
	case "Failed", "Revoked":
		return Bad
	}
	return Neutral
}

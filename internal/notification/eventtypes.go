package notification

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// EventTypes returns all types of events in the order in which partners see them.
// Every member of data is always present.
func EventTypes() []EventType { return slices.Clone(eventTypes()) }

// eventTypes is written once: to write all schemas takes longer than to simulate an event.
var eventTypes = sync.OnceValue(func() []EventType {
	return []EventType{
		connectionEvent("connection.activated",
			"The user has authorised access: for the first time, after a reconnect, or to renew it before it expires. "+
				"A sync follows.",
			statusOf("Active", "")),
		connectionEvent("connection.failed",
			"The user did not complete the authorisation, so there is no consent.",
			statusOf("Failed", "LinkExpired")),
		connectionEvent("connection.refreshed",
			"All accounts have been read from the bank, whether or not there was anything new.",
			statusOf("Active", "")),
		connectionEvent("connection.sync_failed",
			"A sync has failed for good: its retries are used up, or the bank refuses. The connection stays Active, "+
				"its data is as old as lastSuccessAt, and syncs go on. Sent once, until a sync succeeds again.",
			statusOf("Active", "SupplierUnavailable")),
		connectionEvent("connection.sync_recovered",
			"A sync has succeeded again after connection.sync_failed.",
			statusOf("Active", "")),
		connectionEvent("connection.action_required",
			"No data can be read until the user authorises access again. Reconnect the connection.",
			statusOf("ActionRequired", "SupplierConsentInvalid")),
		connectionEvent("connection.expiring",
			"The consent expires in seven days, or in one day. Reconnect the connection to renew it.",
			statusOf("Active", ""), consentEnd()),
		connectionEvent("connection.expired",
			"The consent has expired. Data that was read is kept. Reconnect the connection to read new data.",
			statusOf("Expired", "ConsentExpired"), consentEnd()),
		connectionEvent("connection.revoked",
			"The user has revoked the consent at the bank.",
			statusOf("Revoked", "ConsentRevoked")),
		connectionEvent("connection.deleted",
			"The connection has been deleted and its data is being deleted. Status and reason are the last it had.",
			[]member{
				connectionStatus("Active", "Pending", "ActionRequired", "Failed", "Expired", "Revoked"),
				reason(""),
			}),
		eventType("transactions.updated",
			"A sync has changed transactions. To get the changes, pass since to "+
				"GET /openbanking/v1/transactions/changes within 30 days.",
			connectionID(),
			count("added", "How many transactions are new.", "12"),
			count("modified", "How many have changed.", "2"),
			count("removed", "How many are gone.", "0"),
			member{
				"since", `{"type":"string","minLength":1,"maxLength":2048,` +
					`"description":"The since parameter of GET /openbanking/v1/transactions/changes."}`,
				`"kq3Vt0bS7mC1yQ"`,
			}),
		eventType("contract.deadline_approaching",
			"A recurring contract must be cancelled in 30 days, or in 7, or it runs for more than a month longer. Sent "+
				"once each for every deadline. The days follow from what is known; contractStartSource says whether "+
				"the start is a guess.",
			id("subscriptionId", "The contract, of GET /openbanking/v1/insights/subscriptions.",
				"0b9c1a7e-5a53-5d0f-9c61-6f7f5f0d2a41"),
			id("organizationId", "The organization to cancel with.", "9d3f1c6e-6a0e-5f7b-8a1c-4b1c8f0e2a11"),
			id("productId", "The product to cancel.", "1c0c6a52-0c5e-5d0e-9f0a-2f7b5d1e3c22"),
			day("contractStart", "First day of the contract.", "2024-11-15"),
			choice("contractStartSource", "FirstPayment: a guess. User: what the user said.", "FirstPayment", "User"),
			day("earliestEnd", "When the contract ends, without costs, if the deadline is met.", "2026-11-14"),
			choice("channel", "The product's first channel.", "Email", "Mail", "RegisteredMail", "Fax"),
			day("sendBy", "The last day to send the cancellation by that channel.", "2026-10-13"),
			day("nextChance", "When the contract ends if the deadline is missed.", "2027-11-14")),
		eventType("contract.price_increased",
			"A recurring contract costs more: a debit, or two if they come every month, had a new price after at least "+
				"two or three at the old one. Sent once for each rise, unless the debit is more than 60 days old. "+
				"GET /openbanking/v1/insights/price-changes has the prices, and whether the rise gives a right to end the contract.",
			id("subscriptionId", "The contract, of GET /openbanking/v1/insights/subscriptions.",
				"0b9c1a7e-5a53-5d0f-9c61-6f7f5f0d2a41"),
			id("transactionId", "The first debit at the new price.", "f3a7c0de-3a0c-4a5b-9a57-3d2b1e0f9a01"),
			day("since", "Day of that debit.", "2026-01-12")),
		cancellationEvent("cancellation.created",
			"A cancellation has been created and its letter written.", "Created", ""),
		cancellationEvent("cancellation.queued",
			"The letter is waiting to be sent, for the first time or through the next channel.", "Queued", ""),
		cancellationEvent("cancellation.sent",
			"The letter has been handed over for delivery.", "Sent", ""),
		cancellationEvent("cancellation.delivered",
			"The letter has been delivered to the organization.", "Delivered", ""),
		cancellationEvent("cancellation.confirmed",
			"The organization has confirmed the cancellation.", "Confirmed", ""),
		cancellationEvent("cancellation.delivery_failed",
			"The letter could not be delivered through any channel.", "DeliveryFailed", "Undeliverable"),
		cancellationEvent("cancellation.rejected",
			"The organization has rejected the cancellation.", "Rejected", "BindingPeriod"),
		cancellationEvent("cancellation.withdrawn",
			"The cancellation has been withdrawn before its letter was sent.", "Withdrawn", ""),
		outcomeEvent("cancellation.debit_after_end",
			"The contract has ended, but the user's account has been debited for it. Sent once for each debit.",
			[]string{"StillDebited", "Waiting", "Ended"}, member{
				"transactionIds", `{"type":"array","minItems":1,"items":{"type":"string","format":"uuid"},` +
					`"description":"The debits. The cancellation has them with their amounts."}`,
				`["5f0d6c1e-8a53-4c58-9a0e-2f9d0c7b6a42"]`,
			}),
		outcomeEvent("cancellation.effective",
			"No debit for the contract has come for one and a half periods: it has ended. Sent once.", []string{"Ended"}),
		objectionEvent("objection.sent",
			"A letter that objects to debits after the end of a contract has been handed over for delivery.", "Sent", ""),
		objectionEvent("objection.delivered",
			"The letter of objection has been delivered to the organization.", "Delivered", ""),
		objectionEvent("objection.delivery_failed",
			"The letter of objection could not be delivered through any channel.", "DeliveryFailed", "Undeliverable"),
		eventType(EventUserErased,
			"All data of the user has been erased. userId is the ID the user had.",
			id("erasureId", "The erasure, of GET /identity/v1/erasures/{erasureId}.", "5f0d6c1e-8a53-4c58-9a0e-2f9d0c7b6a41")),
		eventType(EventSubscriptionFailing,
			"One of your subscriptions fails: all attempts to deliver an event to it have failed. Sent once, until it "+
				"acknowledges an event again, and once more if it becomes Disabled. Your other subscriptions get it. "+
				"What was given up is not sent again.",
			id("subscriptionId", "The subscription that fails.", "0196f1de-7a20-7d11-8c3f-5b1e2d9a4c77"),
			choice("status", "The subscription's status.", "Active", "Disabled"), reason(""),
			member{
				"failingSince", `{"type":"string","format":"date-time",` +
					`"description":"When it began to fail: when the first event was given up."}`,
				`"2026-03-02T09:34:58Z"`,
			},
			member{
				"failingReason", `{"type":"string","pattern":"^[A-Za-z]+$","maxLength":64,` +
					`"description":"How the last attempt ended, as in the list of attempts."}`,
				`"HttpError"`,
			},
			member{
				"failingDetail", `{"type":"string","maxLength":1000,` +
					`"description":"The same in words; empty if the reason says it all."}`,
				`"the status is 502, not 200"`,
			}),
		eventType("webhook.ping",
			"A test call to see whether the receiver responds. It is only ever simulated.",
			member{
				"message", `{"type":"string","maxLength":1000,"description":"Any text."}`, `"Hello from Aviso."`,
			}),
	}
})

// EventUserErased is the only event about a user who is gone.
const EventUserErased = "user.erased"

// FindEventType returns the event type with this name and whether it exists.
func FindEventType(name string) (EventType, bool) {
	types := eventTypes()
	i := slices.IndexFunc(types, func(t EventType) bool { return t.Type == name })
	if i < 0 {
		return EventType{}, false
	}
	return types[i], true
}

// member is a member of data. Its schema and example are JSON text.
type member struct{ name, schema, example string }

func id(name, description, example string) member {
	return member{name, `{"type":"string","format":"uuid","description":"` + description + `"}`, `"` + example + `"`}
}

func day(name, description, example string) member {
	return member{name, `{"type":"string","format":"date","description":"` + description + `"}`, `"` + example + `"`}
}

func connectionID() member {
	return id("connectionId", "The connection.", "3f2a9f0e-5f0b-4c8e-9a57-0c2f1f8f6d10")
}

func eventType(name, description string, members ...member) EventType {
	var schemas, names, examples []string
	for _, m := range members {
		quoted := `"` + m.name + `"`
		names = append(names, quoted)
		schemas = append(schemas, quoted+":"+m.schema)
		examples = append(examples, quoted+":"+m.example)
	}
	return EventType{
		Type: name, Description: description,
		Schema: json.RawMessage(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",` +
			`"properties":{` + strings.Join(schemas, ",") + `},"required":[` + strings.Join(names, ",") +
			`],"additionalProperties":false}`),
		Example: json.RawMessage(`{` + strings.Join(examples, ",") + `}`),
	}
}

func connectionEvent(name, description string, status []member, more ...member) EventType {
	return eventType(name, description, slices.Concat([]member{
		connectionID(), id("providerId", "The connection's bank.", "0b0f7a3c-3d0d-5f0e-9d5c-6f1b7c1f1a11"),
	}, status, more)...)
}

func cancellationEvent(name, description, status, statusReason string) EventType {
	return eventType(name, description, cancellationMembers(statusReason, status)...)
}

// cancellationMembers are those of all events about cancellations.
func cancellationMembers(statusReason string, statuses ...string) []member {
	return []member{
		id("cancellationId", "The cancellation.", "0195a1c7-54b2-7c60-8f6d-1f6a6f5b2c33"),
		{
			"externalCancellationRequestIdentifier",
			`{"type":"string","description":"The partner's own identifier; empty if it gave none."}`, `"contract-4711"`,
		},
		choice("status", "The new status.", statuses...), reason(statusReason),
		choice("channel", "How the letter is sent.", "Email", "Mail", "RegisteredMail", "Fax"),
	}
}

// objectionEvent is about the letter of objection, not that of cancellation.
func objectionEvent(name, description, status, statusReason string) EventType {
	return eventType(name, description, slices.Concat(cancellationMembers(statusReason, status), []member{
		id("objectionId", "The objection, of GET /cancellations/v1/cancellations/{cancellationId}/objections.",
			"019d6a3c-2f10-7b44-8c1d-6e5f4a3b2c10"),
	})...)
}

// outcomeEvent is about what was seen in the user's account.
func outcomeEvent(name, description string, outcomes []string, more ...member) EventType {
	return eventType(name, description, slices.Concat(cancellationMembers("", "Delivered", "Sent", "Confirmed"), []member{
		id("subscriptionId", "The recurring contract.", "48a92ee8-a16b-5f61-85f4-b08c0dcc6bd2"),
		choice("outcome", "What the user's account shows.", outcomes...),
	}, more)...)
}

// statusOf returns the status of a connection for event types that imply it.
func statusOf(status, statusReason string) []member {
	return []member{connectionStatus(status), reason(statusReason)}
}

func connectionStatus(values ...string) member {
	return choice("connectionStatus", "The connection's status.", values...)
}

// reason does not list its values: we may add new ones, and receivers must accept
// them.
func reason(example string) member {
	return member{
		"statusReason", `{"type":"string","pattern":"^[A-Za-z]*$","maxLength":64,` +
			`"description":"The reason for the status; empty if there is none."}`,
		`"` + example + `"`,
	}
}

func consentEnd() member {
	return member{
		"consentExpiresAt", `{"type":"string","format":"date-time",` +
			`"description":"When the consent expires, or when it ended: from this moment on it is not valid."}`,
		`"2026-06-01T00:00:00Z"`,
	}
}

func count(name, description, example string) member {
	return member{
		name, `{"type":"integer","minimum":0,"maximum":1000000000,"description":"` + description + `"}`, example,
	}
}

// choice is one of the values; the first is the example.
func choice(name, description string, values ...string) member {
	return member{
		name, `{"type":"string","enum":["` + strings.Join(values, `","`) + `"],"description":"` + description + `"}`,
		`"` + values[0] + `"`,
	}
}

package notification

import (
	"encoding/json"
	"slices"
	"strings"
)

// EventTypes are all types of events, in the order in which partners are shown
// them. Every member of data is always there.
func EventTypes() []EventType {
	return []EventType{
		connectionEvent("connection.activated", "The user has authorised the access: for the first time, after a reconnect, or to renew it before it ends. A sync follows.", statusOf("Active", "")),
		connectionEvent("connection.failed", "The user's way to the bank led to no consent.", statusOf("Failed", "LinkExpired")),
		connectionEvent("connection.refreshed", "All accounts have been read from the bank, whether anything was new or not.", statusOf("Active", "")),
		connectionEvent("connection.action_required", "The bank gives nothing until the user authorises the access again; reconnect.", statusOf("ActionRequired", "SupplierConsentInvalid")),
		connectionEvent("connection.expiring", "The consent ends in seven days, or in one day; reconnect to renew it.", statusOf("Active", ""), consentEnd()),
		connectionEvent("connection.expired", "The consent has ended. What was read stays; reconnect to go on.", statusOf("Expired", "ConsentExpired"), consentEnd()),
		connectionEvent("connection.revoked", "The user has withdrawn the consent at the bank.", statusOf("Revoked", "ConsentRevoked")),
		connectionEvent("connection.deleted", "The connection has been deleted, and its data goes. Status and reason are its last ones.", []member{
			{"connectionStatus", enum("Active", "Pending", "ActionRequired", "Failed", "Expired", "Revoked"), `"Active"`}, reason(""),
		}),
		eventType("transactions.updated", "A sync has changed transactions. Pass since to GET /openbanking/v1/transactions/changes within 30 days to get them.",
			member{"connectionId", uuidSchema, exampleConnection},
			count("added", "12"), count("modified", "2"), count("removed", "0"),
			member{"since", `{"type":"string","minLength":1,"maxLength":2048,"description":"The parameter since of GET /openbanking/v1/transactions/changes."}`, `"kq3Vt0bS7mC1yQ"`}),
		cancellationEvent("cancellation.created", "A cancellation has been made, and its letter written.", "Created", ""),
		cancellationEvent("cancellation.queued", "The letter waits to be sent, for the first time or by the next channel.", "Queued", ""),
		cancellationEvent("cancellation.sent", "The letter has been handed over.", "Sent", ""),
		cancellationEvent("cancellation.delivered", "The letter has arrived at the organization.", "Delivered", ""),
		cancellationEvent("cancellation.confirmed", "The organization has confirmed the cancellation.", "Confirmed", ""),
		cancellationEvent("cancellation.delivery_failed", "The letter could not be delivered by any channel.", "DeliveryFailed", "Undeliverable"),
		cancellationEvent("cancellation.rejected", "The organization has rejected the cancellation.", "Rejected", "BindingPeriod"),
		cancellationEvent("cancellation.withdrawn", "The cancellation has been withdrawn before it was sent.", "Withdrawn", ""),
		eventType("user.erased", "All data of the user has been erased; userId is the id that the user had.",
			member{"erasureId", uuidSchema, `"5f0d6c1e-8a53-4c58-9a0e-2f9d0c7b6a41"`}),
		eventType("webhook.ping", "A call to see whether the receiver answers. Only ever simulated.",
			member{"message", `{"type":"string","maxLength":1000}`, `"Hello from Aviso."`}),
	}
}

// FindEventType is the type of that name, and whether there is one.
func FindEventType(name string) (EventType, bool) {
	types := EventTypes()
	i := slices.IndexFunc(types, func(t EventType) bool { return t.Type == name })
	if i < 0 {
		return EventType{}, false
	}
	return types[i], true
}

// member is a member of data: its name, and schema and example as JSON text.
type member struct{ name, schema, example string }

const (
	uuidSchema        = `{"type":"string","format":"uuid"}`
	exampleConnection = `"3f2a9f0e-5f0b-4c8e-9a57-0c2f1f8f6d10"`
)

func eventType(name, description string, members ...member) EventType {
	var schemas, names, examples []string
	for _, m := range members {
		quoted := `"` + m.name + `"`
		schemas, names, examples = append(schemas, quoted+":"+m.schema), append(names, quoted), append(examples, quoted+":"+m.example)
	}
	return EventType{
		Type: name, Description: description,
		Schema: json.RawMessage(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{` + strings.Join(schemas, ",") +
			`},"required":[` + strings.Join(names, ",") + `],"additionalProperties":false}`),
		Example: json.RawMessage(`{` + strings.Join(examples, ",") + `}`),
	}
}

func connectionEvent(name, description string, status []member, more ...member) EventType {
	return eventType(name, description, slices.Concat([]member{
		{"connectionId", uuidSchema, exampleConnection},
		{"providerId", uuidSchema, `"0b0f7a3c-3d0d-5f0e-9d5c-6f1b7c1f1a11"`},
	}, status, more)...)
}

func cancellationEvent(name, description, status, statusReason string) EventType {
	return eventType(name, description,
		member{"cancellationId", uuidSchema, `"0195a1c7-54b2-7c60-8f6d-1f6a6f5b2c33"`},
		member{"externalCancellationRequestIdentifier", `{"type":"string","description":"The partner's own identifier; empty where it gave none."}`, `"contract-4711"`},
		member{"status", enum(status), `"` + status + `"`}, reason(statusReason),
		member{"channel", enum("Email", "Mail", "RegisteredMail", "Fax"), `"Email"`})
}

// statusOf is where the events of one type always find a connection.
func statusOf(status, statusReason string) []member {
	return []member{{"connectionStatus", enum(status), `"` + status + `"`}, reason(statusReason)}
}

// reason has no list of its values: new ones may come, and receivers are to
// stand them.
func reason(example string) member {
	return member{"statusReason", `{"type":"string","pattern":"^[A-Za-z]*$","maxLength":64,"description":"Why it stands there; empty when there is nothing to tell."}`, `"` + example + `"`}
}

func consentEnd() member {
	return member{"consentExpiresAt", `{"type":"string","format":"date-time","description":"The first moment at which the consent does not hold any more."}`, `"2026-06-01T00:00:00Z"`}
}

func count(name, example string) member {
	return member{name, `{"type":"integer","minimum":0,"maximum":1000000000}`, example}
}

func enum(values ...string) string {
	return `{"type":"string","enum":["` + strings.Join(values, `","`) + `"]}`
}

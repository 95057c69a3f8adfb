package app

import (
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"go.yaml.in/yaml/v3"

	"aviso/internal/api"
	"aviso/internal/notification"
)

// webhooks describes the callback of each event type, and adds what they share to the
// document's components.
func webhooks(components *huma.Components) map[string]*huma.PathItem {
	components.Parameters = callbackHeaders()
	components.Responses = acknowledgements(api.Named(components.Schemas, "EventAcknowledgement", acknowledgement()))
	items := map[string]*huma.PathItem{}
	for _, e := range notification.EventTypes() {
		name := pascalCase(e.Type) + "Event"
		data := api.Named(components.Schemas, name+"Data", dataSchema(e))
		data.Description = "What the event is about."
		body := api.Named(components.Schemas, name, eventSchema(e, data))
		items[e.Type] = &huma.PathItem{Post: &huma.Operation{
			OperationID: "receive" + strings.TrimSuffix(name, "Event"), Tags: []string{"Events"},
			Summary: e.Type, Description: e.Description, Security: []map[string][]string{},
			Parameters: refsTo(callbackHeaders()),
			RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {
				Schema: body, Example: eventExample(e),
			}}},
			Responses: map[string]*huma.Response{
				"200":     {Ref: "#/components/responses/Acknowledged"},
				"default": {Ref: "#/components/responses/NotAcknowledged"},
			},
		}}
	}
	return items
}

// pascalCase turns connection.sync_failed into ConnectionSyncFailed.
func pascalCase(eventType string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(eventType, func(c rune) bool { return c == '.' || c == '_' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// callbackHeaders are those of every callback, by the name of their component.
func callbackHeaders() map[string]*huma.Param {
	header := func(name, description, example string, required bool) *huma.Param {
		return &huma.Param{
			Name: name, In: "header", Required: required, Description: description,
			Schema: &huma.Schema{Type: huma.TypeString}, Example: example,
		}
	}
	return map[string]*huma.Param{
		"WebhookId": header("webhook-id", "The eventId, the same in every attempt.",
			"1f0d8a52-5a3c-4c39-9f3e-0f6f1f9d8c11", true),
		"WebhookTimestamp": header("webhook-timestamp",
			"When this attempt was signed, in Unix seconds. Refuse it if it is five minutes from your clock.",
			"1772444100", true),
		"WebhookSignature": header("webhook-signature",
			"`v1,` and the base64 of an HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` "+
				"(Standard Webhooks). During a rotation there are several, separated by a space.",
			"v1,uLY4/ZVfoq38xg4po7b3UrYYNAl23Z2z5Q8tqiwxJWI=", true),
		"TraceParent": header("traceparent", "The W3C trace of what caused the event. It is not signed.",
			"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", false),
		"UserAgent": header("User-Agent", "Who calls. It is not signed: rely on the signature.", "Aviso", true),
	}
}

// refsTo returns references to the parameters, in the order in which a receiver reads them.
func refsTo(parameters map[string]*huma.Param) []*huma.Param {
	var refs []*huma.Param
	for _, name := range []string{"WebhookId", "WebhookTimestamp", "WebhookSignature", "TraceParent", "UserAgent"} {
		if parameters[name] != nil {
			refs = append(refs, &huma.Param{Ref: "#/components/parameters/" + name})
		}
	}
	return refs
}

func acknowledgements(body *huma.Schema) map[string]*huma.Response {
	example := map[string]any{"isAcknowledged": true, "timestamp": "2026-03-02T09:35:00Z"}
	return map[string]*huma.Response{
		"Acknowledged": {
			Description: "You have stored the event, and answer within a minute of the start of the request. " +
				"An acknowledged event is not sent again.",
			Content: map[string]*huma.MediaType{
				"application/json": {Schema: body, Example: example},
			},
		},
		"NotAcknowledged": {Description: "Anything else is a failure: another status (also 201, 204 and redirects), " +
			"another body, isAcknowledged false, more than 16 KB, or no complete answer within a minute. " +
			"The event is sent again 15 minutes after the first failure and 60 minutes after the second, " +
			"then never again."},
	}
}

func acknowledgement() *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeObject, Description: "Your answer to a callback. Other members are ignored.",
		Required: []string{"isAcknowledged", "timestamp"},
		Properties: map[string]*huma.Schema{
			"isAcknowledged": {Type: huma.TypeBoolean, Description: "True if you have the event. False is a failure."},
			"timestamp":      {Type: huma.TypeString, Format: "date-time", Description: "Your current time (RFC 3339)."},
		},
	}
}

// eventSchema describes the body of a callback. More members may be added to it.
func eventSchema(e notification.EventType, data *huma.Schema) *huma.Schema {
	environment := &huma.Schema{
		Type: huma.TypeString, Description: "Where it happened.",
		Enum: []any{"local", "test", "acceptance", "production"},
	}
	api.OpenSchema(environment)
	return &huma.Schema{
		Type: huma.TypeObject, Description: e.Description,
		Required: []string{"eventId", "eventType", "occurredAt", "environment", "isSimulated", "userId", "data"},
		Properties: map[string]*huma.Schema{
			"eventId": {
				Type: huma.TypeString, Format: "uuid",
				Description: "Never changes for the same event: recognize duplicates by it.",
			},
			"eventType": {Type: huma.TypeString, Enum: []any{e.Type}, Description: "What has happened."},
			"occurredAt": {
				Type: huma.TypeString, Format: "date-time", Description: "When it happened, not when it was sent.",
			},
			"environment": environment,
			"isSimulated": {Type: huma.TypeBoolean, Description: "True if nothing has really happened: a simulation."},
			"userId": {
				Type: huma.TypeString,
				Description: "The Partner User that the event is about. Empty in subscription.failing, which is " +
					"about no user, and in a simulation that names none.",
			},
			"data": data,
		},
	}
}

// dataSchema describes data as GET /webhooks/v1/event-types does, but open to additions.
func dataSchema(e notification.EventType) *huma.Schema {
	var s huma.Schema
	if err := yaml.Unmarshal(e.Schema, &s); err != nil { // JSON is YAML
		panic(fmt.Sprintf("schema of %s: %v", e.Type, err)) // a mistake in the code that describes it
	}
	s.Extensions = nil // $schema
	s.Description = "The data of " + e.Type + "."
	api.OpenSchema(&s)
	for _, member := range s.Properties {
		api.OpenSchema(member)
		if member.Type == huma.TypeInteger { // a count
			member.Format = "int32"
		}
	}
	return &s
}

func eventExample(e notification.EventType) map[string]any {
	user := "8f8e7c1d-0a3b-4f0e-9a55-6f1f2d3c4b5a"
	if e.Type == notification.EventSubscriptionFailing {
		user = ""
	}
	return map[string]any{
		"eventId": "1f0d8a52-5a3c-4c39-9f3e-0f6f1f9d8c11", "eventType": e.Type, "occurredAt": "2026-03-02T09:34:58Z",
		"environment": "test", "isSimulated": e.Type == "webhook.ping",
		"userId": user, "data": e.Example,
	}
}

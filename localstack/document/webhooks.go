package document

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"go.yaml.in/yaml/v3"

	"aviso/internal/notification"
)

// callbackText describes the common parts of all callbacks.
//
//go:embed webhooks.yaml
var callbackText []byte

// callback is the content of callbackText.
type callback struct {
	Parameters             map[string]*huma.Param
	Responses              map[string]*huma.Response
	Acknowledgement, Event *huma.Schema
}

// webhooks describes the callback of each event type, and adds the common parts to the document's components.
func webhooks(components *huma.Components) map[string]*huma.PathItem {
	shared := read[callback](callbackText)
	components.Parameters, components.Responses = shared.Parameters, shared.Responses
	shared.Responses["Acknowledged"].Content["application/json"].Schema =
		named(components.Schemas, "EventAcknowledgement", shared.Acknowledgement)
	var headers []*huma.Param // in the order in which a receiver reads them
	for _, name := range []string{"WebhookId", "WebhookTimestamp", "WebhookSignature", "TraceParent", "UserAgent"} {
		headers = append(headers, &huma.Param{Ref: "#/components/parameters/" + name})
	}
	items := map[string]*huma.PathItem{}
	for _, e := range notification.EventTypes() {
		name := pascalCase(e.Type) + "Event"
		data := named(components.Schemas, name+"Data", dataSchema(e))
		data.Description = "What the event is about."
		body := read[callback](callbackText).Event // new members may be added to it
		body.Description, body.Properties["data"] = e.Description, data
		body.Properties["eventType"].Enum = []any{e.Type}
		openSchema(body.Properties["environment"])
		items[e.Type] = &huma.PathItem{Post: &huma.Operation{
			OperationID: "receive" + strings.TrimSuffix(name, "Event"), Tags: []string{"Events"},
			Summary: e.Type, Description: e.Description, Security: []map[string][]string{}, Parameters: headers,
			RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {
				Schema: named(components.Schemas, name, body), Example: eventExample(e),
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

// dataSchema describes data like GET /webhooks/v1/event-types, but open to additions.
func dataSchema(e notification.EventType) *huma.Schema {
	var s huma.Schema
	if err := yaml.Unmarshal(e.Schema, &s); err != nil { // JSON is YAML
		panic(fmt.Sprintf("schema of %s: %v", e.Type, err)) // a mistake in the code that describes it
	}
	s.Extensions = nil // $schema
	s.Description = "The data of " + e.Type + "."
	openSchema(&s)
	for _, member := range s.Properties {
		openSchema(member)
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

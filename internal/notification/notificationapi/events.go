package notificationapi

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/owner"
)

type wireEventType struct {
	_ struct{} `doc:"A type of event that you can subscribe to."`

	EventType   string         `json:"eventType" doc:"Name of the type."`
	Description string         `json:"description" doc:"What has happened, and what to do."`
	Schema      map[string]any `json:"schema" doc:"The JSON Schema (2020-12) of the callback's data."`
	Example     map[string]any `json:"example" doc:"An example of the data."`
}

type eventTypesData struct {
	EventTypes []wireEventType `json:"eventTypes" nullable:"false" doc:"All types of events."`
}

type wireSimulatedEvent struct {
	_ struct{} `doc:"A simulated event."`

	EventID   string `json:"eventId" format:"uuid" doc:"Find its delivery by this ID in the list of attempts."`
	EventType string `json:"eventType" doc:"The type of the event."`
}

type simulatedEventData struct {
	Event wireSimulatedEvent `json:"event"`
}

type simulateEventInput struct {
	Body struct {
		_ struct{} `doc:"The event to simulate."`

		EventType      string         `json:"eventType" maxLength:"100" doc:"A type of GET /webhooks/v1/event-types."`
		SubscriptionID string         `json:"subscriptionId,omitempty" format:"uuid" minLength:"36" maxLength:"36" doc:"Send only to this subscription. Default: all subscriptions to the type."`
		UserID         string         `json:"userId,omitempty" format:"uuid" minLength:"36" maxLength:"36" doc:"The user the event is about. Default: no user."`
		Data           map[string]any `json:"data,omitempty" doc:"Data that matches the type's schema. Default: the type's example."`
	}
}

func registerEvents(r *api.Router, simulator *notification.Simulator) {
	api.Register(r, api.Operation{
		ID: "listEventTypes", Method: http.MethodGet, Path: prefix + "/event-types",
		Tag: "Webhooks", Scope: api.Webhook,
		Summary:     "List event types",
		Description: "Each event type has the JSON Schema of its data and an example.",
		Answer: func() any { // only on request: reading all types costs 7 M instructions
			ping, _ := notification.FindEventType("webhook.ping")
			return eventTypesData{EventTypes: []wireEventType{toEventType(ping)}}
		},
	}, func(context.Context, *struct{}) (*api.Response[eventTypesData], error) {
		return api.OK(eventTypesData{EventTypes: api.List(notification.EventTypes(), toEventType)}), nil
	})

	api.Register(r, api.Operation{
		ID: "simulateEvent", Method: http.MethodPost, Path: prefix + "/events",
		Tag: "Webhooks", Scope: api.Webhook, Creates: true, Status: http.StatusAccepted,
		Summary: "Simulate an event",
		Description: "The event is delivered like any other, with isSimulated set to true. " +
			"Refused if no Active subscription includes its type. Not available in production.",
		Request: map[string]any{"eventType": "webhook.ping"},
		Answer: simulatedEventData{Event: wireSimulatedEvent{
			EventID: "5b0d7d53-1f6b-4d0f-8a6e-3c8a5a4f7b21", EventType: "webhook.ping",
		}},
		Faults: []apierror.Code{
			apierror.NotAvailableInProd, apierror.NotFound, apierror.UserNotFound, apierror.SubscriptionNotListening,
		},
	}, func(ctx context.Context, in *simulateEventInput) (*api.Response[simulatedEventData], error) {
		simulation := notification.Simulation{
			EventType: in.Body.EventType, SubscriptionID: strings.ToLower(in.Body.SubscriptionID),
			User: owner.UserID(strings.ToLower(in.Body.UserID)),
		}
		if in.Body.Data != nil {
			data, err := json.Marshal(in.Body.Data)
			if err != nil {
				return nil, err
			}
			simulation.Data = data
		}
		response := func(e outbox.Event) *api.Response[simulatedEventData] {
			return api.With(http.StatusAccepted, simulatedEventData{Event: wireSimulatedEvent{EventID: e.ID, EventType: e.Type}})
		}
		return api.Make(ctx, response, func(also idempotency.Effect[outbox.Event]) (outbox.Event, error) {
			return simulator.Simulate(ctx, api.Partner(ctx), simulation, also)
		})
	})
}

func toEventType(t notification.EventType) wireEventType {
	schema := object(t.Schema)
	delete(schema, "additionalProperties") // events may get new members later; simulated data may not
	return wireEventType{EventType: t.Type, Description: t.Description, Schema: schema, Example: object(t.Example)}
}

// object parses a JSON object from the code, which is always valid.
func object(text json.RawMessage) map[string]any {
	var o map[string]any
	_ = json.Unmarshal(text, &o)
	return o
}

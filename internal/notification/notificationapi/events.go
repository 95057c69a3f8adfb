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
	EventType   string         `json:"eventType"`
	Description string         `json:"description"`
	Schema      map[string]any `json:"schema"`
	Example     map[string]any `json:"example"`
}

type eventTypesData struct {
	EventTypes []wireEventType `json:"eventTypes" nullable:"false"`
}

type wireSimulatedEvent struct {
	EventID   string `json:"eventId" format:"uuid"`
	EventType string `json:"eventType"`
}

type simulatedEventData struct {
	Event wireSimulatedEvent `json:"event"`
}

type simulateEventInput struct {
	Body struct {
		EventType      string         `json:"eventType" maxLength:"100"`
		SubscriptionID string         `json:"subscriptionId,omitempty" format:"uuid" minLength:"36" maxLength:"36"`
		UserID         string         `json:"userId,omitempty" format:"uuid" minLength:"36" maxLength:"36"`
		Data           map[string]any `json:"data,omitempty"`
	}
}

func registerEvents(r *api.Router, simulator *notification.Simulator) {
	api.Register(r, api.Operation{
		ID: "listEventTypes", Method: http.MethodGet, Path: prefix + "/event-types",
		Tag: "Webhooks", Scope: api.Webhook,
	}, func(context.Context, *struct{}) (*api.Response[eventTypesData], error) {
		return api.OK(eventTypesData{EventTypes: api.List(notification.EventTypes(), toEventType)}), nil
	})

	api.Register(r, api.Operation{
		ID: "simulateEvent", Method: http.MethodPost, Path: prefix + "/events",
		Tag: "Webhooks", Scope: api.Webhook, Creates: true, Status: http.StatusAccepted,
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

package notificationapi

import (
	"context"
	"net/http"
	"strings"
	"time"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/notification"
)

type wireWebhookSubscription struct {
	_ struct{} `doc:"A subscription to events, and whether it receives them."`

	SubscriptionID string    `json:"subscriptionId" format:"uuid" doc:"Identifies the subscription."`
	ServerURL      string    `json:"serverUrl" format:"uri" doc:"Where we post events to."`
	Events         []string  `json:"events" nullable:"false" doc:"The event types, or only \"*\" for all types."`
	Description    string    `json:"description" doc:"Your own note; empty if there is none."`
	Status         string    `json:"status" enum:"Active,Paused,Disabled" doc:"Active: receives events. Paused: you paused it. Disabled: set by the operator, or after failures."`
	StatusReason   string    `json:"statusReason" enum:",DisabledByOperator,TooManyFailures" doc:"Why it is Disabled; otherwise empty."`
	CreatedAt      time.Time `json:"createdAt" doc:"When the subscription was created."`
	UpdatedAt      time.Time `json:"updatedAt" doc:"When the subscription was last changed."`

	FailingSince  *time.Time `json:"failingSince,omitempty" doc:"When it began to fail: when the first event was given up. Only until it acknowledges an event again."`
	FailingReason string     `json:"failingReason,omitempty" enum:"NotAcknowledged,InvalidAcknowledgement,HttpError,RedirectRefused,Timeout,DnsError,TlsError,ConnectionError,AddressRefused,ResponseTooLarge" doc:"Only with failingSince: how the last attempt ended, as in the list of attempts."`
	FailingDetail string     `json:"failingDetail,omitempty" doc:"Only with failingSince: the same in words, if there is more to say."`
}

type wireWebhookSecret struct {
	_ struct{} `doc:"A secret that signs callbacks (Standard Webhooks)."`

	SecretID  string     `json:"secretId" format:"uuid" doc:"Identifies the secret. The key cannot be found from it."`
	Key       string     `json:"key,omitempty" doc:"whsec_ and 32 bytes in base64. Only in the response that creates the secret."`
	Status    string     `json:"status" enum:"Active,Expiring,Revoked" doc:"Active and Expiring secrets sign. Expiring: a newer one has replaced it. Revoked: no longer signs."`
	CreatedAt time.Time  `json:"createdAt" doc:"When the secret was created. It signs from then on."`
	ExpiresAt *time.Time `json:"expiresAt" nullable:"true" doc:"When the secret expires or expired; null if that is not known yet."`
}

type createdWebhookSubscriptionData struct {
	_ struct{} `doc:"A new subscription and its first secret."`

	Subscription wireWebhookSubscription `json:"subscription"`
	Secret       wireWebhookSecret       `json:"secret" doc:"The first secret. Store its key now: no other response has it."`
}

type webhookSubscriptionData struct {
	Subscription wireWebhookSubscription `json:"subscription"`
}

type webhookSubscriptionsData struct {
	Subscriptions []wireWebhookSubscription `json:"subscriptions" nullable:"false" doc:"All of your subscriptions."`
}

type createWebhookSubscriptionInput struct {
	Body struct {
		_ struct{} `doc:"Which events to post, and where."`

		ServerURL   string   `json:"serverUrl" minLength:"1" maxLength:"2000" doc:"The URL to post events to: https on port 443, 8443 or 8843, in production on any port, or http on 80, 8080 or 8888."`
		Events      []string `json:"events" nullable:"false" minItems:"1" maxItems:"100" doc:"Event types of GET /webhooks/v1/event-types, or only \"*\" for all types, including future ones."`
		Description string   `json:"description,omitempty" maxLength:"500" doc:"Your own note. Default: empty."`
	}
}

type updateWebhookSubscriptionInput struct {
	SubscriptionPath
	Body struct {
		_ struct{} `doc:"What to change about a subscription."`

		ServerURL   *string  `json:"serverUrl,omitempty" minLength:"1" maxLength:"2000" doc:"Where to post events."`
		Events      []string `json:"events,omitempty" nullable:"false" minItems:"1" maxItems:"100" doc:"The event types, instead of the earlier ones."`
		Description *string  `json:"description,omitempty" maxLength:"500" doc:"Your own note."`
	}
}

type updateWebhookSubscriptionStatusInput struct {
	SubscriptionPath
	Body struct {
		_ struct{} `doc:"The new status."`

		Status string `json:"status" enum:"Active,Paused" doc:"Disabled cannot be set: it is set by the operator, or automatically after failures."`
	}
}

// SubscriptionPath is the path of one subscription. It is exported because Huma
// reads only embedded fields of exported types.
type SubscriptionPath struct {
	SubscriptionID string `path:"subscriptionId" format:"uuid" minLength:"36" maxLength:"36" doc:"The subscription, from listWebhookSubscriptions." example:"0196f1de-7a20-7d11-8c3f-5b1e2d9a4c77"`
}

// id returns the subscription's ID as it is stored.
func (in SubscriptionPath) id() string { return strings.ToLower(in.SubscriptionID) }

func registerSubscriptions(r *api.Router, subscriptions *notification.Subscriptions) {
	api.Register(r, api.Operation{
		ID: "createWebhookSubscription", Method: http.MethodPost, Path: prefix + "/subscriptions",
		Tag: "Webhooks", Scope: api.Webhook, Creates: true, Status: http.StatusCreated,
		Summary:     "Subscribe to events",
		Description: "The subscription comes with its first secret. Only this response has its key: store it.",
		Request: map[string]any{
			"serverUrl": "https://partner.example/aviso", "events": []string{"connection.expired", "cancellation.sent"},
			"description": "production",
		},
		Answer: createdWebhookSubscriptionData{Subscription: exampleSubscription(), Secret: exampleNewSecret()},
		Faults: []apierror.Code{apierror.Conflict},
	}, func(ctx context.Context, in *createWebhookSubscriptionInput) (*api.Response[createdWebhookSubscriptionData], error) {
		response := func(made notification.NewSubscription) *api.Response[createdWebhookSubscriptionData] {
			return api.With(http.StatusCreated, createdWebhookSubscriptionData{
				Subscription: toSubscription(made.Subscription), Secret: toNewSecret(made.Secret),
			})
		}
		return api.Make(ctx, response, func(
			also idempotency.Effect[notification.NewSubscription],
		) (notification.NewSubscription, error) {
			s, secret, err := subscriptions.Create(ctx, api.Partner(ctx), notification.SubscriptionInput{
				ServerURL: &in.Body.ServerURL, Events: in.Body.Events, Description: &in.Body.Description,
			}, also)
			return notification.NewSubscription{Subscription: s, Secret: secret}, err
		})
	})

	api.Register(r, api.Operation{
		ID: "listWebhookSubscriptions", Method: http.MethodGet, Path: prefix + "/subscriptions",
		Tag: "Webhooks", Scope: api.Webhook,
		Summary:     "List webhook subscriptions",
		Description: "All of your subscriptions, at most 50.",
		Answer:      webhookSubscriptionsData{Subscriptions: []wireWebhookSubscription{exampleSubscription()}},
	}, func(ctx context.Context, _ *struct{}) (*api.Response[webhookSubscriptionsData], error) {
		all, err := subscriptions.List(ctx, api.Partner(ctx))
		if err != nil {
			return nil, err
		}
		return api.OK(webhookSubscriptionsData{Subscriptions: api.List(all, toSubscription)}), nil
	})

	api.Register(r, api.Operation{
		ID: "getWebhookSubscription", Method: http.MethodGet, Path: prefix + "/subscriptions/{subscriptionId}",
		Tag: "Webhooks", Scope: api.Webhook,
		Summary:     "Get a webhook subscription",
		Description: "The URL and events of the subscription, and whether it receives events.",
		Answer:      webhookSubscriptionData{Subscription: exampleSubscription()},
		Faults:      []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *SubscriptionPath) (*api.Response[webhookSubscriptionData], error) {
		return oneSubscription(subscriptions.Get(ctx, api.Partner(ctx), in.id()))
	})

	api.Register(r, api.Operation{
		ID: "updateWebhookSubscription", Method: http.MethodPatch, Path: prefix + "/subscriptions/{subscriptionId}",
		Tag: "Webhooks", Scope: api.Webhook,
		Summary: "Update a webhook subscription",
		Description: "Members that are not sent keep their values. " +
			"Further attempts of pending deliveries use the new values.",
		Request: map[string]any{"events": []string{"*"}},
		Answer:  webhookSubscriptionData{Subscription: exampleSubscription()},
		Faults:  []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *updateWebhookSubscriptionInput) (*api.Response[webhookSubscriptionData], error) {
		return oneSubscription(subscriptions.Update(ctx, api.Partner(ctx), in.id(), notification.SubscriptionInput{
			ServerURL: in.Body.ServerURL, Events: in.Body.Events, Description: in.Body.Description,
		}))
	})

	api.Register(r, api.Operation{
		ID: "updateWebhookSubscriptionStatus", Method: http.MethodPut,
		Path: prefix + "/subscriptions/{subscriptionId}/status", Tag: "Webhooks", Scope: api.Webhook,
		Summary: "Pause or resume a webhook subscription",
		Description: "A paused subscription never gets the events that happen meanwhile. If the next attempt of a " +
			"delivery is due during the pause, the delivery is given up.",
		Request: map[string]any{"status": "Paused"},
		Answer:  webhookSubscriptionData{Subscription: exampleSubscription()},
		Faults:  []apierror.Code{apierror.NotFound, apierror.Conflict},
	}, func(ctx context.Context, in *updateWebhookSubscriptionStatusInput) (*api.Response[webhookSubscriptionData], error) {
		status := notification.SubscriptionStatus(in.Body.Status)
		return oneSubscription(subscriptions.SetStatus(ctx, api.Partner(ctx), in.id(), status))
	})

	api.Register(r, api.Operation{
		ID: "deleteWebhookSubscription", Method: http.MethodDelete, Path: prefix + "/subscriptions/{subscriptionId}",
		Tag: "Webhooks", Scope: api.Webhook, Status: http.StatusNoContent,
		Summary:     "Delete a webhook subscription",
		Description: "Deliveries that are pending are given up.",
		Faults:      []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *SubscriptionPath) (*struct{}, error) {
		return nil, subscriptions.Delete(ctx, api.Partner(ctx), in.id())
	})
}

func oneSubscription(s notification.Subscription, err error) (*api.Response[webhookSubscriptionData], error) {
	if err != nil {
		return nil, err
	}
	return api.OK(webhookSubscriptionData{Subscription: toSubscription(s)}), nil
}

func toSubscription(s notification.Subscription) wireWebhookSubscription {
	wire := wireWebhookSubscription{
		SubscriptionID: s.ID, ServerURL: s.ServerURL, Events: s.Events, Description: s.Description,
		Status: string(s.Status), StatusReason: string(s.Reason), CreatedAt: s.CreatedAt.Time(),
		UpdatedAt: s.UpdatedAt.Time(),
	}
	if !s.FailingSince.IsZero() {
		wire.FailingSince = new(s.FailingSince.Time())
		wire.FailingReason, wire.FailingDetail = string(s.FailingReason), s.FailingDetail
	}
	return wire
}

func exampleSubscription() wireWebhookSubscription {
	at := time.Date(2026, 3, 2, 9, 35, 0, 0, time.UTC)
	return wireWebhookSubscription{
		SubscriptionID: "0196f1de-7a20-7d11-8c3f-5b1e2d9a4c77", ServerURL: "https://partner.example/aviso",
		Events: []string{"cancellation.sent", "connection.expired"}, Description: "production", Status: "Active",
		CreatedAt: at, UpdatedAt: at,
	}
}

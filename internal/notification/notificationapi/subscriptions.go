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
	SubscriptionID string    `json:"subscriptionId" format:"uuid"`
	ServerURL      string    `json:"serverUrl" format:"uri"`
	Events         []string  `json:"events" nullable:"false"`
	Description    string    `json:"description"`
	Status         string    `json:"status" enum:"Active,Paused,Disabled"`
	StatusReason   string    `json:"statusReason" enum:",DisabledByOperator,TooManyFailures"`
	CreatedAt      time.Time `json:"createdAt"`
	UpdatedAt      time.Time `json:"updatedAt"`

	FailingSince  *time.Time `json:"failingSince,omitempty"`
	FailingReason string     `json:"failingReason,omitempty" enum:"NotAcknowledged,InvalidAcknowledgement,HttpError,RedirectRefused,Timeout,DnsError,TlsError,ConnectionError,AddressRefused,ResponseTooLarge"`
	FailingDetail string     `json:"failingDetail,omitempty"`
}

type wireWebhookSecret struct {
	SecretID  string     `json:"secretId" format:"uuid"`
	Key       string     `json:"key,omitempty"`
	Status    string     `json:"status" enum:"Active,Expiring,Revoked"`
	CreatedAt time.Time  `json:"createdAt"`
	ExpiresAt *time.Time `json:"expiresAt" nullable:"true"`
}

type createdWebhookSubscriptionData struct {
	Subscription wireWebhookSubscription `json:"subscription"`
	Secret       wireWebhookSecret       `json:"secret"`
}

type webhookSubscriptionData struct {
	Subscription wireWebhookSubscription `json:"subscription"`
}

type webhookSubscriptionsData struct {
	Subscriptions []wireWebhookSubscription `json:"subscriptions" nullable:"false"`
}

type createWebhookSubscriptionInput struct {
	Body struct {
		ServerURL   string   `json:"serverUrl" minLength:"1" maxLength:"2000"`
		Events      []string `json:"events" nullable:"false" minItems:"1" maxItems:"100"`
		Description string   `json:"description,omitempty" maxLength:"500"`
	}
}

type updateWebhookSubscriptionInput struct {
	SubscriptionPath
	Body struct {
		ServerURL   *string  `json:"serverUrl,omitempty" minLength:"1" maxLength:"2000"`
		Events      []string `json:"events,omitempty" nullable:"false" minItems:"1" maxItems:"100"`
		Description *string  `json:"description,omitempty" maxLength:"500"`
	}
}

type updateWebhookSubscriptionStatusInput struct {
	SubscriptionPath
	Body struct {
		Status string `json:"status" enum:"Active,Paused"`
	}
}

// SubscriptionPath is the path of one subscription. It is exported because Huma
// reads only embedded fields of exported types.
type SubscriptionPath struct {
	SubscriptionID string `path:"subscriptionId" format:"uuid" minLength:"36" maxLength:"36"`
}

// id returns the subscription's ID as it is stored.
func (in SubscriptionPath) id() string { return strings.ToLower(in.SubscriptionID) }

func registerSubscriptions(r *api.Router, subscriptions *notification.Subscriptions) {
	api.Register(r, api.Operation{
		ID: "createWebhookSubscription", Method: http.MethodPost, Path: prefix + "/subscriptions",
		Tag: "Webhooks", Scope: api.Webhook, Creates: true, Status: http.StatusCreated,
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
		Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *SubscriptionPath) (*api.Response[webhookSubscriptionData], error) {
		return oneSubscription(subscriptions.Get(ctx, api.Partner(ctx), in.id()))
	})

	api.Register(r, api.Operation{
		ID: "updateWebhookSubscription", Method: http.MethodPatch, Path: prefix + "/subscriptions/{subscriptionId}",
		Tag: "Webhooks", Scope: api.Webhook,
		Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *updateWebhookSubscriptionInput) (*api.Response[webhookSubscriptionData], error) {
		return oneSubscription(subscriptions.Update(ctx, api.Partner(ctx), in.id(), notification.SubscriptionInput{
			ServerURL: in.Body.ServerURL, Events: in.Body.Events, Description: in.Body.Description,
		}))
	})

	api.Register(r, api.Operation{
		ID: "updateWebhookSubscriptionStatus", Method: http.MethodPut,
		Path: prefix + "/subscriptions/{subscriptionId}/status", Tag: "Webhooks", Scope: api.Webhook,
		Faults: []apierror.Code{apierror.NotFound, apierror.Conflict},
	}, func(ctx context.Context, in *updateWebhookSubscriptionStatusInput) (*api.Response[webhookSubscriptionData], error) {
		status := notification.SubscriptionStatus(in.Body.Status)
		return oneSubscription(subscriptions.SetStatus(ctx, api.Partner(ctx), in.id(), status))
	})

	api.Register(r, api.Operation{
		ID: "deleteWebhookSubscription", Method: http.MethodDelete, Path: prefix + "/subscriptions/{subscriptionId}",
		Tag: "Webhooks", Scope: api.Webhook, Status: http.StatusNoContent,
		Faults: []apierror.Code{apierror.NotFound},
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

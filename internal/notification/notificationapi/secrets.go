package notificationapi

import (
	"context"
	"net/http"
	"strings"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/clock"
	"aviso/internal/notification"
)

type webhookSecretData struct {
	Secret wireWebhookSecret `json:"secret"`
}

type webhookSecretsData struct {
	Secrets []wireWebhookSecret `json:"secrets" nullable:"false"`
}

type createWebhookSecretInput struct {
	SubscriptionPath
	Body *struct {
	}
}

type secretPathInput struct {
	SubscriptionPath
	SecretID string `path:"secretId" format:"uuid" minLength:"36" maxLength:"36"`
}

func registerSecrets(r *api.Router, subscriptions *notification.Subscriptions) {
	api.Register(r, api.Operation{
		ID: "createWebhookSecret", Method: http.MethodPost, Path: prefix + "/subscriptions/{subscriptionId}/secrets",
		Tag: "Webhooks", Scope: api.Webhook, Creates: true, Status: http.StatusCreated,
		Faults: []apierror.Code{apierror.NotFound, apierror.Conflict},
	}, func(ctx context.Context, in *createWebhookSecretInput) (*api.Response[webhookSecretData], error) {
		response := func(s notification.Secret) *api.Response[webhookSecretData] {
			return api.With(http.StatusCreated, webhookSecretData{Secret: toNewSecret(s)})
		}
		return api.Make(ctx, response, func(also idempotency.Effect[notification.Secret]) (notification.Secret, error) {
			return subscriptions.AddSecret(ctx, api.Partner(ctx), in.id(), also)
		})
	})

	api.Register(r, api.Operation{
		ID: "listWebhookSecrets", Method: http.MethodGet, Path: prefix + "/subscriptions/{subscriptionId}/secrets",
		Tag: "Webhooks", Scope: api.Webhook,
		Faults: []apierror.Code{apierror.NotFound},
	}, func(ctx context.Context, in *SubscriptionPath) (*api.Response[webhookSecretsData], error) {
		secrets, err := subscriptions.Secrets(ctx, api.Partner(ctx), in.id())
		if err != nil {
			return nil, err
		}
		return api.OK(webhookSecretsData{Secrets: api.List(secrets, func(s notification.Secret) wireWebhookSecret {
			return toSecret(s, clock.Read(r.Now))
		})}), nil
	})

	api.Register(r, api.Operation{
		ID: "deleteWebhookSecret", Method: http.MethodDelete,
		Path: prefix + "/subscriptions/{subscriptionId}/secrets/{secretId}",
		Tag:  "Webhooks", Scope: api.Webhook, Status: http.StatusNoContent,
		Faults: []apierror.Code{apierror.NotFound, apierror.Conflict},
	}, func(ctx context.Context, in *secretPathInput) (*struct{}, error) {
		return nil, subscriptions.RevokeSecret(ctx, api.Partner(ctx), in.id(), strings.ToLower(in.SecretID))
	})
}

// toNewSecret includes the key. No other conversion does.
func toNewSecret(s notification.Secret) wireWebhookSecret {
	w := toSecret(s, s.CreatedAt)
	w.Key = string(s.Key)
	return w
}

func toSecret(s notification.Secret, now clock.Real) wireWebhookSecret {
	w := wireWebhookSecret{SecretID: s.ID, Status: string(s.Status(now)), CreatedAt: s.CreatedAt.Time()}
	if !s.ExpiresAt.IsZero() {
		w.ExpiresAt = new(s.ExpiresAt.Time())
	}
	return w
}

package console

import (
	"slices"

	"aviso/internal/clock"
	"aviso/internal/notification"
)

// signingSecretsPage is what the page of a subscription's secrets shows.
type signingSecretsPage struct {
	Tabs    Tabs
	Secrets Table
	// Create is nil for those who may not create one.
	Create *Form
}

func (c *Console) showSigningSecrets(call *Call, sub notification.Subscription) (Answer, error) {
	secrets, err := c.Webhooks.Subscriptions.Secrets(call.Context(), call.Partner(), sub.ID)
	if err != nil {
		return nil, err
	}
	base := webhooksPath + "/" + sub.ID + "/secrets"
	may := call.Session.Role >= Developer
	data := signingSecretsPage{
		Tabs:    webhookTabs(call, sub.ID, "/secrets"),
		Secrets: tableOf("signingSecrets"),
	}
	if may {
		data.Secrets.Columns = append(slices.Clip(data.Secrets.Columns), "Change")
		data.Create = new(formOf("createSigningSecret", base, nil))
	}
	for _, s := range secrets {
		row := []any{Code(s.ID), secretBadge(s.Status(clock.Real(call.Now))), s.CreatedAt.Time(), signsUntil(s)}
		if may {
			row = append(row, revokeForm(base, s, call))
		}
		data.Secrets.Rows = append(data.Secrets.Rows, row)
	}
	return webhookPageOf("signingSecrets", sub, data), nil
}

func secretBadge(status notification.SecretStatus) Badge {
	switch status {
	case notification.SecretActive:
		return Badge{Good, "Signs"}
	case notification.SecretExpiring:
		return Badge{Waiting, "Signs, ends soon"}
	default:
		return Badge{Neutral, "Ended"}
	}
}

func signsUntil(s notification.Secret) any {
	if s.ExpiresAt.IsZero() {
		return "no end"
	}
	return At{s.ExpiresAt.Time()}
}

// revokeForm returns the form that ends a secret; nil for one that has ended, or that is the
// only one without an end.
func revokeForm(base string, s notification.Secret, call *Call) any {
	if s.Status(clock.Real(call.Now)) != notification.SecretExpiring {
		return nil
	}
	revoke := formOf("revokeSigningSecret", base+"/"+s.ID+"/revoke", nil)
	revoke.ID = s.ID
	return revoke
}

func (c *Console) createSigningSecret(call *Call, sub notification.Subscription) (Answer, error) {
	added, err := c.Webhooks.Subscriptions.AddSecret(call.Context(), call.Partner(), sub.ID)
	if err != nil {
		return nil, err
	}
	call.Note(sub.ID + " " + added.ID)
	secrets, err := c.Webhooks.Subscriptions.Secrets(call.Context(), call.Partner(), sub.ID)
	if err != nil {
		return nil, err
	}
	data := newSecretPage{
		Secret: Block{"The new secret", string(added.Key)}, Back: webhooksPath + "/" + sub.ID + "/secrets",
		Facts: []Fact{{"ID", Code(added.ID)}},
	}
	for _, s := range secrets {
		if s.Status(clock.Real(call.Now)) == notification.SecretExpiring {
			data.Facts = append(data.Facts, Fact{"The previous one signs until", At{s.ExpiresAt.Time()}})
			break
		}
	}
	page := webhookPageOf("newSigningSecret", sub, data)
	page.Crumbs = append(page.Crumbs, Link{data.Back, "Signing secrets"})
	return page, nil
}

func (c *Console) revokeSigningSecret(call *Call) (Answer, error) {
	id, secret := call.PathValue("subscription"), call.PathValue("secret")
	if err := c.Webhooks.Subscriptions.RevokeSecret(call.Context(), call.Partner(), id, secret); err != nil {
		return nil, err
	}
	return Redirect{webhooksPath + "/" + id + "/secrets", "The secret is revoked."}, nil
}

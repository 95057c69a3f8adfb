package console

import (
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

func (c *Console) showSigningSecrets(call *Call) (Answer, error) {
	sub, err := c.subscription(call)
	if err != nil {
		return nil, err
	}
	secrets, err := c.Webhooks.Subscriptions.Secrets(call.Context(), call.Partner(), sub.ID)
	if err != nil {
		return nil, err
	}
	base := webhooksPath + "/" + sub.ID + "/secrets"
	may := call.Session.Role >= Developer
	data := signingSecretsPage{
		Tabs:    webhookTabs(call, sub.ID, "/secrets"),
		Secrets: Table{Caption: "Secrets", Columns: []string{"Secret", "State", "Created", "Signs until"}},
	}
	if may {
		data.Secrets.Columns = append(data.Secrets.Columns, "Change")
		data.Create = &Form{
			ID: "create", Action: base, Submit: "create a secret",
			Confirm: "The new secret is shown once. The present one goes on signing for a day beside it, so that you can bring the " +
				"new one to every server without losing an event.",
		}
	}
	for _, s := range secrets {
		row := []any{Code(s.ID), secretBadge(s.Status(clock.Real(call.Now))), s.CreatedAt.Time(), signsUntil(s)}
		if may {
			row = append(row, revokeForm(base, s, call))
		}
		data.Secrets.Rows = append(data.Secrets.Rows, row)
	}
	return Page{
		Title: "Signing secrets", Section: webhooksPath, Template: "webhooksecrets", Crumbs: webhookCrumbs(sub), Data: data,
		Lead: "With a secret, your server verifies that a callback is from us. Each callback has a signature for every secret " +
			"that has not ended.",
	}, nil
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
	return Form{
		ID: s.ID, Action: base + "/" + s.ID + "/revoke", Submit: "revoke", Danger: true,
		Confirm: "It signs nothing from now on. Servers that know only this secret refuse every callback.",
	}
}

func (c *Console) createSigningSecret(call *Call) (Answer, error) {
	sub, err := c.subscription(call)
	if err != nil {
		return nil, err
	}
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
	return Page{
		Title: "Your new signing secret", Section: webhooksPath, Template: "newsecret", Data: data,
		Crumbs: append(webhookCrumbs(sub), Link{data.Back, "Signing secrets"}),
		Lead:   "Copy it now. Nobody can show it again.",
	}, nil
}

func (c *Console) revokeSigningSecret(call *Call) (Answer, error) {
	id, secret := call.PathValue("subscription"), call.PathValue("secret")
	if err := c.Webhooks.Subscriptions.RevokeSecret(call.Context(), call.Partner(), id, secret); err != nil {
		return nil, err
	}
	return Redirect{webhooksPath + "/" + id + "/secrets", "The secret is revoked."}, nil
}

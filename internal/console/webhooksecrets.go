package console

import (
	"slices"

	"aviso/internal/clock"
	"aviso/internal/notification"
)

func (c *Console) showSigningSecrets(call *Call, sub notification.Subscription) (Answer, error) {
	secrets, err := c.Webhooks.Subscriptions.Secrets(call.Context(), call.Partner(), sub.ID)
	if err != nil {
		return nil, err
	}
	base := webhooksPath + "/" + sub.ID + "/secrets"
	may := call.Session.Role >= Developer
	page := webhookPageOf(call, "signingSecrets", sub, "/secrets")
	if may {
		page.List.Columns = append(slices.Clip(page.List.Columns), "Change")
		page.Form = formOf("createSigningSecret", base, nil)
	}
	for _, s := range secrets {
		status := s.Status(clock.Real(call.Now))
		row := []any{Code(s.ID), badgeOf("signingSecret", string(status)), s.CreatedAt.Time(), signsUntil(s)}
		if may {
			row = append(row, nil)
		}
		if may && status == notification.SecretExpiring { // another secret signs without an end
			revoke := formOf("revokeSigningSecret", base+"/"+s.ID+"/revoke", nil)
			revoke.ID = s.ID
			row[len(row)-1] = *revoke
		}
		page.List.Rows = append(page.List.Rows, row)
	}
	return page, nil
}

func signsUntil(s notification.Secret) any {
	if s.ExpiresAt.IsZero() {
		return "no end"
	}
	return At{Time: s.ExpiresAt.Time()}
}

func (c *Console) createSigningSecret(call *Call, sub notification.Subscription) (Answer, error) {
	added, err := c.Webhooks.Subscriptions.AddSecret(call.Context(), call.Partner(), sub.ID, nil)
	if err != nil {
		return nil, err
	}
	call.Note(sub.ID + " " + added.ID)
	secrets, err := c.Webhooks.Subscriptions.Secrets(call.Context(), call.Partner(), sub.ID)
	if err != nil {
		return nil, err
	}
	back := webhooksPath + "/" + sub.ID + "/secrets"
	page := webhookPageOf(call, "newSigningSecret", sub, "")
	page.Crumbs = append(page.Crumbs, Link{back, "Signing secrets"})
	page.Links = []Link{{back, "I have copied it"}}
	page.Blocks = []Block{{"The new secret", string(added.Key)}}
	page.Facts = Facts{{"ID", Code(added.ID)}}
	for _, s := range secrets {
		if s.Status(clock.Real(call.Now)) == notification.SecretExpiring {
			page.Facts = append(page.Facts, Fact{"The previous one signs until", At{Time: s.ExpiresAt.Time()}})
			break
		}
	}
	return page, nil
}

func (c *Console) revokeSigningSecret(call *Call) (Answer, error) {
	id, secret := call.PathValue("subscription"), call.PathValue("secret")
	if err := c.Webhooks.Subscriptions.RevokeSecret(call.Context(), call.Partner(), id, secret); err != nil {
		return nil, err
	}
	return Redirect{webhooksPath + "/" + id + "/secrets", "The secret is revoked."}, nil
}

package operatorfn

import (
	"context"
	"fmt"
	"log/slog"

	"aviso/internal/secret/keyring"
)

// resealWebhookKeys seals partners' signing keys again with the current root, so that the previous root can be
// removed. Only these keys need it: page tokens and stored answers expire. Every run reads the root again, to get the
// current one.
func (o *operations) resealWebhookKeys(ctx context.Context, _ event) (any, error) {
	root, err := keyring.Load(ctx, o.secrets, o.webhookSecret)
	if err != nil {
		return nil, fmt.Errorf("webhook secret: %w", err)
	}
	keys, err := root.Sealer(keyring.WebhookKeys)
	if err != nil {
		return nil, err
	}
	done, err := o.sealed.ResealSecrets(ctx, keys)
	if err != nil {
		return nil, err
	}
	slog.InfoContext(ctx, "webhook keys resealed",
		"secrets", done.Secrets, "resealed", done.Resealed, "unopened", done.Unopened)
	return done, nil
}

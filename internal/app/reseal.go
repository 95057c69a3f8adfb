package app

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"aviso/internal/keyring"
	"aviso/internal/notification/notificationdb"
)

// resealCommand seals partners' signing keys anew with the current root, after
// which the previous one may go. They are the one thing sealed that lives for
// ever: page tokens and stored answers run out. The root is read at each run, so
// that the answer is about the root of now.
func resealCommand(secrets keyring.SecretReader, sealingSecret string, store *notificationdb.Store) command {
	return func(ctx context.Context, _ json.RawMessage) (any, error) {
		root, err := keyring.Load(ctx, secrets, sealingSecret)
		if err != nil {
			return nil, fmt.Errorf("sealing secret: %w", err)
		}
		keys, err := root.Sealer(webhookKeys)
		if err != nil {
			return nil, err
		}
		done, err := store.ResealSecrets(ctx, keys)
		if err != nil {
			return nil, err
		}
		slog.InfoContext(ctx, "webhook keys resealed", "secrets", done.Secrets, "resealed", done.Resealed, "unopened", done.Unopened)
		return done, nil
	}
}

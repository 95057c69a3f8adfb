// Package aggregatorclient builds the client for the aggregator of banks.
package aggregatorclient

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"aviso/internal/aws/config"
	"aviso/internal/outbound"
	"aviso/internal/pfm/bankwire"
	"aviso/internal/pfm/enablebanking"
	"aviso/internal/secret/keyring"
)

// SecretPrefix is the beginning of the names of all secrets for banks. Providers name
// their secrets without it, so that they cannot name any other secret.
func SecretPrefix(stage config.Stage) string { return "aviso/" + string(stage) + "/banks/" }

// New returns a client that reads the key of our application from Secrets Manager and logs
// each call. Without a sealer it can only list banks.
func New(
	reader keyring.SecretReader, stage config.Stage, sealer bankwire.Sealer, t outbound.Timeouts,
) *enablebanking.Client {
	secret := func(ctx context.Context, name string) (string, error) {
		id := aws.String(SecretPrefix(stage) + name)
		out, err := reader.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: id})
		if err == nil && out.SecretString == nil {
			err = errors.New("it has no text")
		}
		if err != nil {
			slog.WarnContext(ctx, "aggregator's key not read", "secret", name, "error", err.Error())
			return "", err
		}
		return *out.SecretString, nil
	}
	return enablebanking.New(enablebanking.Options{
		Now: time.Now, Timeouts: t, Secret: secret, Sealer: sealer, Observe: observe,
	})
}

// observe logs one line for each call.
func observe(ctx context.Context, c bankwire.Call) {
	slog.InfoContext(ctx, "bank call", "operation", c.Operation, "status", c.Status, "code", c.Code,
		"milliseconds", c.Duration.Milliseconds())
}

// Package bankclient builds the clients for banks.
package bankclient

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager/types"

	"aviso/internal/app/aggregatorclient"
	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"
	"aviso/internal/observe/metric"
	"aviso/internal/outbound"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
	"aviso/internal/pfm/xs2a"
	"aviso/internal/secret/keyring"
)

// New returns the suppliers of all banks, and the one that sandbox banks have. They read
// certificates and keys from Secrets Manager, seal what they keep, and log each call.
func New(
	c bootstrap.Clients, stage config.Stage, sealing keyring.Root, t outbound.Timeouts,
) (pfm.Suppliers, *xs2a.Client, error) {
	sealer, err := Sealer(sealing)
	if err != nil {
		return nil, nil, err
	}
	reader := secretsmanager.NewFromConfig(c.Config)
	own := xs2a.New(Options(reader, stage, sealer, t))
	return pfm.Suppliers{
		pfm.SupplierXS2A: own, pfm.SupplierAggregator: aggregatorclient.New(reader, stage, sealer, t),
	}, own, nil
}

// Sealer returns what seals the secrets of consents.
func Sealer(sealing keyring.Root) (*keyring.Sealer, error) { return sealing.Sealer("bank") }

// Options returns those of the client for the banks that we read ourselves.
func Options(reader keyring.SecretReader, stage config.Stage, sealer bankwire.Sealer, t outbound.Timeouts) xs2a.Options {
	return xs2a.Options{
		Sealer:       sealer,
		NewRequestID: bootstrap.NewID, Now: time.Now, Timeouts: t, Observe: observeBank, Expiring: observeExpiring,
		Secrets: bankSecrets{reader, aggregatorclient.SecretPrefix(stage)},
	}
}

// bankSecrets reads the certificates that identify us to banks. A provider names its
// secrets without the prefix, so the name is the same in every environment and
// cannot refer to any other secret.
type bankSecrets struct {
	reader keyring.SecretReader
	prefix string
}

// Secret implements xs2a.Secrets.
func (s bankSecrets) Secret(ctx context.Context, name string) (string, error) {
	out, err := s.reader.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: aws.String(s.prefix + name)})
	var missing *types.ResourceNotFoundException
	if errors.As(err, &missing) || err == nil && out.SecretString == nil {
		return "", xs2a.ErrNoSecret
	}
	if err != nil {
		slog.WarnContext(ctx, "certificate not read", "secret", name, "error", err.Error())
		return "", fmt.Errorf("read secret: %w", err)
	}
	return *out.SecretString, nil
}

// observeBank logs one line for each call to a bank.
func observeBank(ctx context.Context, c bankwire.Call) {
	slog.InfoContext(ctx, "bank call", "operation", c.Operation, "status", c.Status,
		"bankRequestId", c.RequestID, "milliseconds", c.Duration.Milliseconds())
}

// observeExpiring warns that a certificate must be replaced. The metric exists only
// in that case, so any value of it raises the alarm.
func observeExpiring(ctx context.Context, secret string, left time.Duration) {
	slog.LogAttrs(ctx, slog.LevelWarn, "certificate expires",
		slog.String("secret", secret), slog.String("Certificate", "bank"),
		slog.Int(string(metric.CertificateDaysLeft), int(left/(24*time.Hour))),
		metric.EMF(time.Now(), metric.CertificateDaysLeft))
}

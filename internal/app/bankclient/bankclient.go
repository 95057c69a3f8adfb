// Package bankclient builds the clients for banks, and the syncer that uses them.
package bankclient

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager/types"

	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"
	"aviso/internal/observe"
	"aviso/internal/outbound"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
	"aviso/internal/pfm/enablebanking"
	"aviso/internal/pfm/xs2a"
	"aviso/internal/secret/keyring"
)

// Claimed is the type of xs2a.Options.Claimed. It is nil for clients that only read.
type Claimed func(ctx context.Context, bank pfm.BankEndpoint, addresses []*url.URL) (bool, error)

// New returns the suppliers of all banks. They read certificates and keys from Secrets Manager,
// seal what they keep, and log each call.
func New(
	c bootstrap.Clients, stage config.Stage, sealing keyring.Root, t outbound.Timeouts, claimed Claimed,
) (pfm.SupplierOf, error) {
	sealer, err := Sealer(sealing)
	if err != nil {
		return nil, err
	}
	reader := secretsmanager.NewFromConfig(c.Config)
	suppliers := map[pfm.SupplierName]pfm.Supplier{
		pfm.SupplierXS2A:       xs2a.New(Options(reader, stage, sealer, t, claimed)),
		pfm.SupplierAggregator: Aggregator(reader, stage, sealer, t),
	}
	return func(bank pfm.BankEndpoint) pfm.Supplier { return suppliers[bank.Supplier()] }, nil
}

// Sealer returns the sealer for the secrets of consents.
func Sealer(sealing keyring.Root) (*keyring.Sealer, error) { return sealing.Sealer("bank") }

// Options returns the options of the client for the banks that we read ourselves.
func Options(
	reader keyring.SecretReader, stage config.Stage, sealer bankwire.Sealer, t outbound.Timeouts, claimed Claimed,
) xs2a.Options {
	return xs2a.Options{
		Sealer: sealer, Claimed: claimed,
		NewRequestID: bootstrap.NewID, Now: time.Now, Timeouts: t, Observe: observeBank, Expiring: observeExpiring,
		Secrets: bankSecrets{reader, SecretPrefix(stage)},
	}
}

// Aggregator returns the client for the aggregator of banks, which reads the key of our
// application from Secrets Manager. Without a sealer it can only list banks.
func Aggregator(
	reader keyring.SecretReader, stage config.Stage, sealer bankwire.Sealer, t outbound.Timeouts,
) *enablebanking.Client {
	return enablebanking.New(enablebanking.Options{
		Now: time.Now, Timeouts: t, Sealer: sealer, Observe: observeBank,
		Secret: bankSecrets{reader, SecretPrefix(stage)}.Secret,
	})
}

// SecretPrefix starts the name of every secret for banks. Providers name their secrets without it, so the name is the
// same in every environment and cannot refer to any other secret.
func SecretPrefix(stage config.Stage) string { return "aviso/" + string(stage) + "/banks/" }

// bankSecrets reads the certificates and keys that identify us to banks.
type bankSecrets struct {
	reader keyring.SecretReader
	prefix string
}

// Secret implements xs2a.Secrets.
func (s bankSecrets) Secret(ctx context.Context, name string) (string, error) {
	out, err := s.reader.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: aws.String(s.prefix + name)})
	var missing *types.ResourceNotFoundException
	if errors.As(err, &missing) || err == nil && out.SecretString == nil {
		err = xs2a.ErrNoSecret
	}
	if err != nil {
		slog.WarnContext(ctx, "secret for banks not read", "secret", name, "error", err.Error())
		return "", fmt.Errorf("read secret: %w", err)
	}
	return *out.SecretString, nil
}

// observeBank logs one line for each call to a bank or the aggregator.
func observeBank(ctx context.Context, c bankwire.Call) {
	slog.InfoContext(ctx, "bank call", "operation", c.Operation, "status", c.Status, "code", c.Code,
		"bankRequestId", c.RequestID, "milliseconds", c.Duration.Milliseconds())
}

// observeExpiring warns that a certificate must be replaced. The metric exists only
// in that case, so any value of it raises the alarm.
func observeExpiring(ctx context.Context, secret string, left time.Duration) {
	slog.LogAttrs(ctx, slog.LevelWarn, "certificate expires",
		slog.String("secret", secret), slog.String("Certificate", "bank"),
		slog.Int(string(observe.CertificateDaysLeft), int(left/(24*time.Hour))),
		observe.EMF(time.Now(), observe.CertificateDaysLeft))
}

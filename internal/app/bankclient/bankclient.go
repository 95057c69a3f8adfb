// Package bankclient wires the client of banks.
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

	"aviso/internal/app/bootstrap"
	"aviso/internal/config"
	"aviso/internal/keyring"
	"aviso/internal/metric"
	"aviso/internal/outbound"
	"aviso/internal/pfm/xs2a"
)

// New has its certificates in Secrets Manager and tells the log of each call.
func New(c bootstrap.Clients, stage config.Stage, t outbound.Timeouts) *xs2a.Client {
	return xs2a.New(xs2a.Options{
		NewRequestID: bootstrap.NewID, Now: time.Now, Timeouts: t, Observe: observeBank, Expiring: observeExpiring,
		Secrets: bankSecrets{secretsmanager.NewFromConfig(c.Config), "aviso/" + string(stage) + "/banks/"},
	})
}

// bankSecrets is where the certificates lie with which banks know us. A provider
// names its secrets without the prefix, so that it is the same in every
// environment and can name no other secret.
type bankSecrets struct {
	reader keyring.SecretReader
	prefix string
}

// Secret is xs2a.Secrets's.
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

// observeBank writes one line a call to a bank.
func observeBank(ctx context.Context, c xs2a.Call) {
	slog.InfoContext(ctx, "bank call", "operation", c.Operation, "status", c.Status, "bankRequestId", c.RequestID, "milliseconds", c.Duration.Milliseconds())
}

// observeExpiring warns of a certificate that has to be replaced. The metric is
// there only while one has, so that any value of it is an alarm.
func observeExpiring(ctx context.Context, secret string, left time.Duration) {
	slog.LogAttrs(ctx, slog.LevelWarn, "certificate expires", slog.String("secret", secret), slog.String("Certificate", "bank"),
		slog.Int("CertificateDaysLeft", int(left/(24*time.Hour))),
		metric.EMF(time.Now(), []string{"Certificate"}, metric.Def{Name: "CertificateDaysLeft", Unit: "Count"}))
}

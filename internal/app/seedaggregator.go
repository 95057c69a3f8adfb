package app

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager/types"
	"github.com/google/uuid"

	"aviso/internal/app/bankclient"
	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"
	"aviso/internal/pfm"
	"aviso/internal/pfm/enablebanking"
	"aviso/internal/sandbox/aggregator"
	"aviso/internal/sandbox/sandboxdb"
)

// aggregatorSecret is the name of the secret for the sandbox's aggregator, as providers
// name it.
const aggregatorSecret = "sandbox-aggregator"

// aggregatorKey is the content of the secret.
type aggregatorKey struct {
	ApplicationID string `json:"applicationId"`
	PrivateKey    string `json:"privateKey"`
}

// seedAggregator registers our application with the sandbox's aggregator. It makes a key
// the first time.
func seedAggregator(ctx context.Context, c bootstrap.Clients, table, baseURL string) error {
	key, err := localKey(ctx, secretsmanager.NewFromConfig(c.Config))
	if err != nil {
		return fmt.Errorf("seed aggregator's key: %w", err)
	}
	block, _ := pem.Decode([]byte(key.PrivateKey))
	if block == nil {
		return errors.New("seed aggregator's key: the secret has no key")
	}
	private, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		return fmt.Errorf("seed aggregator's key: %w", err)
	}
	public, err := x509.MarshalPKIXPublicKey(private.Public())
	if err != nil {
		return fmt.Errorf("seed aggregator's key: %w", err)
	}
	return aggregator.Register(ctx, sandboxdb.New(c.Dynamo, table, time.Now), aggregator.Application{
		ID: key.ApplicationID, PublicKey: public, RedirectURLs: []string{baseURL + "/connect/callback"},
		Registered: time.Now(),
	})
}

// localKey reads the secret, or creates it.
func localKey(ctx context.Context, client *secretsmanager.Client) (aggregatorKey, error) {
	var key aggregatorKey
	name := bankclient.SecretPrefix(config.Local) + aggregatorSecret
	found, err := client.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &name})
	if err == nil {
		err = json.Unmarshal([]byte(aws.ToString(found.SecretString)), &key)
		return key, err
	}
	if _, missing := errors.AsType[*types.ResourceNotFoundException](err); !missing {
		return key, err
	}
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return key, err
	}
	key = aggregatorKey{uuid.NewString(), string(pem.EncodeToMemory(
		&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(private)}))}
	text, err := json.Marshal(key) //nolint:gosec // it becomes a secret
	if err != nil {
		return key, err
	}
	_, err = client.CreateSecret(ctx, &secretsmanager.CreateSecretInput{Name: &name, SecretString: new(string(text))})
	return key, err
}

// aggregatorProvider returns one of the banks of the sandbox's aggregator of a stack. The
// others come with the operator's command import-aspsps.
func aggregatorProvider(baseURL string) pfm.Provider {
	bank := aggregator.ASPSPs()[0]
	p, ok := enablebanking.ASPSP{
		Name: bank.Name, Country: bank.Country, Logo: baseURL + aggregator.LogoPath, PSUTypes: []string{"personal"},
		ConsentSeconds: bank.ConsentDays * 24 * 60 * 60, PSUHeaders: bank.PSUHeaders,
	}.Provider(baseURL+aggregator.Path, aggregatorSecret)
	if !ok {
		panic("app: the sandbox's bank is not a provider") // it is part of the program
	}
	return p
}

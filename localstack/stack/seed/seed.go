// Package seed fills the local stack, and has the sandbox's providers and terms for operators.
package seed

import (
	"bytes"
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
	"golang.org/x/sync/errgroup"

	"aviso/internal/app/bankclient"
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/operatorfn"
	"aviso/internal/aws/config"

	"aviso/internal/cancellation/catalogue"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
	"aviso/internal/pfm/enablebanking"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/sandbox"
	"aviso/internal/sandbox/aggregator"
	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/sandboxdb"
)

// Local fills the local stack: two partners with known secrets, a user, the terms, the sandbox banks as providers,
// our key at the sandbox's aggregator, and the sandbox's organizations. A second run restores this state and changes
// nothing else. It fails on other stages.
func Local(ctx context.Context, env config.Env, baseURL string) error {
	r := config.NewReader(env)
	stage := r.Stage()
	identityTable, pfmTable := r.Required("IDENTITY_TABLE"), r.Required("PFM_TABLE")
	outboxTable, cancellationTable := r.Required("OUTBOX_TABLE"), r.Required("CANCELLATION_TABLE")
	sandboxTable := r.Required("SANDBOX_TABLE")
	c, err := bootstrap.NewClients(ctx, env, r)
	if err != nil {
		return err
	}
	if stage != config.Local {
		return fmt.Errorf("seed: not allowed in stage %s, because the seed's secrets are public", stage)
	}
	people := identitydb.New(c.Dynamo, identityTable)
	if err := Partners(ctx, people, baseURL); err != nil {
		return err
	}
	for _, t := range Terms(baseURL) {
		// identity.Agreements rejects addresses without TLS.
		if err := people.PublishTerms(ctx, t); err != nil {
			return fmt.Errorf("seed terms: %w", err)
		}
	}
	if err := seedUser(ctx, people, Terms(baseURL)); err != nil {
		return err
	}
	if err := seedAggregator(ctx, c, sandboxTable, baseURL); err != nil {
		return err
	}
	// Seeding takes most of a start.
	var seeding errgroup.Group
	seeding.Go(func() error {
		return seedProviders(ctx, pfmdb.New(c.Dynamo, pfmTable, outboxTable, time.Now, bootstrap.NewID), baseURL)
	})
	seeding.Go(func() error {
		return seedCatalogue(ctx, operatorfn.NewImporter(c.Dynamo, cancellationTable, outboxTable))
	})
	return seeding.Wait()
}

func seedProviders(ctx context.Context, store *pfmdb.Store, baseURL string) error {
	for _, p := range append(Providers(baseURL), aggregatorProvider(baseURL)) {
		if err := store.PutProvider(ctx, p); err != nil {
			return fmt.Errorf("seed provider %s: %w", p.Name, err)
		}
	}
	return nil
}

func seedCatalogue(ctx context.Context, importer *catalogue.Importer) error {
	catalogue := bytes.NewReader(sandbox.Catalogue())
	if _, err := operatorfn.ImportCatalogue(ctx, importer, catalogue, false, func(int, int) {}); err != nil {
		return fmt.Errorf("seed catalogue: %w", err)
	}
	return nil
}

// Terms returns the sandbox's terms for a stack.
func Terms(baseURL string) (all []identity.Terms) {
	types := map[string]identity.TermsType{
		"operator": identity.TermsOperator, "banking-supplier": identity.TermsBankingSupplier,
		"cancellation-provider": identity.TermsCancellationProvider,
	}
	for _, d := range sandbox.TermsInForce() {
		all = append(all, identity.Terms{Type: types[d.Slug], Version: d.Version, URL: baseURL + d.Path()})
	}
	return all
}

// Partners registers the local partners, whose secrets are public.
func Partners(ctx context.Context, store *identitydb.Store, baseURL string) error {
	for _, p := range sandbox.LocalPartners() {
		err := store.PutPartner(ctx, identity.Partner{
			ID: owner.PartnerID(p.ID), Name: "Sandbox partner " + p.ID, DisplayName: p.Name, Scopes: identity.Scopes(),
			AlertEmail: p.AlertEmail, Secrets: []identity.ClientSecret{{Hash: identity.HashSecret(p.Secret)}},
			ReturnURLs: []string{"http://localhost:8080/", "http://localhost:8090/", "https://partner.example/", baseURL + "/app/"},
		})
		if err != nil {
			return fmt.Errorf("seed partner %s: %w", p.ID, err)
		}
	}
	return nil
}

// exampleUser is the user of the document's examples, so that they can be called.
const exampleUser = "1b4e28ba-2fa1-4d1e-883f-0016d3cca427"

// seedUser creates the user of the document's examples, with accepted terms, unless the user exists or was erased.
func seedUser(ctx context.Context, store *identitydb.Store, all []identity.Terms) error {
	partner := owner.PartnerID(sandbox.LocalPartners()[0].ID)
	user := identity.User{
		Owner: owner.User{Partner: partner, ID: exampleUser}, ExternalID: "customer-4711",
		CountryCode: "DE", LanguageCode: "de", CreatedAt: time.Now(),
	}
	if err := store.CreateUser(ctx, user, nil); err != nil && !errors.Is(err, outcome.ErrChanged) {
		return fmt.Errorf("seed user: %w", err)
	}
	for _, t := range all {
		acceptance := identity.TermsAcceptance{Type: t.Type, Version: t.Version, AcceptedAt: time.Now()}
		if err := store.Accept(ctx, user.Owner, acceptance, nil); err != nil && !errors.Is(err, outcome.ErrChanged) {
			return fmt.Errorf("seed user's acceptance of %s: %w", t.Type, err)
		}
	}
	return nil
}

// Providers returns the sandbox's banks as providers for a stack.
func Providers(baseURL string) (all []pfm.Provider) {
	for _, b := range bank.Catalogue() {
		all = append(all, provider(b, baseURL))
	}
	return all
}

func provider(b bank.Bank, baseURL string) pfm.Provider {
	p := pfm.Provider{
		ID: b.ID, CountryCode: b.CountryCode, Name: b.Name, LogoURL: baseURL + b.LogoPath(),
		Status: pfm.ProviderStatus(b.Status), Timezone: b.Timezone, Regulated: b.Regulated,
		RefreshTimeoutMinutes: b.RefreshTimeoutMinutes, MaxConsentDays: b.MaxConsentDays,
		MaxFetchInterval: b.MaxFetchInterval, AutomaticFetch: b.AutomaticFetch, Meta: b.Meta,
		Endpoint: pfm.BankEndpoint{BaseURL: baseURL + "/sandbox/banks/" + b.Slug},
	}
	if metadata := b.MetadataPath(); metadata != "" {
		p.Endpoint.SCA = pfm.SCA{ClientID: bank.ClientID, TokenFirst: b.WantsTokenFirst()}
		if b.WantsTokenFirst() { // the others link to it
			p.Endpoint.SCA.MetadataURL = baseURL + metadata
		}
	}
	for _, t := range b.SupportedAccountTypes {
		p.SupportedAccountTypes = append(p.SupportedAccountTypes, pfm.AccountType(t))
	}
	return p
}

// aggregatorSecret is the name of the secret for the sandbox's aggregator, as in providers.
const aggregatorSecret = "sandbox-aggregator"

// aggregatorKey is the content of the secret.
type aggregatorKey struct {
	ApplicationID string `json:"applicationId"`
	PrivateKey    string `json:"privateKey"`
}

// seedAggregator registers our application with the sandbox's aggregator. The first time it also creates a key.
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
	text, err := json.Marshal(key)
	if err != nil {
		return key, err
	}
	_, err = client.CreateSecret(ctx, &secretsmanager.CreateSecretInput{Name: &name, SecretString: new(string(text))})
	return key, err
}

// aggregatorProvider returns one bank of the sandbox's aggregator. The operator's command import-aspsps adds the
// others.
func aggregatorProvider(baseURL string) pfm.Provider {
	var listed bankwire.Object
	text, err := json.Marshal(aggregator.List(baseURL)[0])
	if err == nil {
		err = json.Unmarshal(text, &listed)
	}
	p, ok := enablebanking.Provider(listed, baseURL+aggregator.Path, aggregatorSecret)
	if err != nil || !ok {
		panic("seed: the sandbox's bank is not a provider") // the provider is a constant of this program
	}
	return p
}

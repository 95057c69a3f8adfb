package carrier

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"aviso/internal/aws/config"
	"aviso/internal/cancellation"
	"aviso/internal/observe"
	"aviso/internal/secret/keyring"
)

// The carriers' URLs.
const (
	pingenURL         = "https://api.pingen.com"
	pingenIdentityURL = "https://identity.pingen.com"
	sinchURL          = "https://fax.api.sinch.com/v3"
)

// Settings selects the letter carriers of this environment and our credentials for them.
type Settings struct {
	Stage config.Stage
	// MailFrom is empty if no email is sent.
	MailFrom, ConfigurationSet string
	// ReplyAddress is the operator's mailbox for answers; empty for none.
	ReplyAddress string
	// SandboxSecret is the root of the sandbox's credentials; empty in production.
	SandboxSecret         string
	postSecret, faxSecret string
	now                   func() time.Time
}

// ReadSettings reads the settings.
func ReadSettings(r *config.Reader, now func() time.Time) Settings {
	s := Settings{
		now: now, Stage: r.Stage(), MailFrom: r.Optional("MAIL_FROM", ""), ReplyAddress: r.Optional("REPLY_ADDRESS", ""),
		postSecret: r.Optional("POST_CREDENTIALS", ""), faxSecret: r.Optional("FAX_CREDENTIALS", ""),
	}
	if s.MailFrom != "" {
		s.ConfigurationSet = r.Required("MAIL_CONFIGURATION_SET")
	}
	if s.Stage != config.Production {
		s.SandboxSecret = r.Required("CARRIER_SECRET")
	}
	return s
}

// Accounts has our accounts with the carriers of paper letters and faxes. A nil account turns its channel off.
type Accounts struct {
	Post *PostOptions
	Fax  *FaxOptions
	// Sandbox is nil in production, where mail reaches people and clocks cannot be moved.
	Sandbox *SandboxOptions
}

// Accounts reads the configured credentials. Outside production, a carrier without credentials is the sandbox's at
// baseURL.
func (s Settings) Accounts(ctx context.Context, secrets keyring.SecretReader, baseURL string) (Accounts, error) {
	var a Accounts
	common := Common{Now: s.now}
	if s.Stage != config.Production {
		root, err := keyring.Load(ctx, secrets, s.SandboxSecret)
		if err != nil {
			return a, fmt.Errorf("carrier secret: %w", err)
		}
		sandbox, err := keyring.DeriveCarriers(root)
		if err != nil {
			return a, err
		}
		a.Sandbox = &SandboxOptions{
			Common: common, BaseURL: baseURL + "/sandbox", Token: observe.Secret(sandbox.MailToken),
		}
		a.Post = &PostOptions{
			Common: common, BaseURL: baseURL + "/sandbox/post", IdentityURL: baseURL + "/sandbox/post/identity",
			OrganisationID: sandbox.PostOrganisationID,
			ClientID:       sandbox.PostClientID, ClientSecret: observe.Secret(sandbox.PostClientSecret),
			WebhookSecret: observe.Secret(sandbox.PostWebhookSecret),
			ReturnAddress: cancellation.PostalAddress{
				Recipient: []string{"Aviso"}, Street: "Musterweg 1", PostalCode: "10115", City: "Berlin",
				CountryCode: "DE",
			},
		}
		a.Fax = &FaxOptions{
			Common: common, BaseURL: baseURL + "/sandbox/fax/v3", ProjectID: sandbox.FaxProjectID,
			KeyID: sandbox.FaxKeyID, KeySecret: observe.Secret(sandbox.FaxKeySecret),
			CallbackBaseURL: baseURL, CallbackSecret: observe.Secret(sandbox.FaxCallbackSecret),
		}
	}
	if s.postSecret != "" {
		a.Post = &PostOptions{Common: common, BaseURL: pingenURL, IdentityURL: pingenIdentityURL}
		if err := readCredentials(ctx, secrets, s.postSecret, a.Post); err != nil {
			return a, fmt.Errorf("post credentials: %w", err)
		}
	}
	if s.faxSecret != "" {
		a.Fax = &FaxOptions{Common: common, BaseURL: sinchURL, CallbackBaseURL: baseURL}
		if err := readCredentials(ctx, secrets, s.faxSecret, a.Fax); err != nil {
			return a, fmt.Errorf("fax credentials: %w", err)
		}
	}
	return a, nil
}

// readCredentials reads a secret that an operator has entered as a JSON object.
func readCredentials(ctx context.Context, secrets keyring.SecretReader, id string, into any) error {
	out, err := secrets.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &id})
	if err != nil {
		return fmt.Errorf("read secret: %w", err)
	}
	if out.SecretString == nil || json.Unmarshal([]byte(*out.SecretString), into) != nil {
		return errors.New("read secret: it is not a JSON object of the expected shape")
	}
	return nil
}

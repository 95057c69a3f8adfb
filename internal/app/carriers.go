package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/carrier"
	"aviso/internal/cancellation/carrier/sesmail"
	"aviso/internal/config"
	"aviso/internal/keyring"
)

// The carriers' own addresses.
const (
	pingenURL         = "https://api.pingen.com"
	pingenIdentityURL = "https://identity.pingen.com"
	sinchURL          = "https://fax.api.sinch.com/v3"
)

// simulator takes all mail of the environments in which nobody is to be written
// to: SES's own mailbox for tests.
const simulator = "success@simulator.amazonses.com"

// carrierSettings say how to reach the carriers of letters.
type carrierSettings struct {
	stage                                config.Stage
	mailFrom, configurationSet           string
	postSecret, faxSecret, sandboxSecret string
}

func readCarrierSettings(r *config.Reader) carrierSettings {
	s := carrierSettings{
		stage: r.Stage(), mailFrom: r.Optional("MAIL_FROM", ""), postSecret: r.Optional("POST_CREDENTIALS", ""), faxSecret: r.Optional("FAX_CREDENTIALS", ""),
	}
	if s.mailFrom != "" {
		s.configurationSet = r.Required("MAIL_CONFIGURATION_SET")
	}
	if s.stage != config.Production {
		s.sandboxSecret = r.Required("CARRIER_SECRET")
	}
	return s
}

// carrierAccounts are how the carriers of paper and faxes know us; nil where a
// channel is off.
type carrierAccounts struct {
	post *carrier.PostOptions
	fax  *carrier.FaxOptions
}

// accounts reads the credentials that are set up; where none are and this is not
// production, those of the sandbox's carriers at baseURL.
func (s carrierSettings) accounts(ctx context.Context, secrets keyring.SecretReader, baseURL string) (carrierAccounts, error) {
	var a carrierAccounts
	common := carrier.Common{Now: time.Now, Observe: observeCarrier}
	if s.stage != config.Production {
		root, err := keyring.Load(ctx, secrets, s.sandboxSecret)
		if err != nil {
			return a, fmt.Errorf("carrier secret: %w", err)
		}
		sandbox, err := sandboxCarrierCredentials(root)
		if err != nil {
			return a, err
		}
		a.post = &carrier.PostOptions{
			Common: common, BaseURL: baseURL + "/sandbox/post", IdentityURL: baseURL + "/sandbox/post/identity", OrganisationID: sandbox.PostOrganisationID,
			ClientID: sandbox.PostClientID, ClientSecret: carrier.Secret(sandbox.PostClientSecret), WebhookSecret: carrier.Secret(sandbox.PostWebhookSecret),
			ReturnAddress: cancellation.PostalAddress{Recipient: []string{"Aviso"}, Street: "Musterweg 1", PostalCode: "10115", City: "Berlin", CountryCode: "DE"},
		}
		a.fax = &carrier.FaxOptions{
			Common: common, BaseURL: baseURL + "/sandbox/fax/v3", ProjectID: sandbox.FaxProjectID, KeyID: sandbox.FaxKeyID,
			KeySecret: carrier.Secret(sandbox.FaxKeySecret), CallbackBaseURL: baseURL, CallbackSecret: carrier.Secret(sandbox.FaxCallbackSecret),
		}
	}
	if s.postSecret != "" {
		var c struct {
			OrganisationID, ClientID, ClientSecret, WebhookSecret, PreviousWebhookSecret string
			ReturnAddress                                                                cancellation.PostalAddress
		}
		if err := readCredentials(ctx, secrets, s.postSecret, &c); err != nil {
			return a, fmt.Errorf("post credentials: %w", err)
		}
		a.post = &carrier.PostOptions{
			Common: common, BaseURL: pingenURL, IdentityURL: pingenIdentityURL, OrganisationID: c.OrganisationID,
			ClientID: c.ClientID, ClientSecret: carrier.Secret(c.ClientSecret), WebhookSecret: carrier.Secret(c.WebhookSecret),
			PreviousWebhookSecret: carrier.Secret(c.PreviousWebhookSecret), ReturnAddress: c.ReturnAddress,
		}
	}
	if s.faxSecret != "" {
		var c struct{ ProjectID, KeyID, KeySecret, CallbackSecret, PreviousCallbackSecret, ServiceID, From string }
		if err := readCredentials(ctx, secrets, s.faxSecret, &c); err != nil {
			return a, fmt.Errorf("fax credentials: %w", err)
		}
		a.fax = &carrier.FaxOptions{
			Common: common, BaseURL: sinchURL, ProjectID: c.ProjectID, KeyID: c.KeyID, KeySecret: carrier.Secret(c.KeySecret),
			ServiceID: c.ServiceID, From: c.From, CallbackBaseURL: baseURL, CallbackSecret: carrier.Secret(c.CallbackSecret),
			PreviousCallbackSecret: carrier.Secret(c.PreviousCallbackSecret),
		}
	}
	return a, nil
}

// carriers are all that letters can go by here.
func (s carrierSettings) carriers(ctx context.Context, c clients, secrets keyring.SecretReader, baseURL string) (map[cancellation.ChannelKind]cancellation.Carrier, map[cancellation.ChannelKind]cancellation.CarrierEraser, error) {
	accounts, err := s.accounts(ctx, secrets, baseURL)
	if err != nil {
		return nil, nil, err
	}
	carriers, erasers := map[cancellation.ChannelKind]cancellation.Carrier{}, map[cancellation.ChannelKind]cancellation.CarrierEraser{}
	if s.mailFrom != "" {
		email, err := carrier.NewEmail(carrier.EmailOptions{
			SES: sesmail.New(sesv2.NewFromConfig(c.config)), From: s.mailFrom, ConfigurationSet: s.configurationSet, Redirect: s.redirect(), Now: time.Now, Observe: observeCarrier,
		})
		if err != nil {
			return nil, nil, err
		}
		carriers[cancellation.ChannelEmail] = email
	}
	if accounts.post != nil {
		post, err := carrier.NewPost(*accounts.post)
		if err != nil {
			return nil, nil, err
		}
		for _, kind := range []cancellation.ChannelKind{cancellation.ChannelMail, cancellation.ChannelRegisteredMail} {
			carriers[kind], erasers[kind] = post, post
		}
	}
	if accounts.fax != nil {
		fax, err := carrier.NewFax(*accounts.fax)
		if err != nil {
			return nil, nil, err
		}
		carriers[cancellation.ChannelFax], erasers[cancellation.ChannelFax] = fax, fax
	}
	return carriers, erasers, nil
}

// redirect is who gets the mail of environments that write to nobody. On a
// developer's machine no mail leaves the emulator.
func (s carrierSettings) redirect() string {
	if s.stage == config.Test || s.stage == config.Acceptance {
		return simulator
	}
	return ""
}

// readCredentials reads a secret that operators have entered as a JSON object.
func readCredentials(ctx context.Context, secrets keyring.SecretReader, id string, into any) error {
	out, err := secrets.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &id})
	if err != nil {
		return fmt.Errorf("read secret: %w", err)
	}
	if out.SecretString == nil || json.Unmarshal([]byte(*out.SecretString), into) != nil {
		return errors.New("read secret: it is not the JSON object that it should be")
	}
	return nil
}

// observeCarrier writes one line a call to a carrier.
func observeCarrier(ctx context.Context, c carrier.Call) {
	slog.InfoContext(ctx, "carrier call", "operation", c.Operation, "status", c.Status, "milliseconds", c.Duration.Milliseconds())
}

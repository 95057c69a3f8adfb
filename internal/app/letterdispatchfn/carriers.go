package letterdispatchfn

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/carrier"
	"aviso/internal/cancellation/carrier/sesmail"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/secret/keyring"
)

// simulator is SES's mailbox for tests. It gets all email of the environments that
// must not write to anybody.
const simulator = "success@simulator.amazonses.com"

// newCarriers returns the carriers of all enabled channels.
func newCarriers(
	ctx context.Context, c bootstrap.Clients, secrets keyring.SecretReader, s carrier.Settings, baseURL string,
) (map[cancellation.ChannelKind]dispatch.Carrier, map[cancellation.ChannelKind]dispatch.CarrierEraser, error) {
	accounts, err := s.Accounts(ctx, secrets, baseURL)
	if err != nil {
		return nil, nil, err
	}
	carriers := map[cancellation.ChannelKind]dispatch.Carrier{}
	erasers := map[cancellation.ChannelKind]dispatch.CarrierEraser{}
	if s.MailFrom != "" {
		email, err := carrier.NewEmail(carrier.EmailOptions{
			SES: sesmail.New(sesv2.NewFromConfig(c.Config)), From: s.MailFrom, ConfigurationSet: s.ConfigurationSet,
			Redirect: redirect(s.Stage), ReplyTo: s.ReplyAddress, Now: time.Now,
		})
		if err != nil {
			return nil, nil, err
		}
		carriers[cancellation.ChannelEmail] = email
		if accounts.Sandbox != nil {
			copied := carrier.NewMailCopy(email, *accounts.Sandbox)
			carriers[cancellation.ChannelEmail], erasers[cancellation.ChannelEmail] = copied, copied
		}
	}
	if accounts.Post != nil {
		post, err := carrier.NewPost(*accounts.Post)
		if err != nil {
			return nil, nil, err
		}
		for _, kind := range []cancellation.ChannelKind{cancellation.ChannelMail, cancellation.ChannelRegisteredMail} {
			carriers[kind], erasers[kind] = post, post
		}
	}
	if accounts.Fax != nil {
		fax, err := carrier.NewFax(*accounts.Fax)
		if err != nil {
			return nil, nil, err
		}
		carriers[cancellation.ChannelFax], erasers[cancellation.ChannelFax] = fax, fax
	}
	return carriers, erasers, nil
}

// redirect returns the address that gets all email of an environment that must not
// write to anybody, or "". On a developer's machine no email leaves the emulator.
func redirect(stage config.Stage) string {
	if stage == config.Test || stage == config.Acceptance {
		return simulator
	}
	return ""
}

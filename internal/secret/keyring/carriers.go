package keyring

import (
	"encoding/hex"
)

// Carriers authenticate the service and the sandbox's carriers to each other.
// Nobody has to create or exchange them: both sides derive them from one root.
type Carriers struct {
	PostClientID, PostClientSecret string
	// PostOrganisationID is a UUID, the same in every environment.
	PostOrganisationID string
	// PostWebhookSecret signs the post office's webhooks.
	PostWebhookSecret      string
	FaxProjectID           string
	FaxKeyID, FaxKeySecret string
	// FaxCallbackSecret is part of the path of the fax gateway's callbacks, because
	// they are not signed.
	FaxCallbackSecret string
	// ReplyToken lets the sandbox answer for organizations.
	ReplyToken string
	// MailToken lets letter-dispatch give the sandbox copies of mail, and a user's clock move the
	// time of letters there.
	MailToken string
	// SessionKey signs the sessions of the sandbox's visitors.
	SessionKey string
}

// The sandbox's only organisation and project: the UUIDs (version 5) of
// https://aviso.example/sandbox/post and …/fax in the namespace of addresses.
const (
	sandboxOrganisation = "a72dd1c9-0457-5e82-8dab-d578a21308e0"
	sandboxProject      = "0a6dc818-a0d1-56ca-907b-8cd12f39db74"
)

// DeriveCarriers derives the credentials from the root CarrierSecret. It derives IDs too, so
// that they differ between environments.
func DeriveCarriers(root Root) (Carriers, error) {
	c := Carriers{PostOrganisationID: sandboxOrganisation, FaxProjectID: sandboxProject}
	for _, d := range []struct {
		into    *string
		purpose string
		bytes   int
	}{
		{&c.PostClientID, "carrier/post-client-id", 10},
		{&c.PostClientSecret, "carrier/post-client-secret", 32},
		{&c.PostWebhookSecret, "carrier/post-webhook", 32},
		{&c.FaxKeyID, "carrier/fax-key-id", 10},
		{&c.FaxKeySecret, "carrier/fax-key-secret", 32},
		{&c.FaxCallbackSecret, "carrier/fax-callback", 32},
		{&c.ReplyToken, "carrier/replies", 32},
		{&c.MailToken, "sandbox/mail", 32},
		{&c.SessionKey, "sandbox/sessions", 32},
	} {
		key, err := Derive(root.Current, d.purpose, d.bytes)
		if err != nil {
			return Carriers{}, err
		}
		*d.into = hex.EncodeToString(key)
	}
	return c, nil
}

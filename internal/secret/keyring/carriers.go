package keyring

import (
	"encoding/hex"
	"errors"
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
	// ReplyToken lets the sandbox answer on behalf of organizations.
	ReplyToken string
	// MailToken lets letter-dispatch send copies of mail to the sandbox, and lets a user's clock move the time of
	// letters there.
	MailToken string
	// SessionKey signs the sessions of the sandbox's visitors.
	SessionKey string
}

// The sandbox's only organisation and project. They are the UUIDs (version 5) of https://aviso.example/sandbox/post
// and …/fax in the URL namespace.
const (
	sandboxOrganisation = "a72dd1c9-0457-5e82-8dab-d578a21308e0"
	sandboxProject      = "0a6dc818-a0d1-56ca-907b-8cd12f39db74"
)

// DeriveCarriers derives the credentials from the root CarrierSecret. It derives IDs too, so
// that they differ between environments.
func DeriveCarriers(root Root) (Carriers, error) {
	var failed error
	derive := func(purpose string, n int) string {
		key, err := Derive(root.Current, purpose, n)
		failed = errors.Join(failed, err)
		return hex.EncodeToString(key)
	}
	c := Carriers{
		PostOrganisationID: sandboxOrganisation,
		PostClientID:       derive("carrier/post-client-id", 10),
		PostClientSecret:   derive("carrier/post-client-secret", 32),
		PostWebhookSecret:  derive("carrier/post-webhook", 32),
		FaxProjectID:       sandboxProject,
		FaxKeyID:           derive("carrier/fax-key-id", 10),
		FaxKeySecret:       derive("carrier/fax-key-secret", 32),
		FaxCallbackSecret:  derive("carrier/fax-callback", 32),
		ReplyToken:         derive("carrier/replies", 32),
		MailToken:          derive("sandbox/mail", 32),
		SessionKey:         derive("sandbox/sessions", 32),
	}
	return c, failed
}

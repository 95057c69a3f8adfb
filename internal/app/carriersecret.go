package app

import (
	"encoding/hex"

	"aviso/internal/keyring"
)

// carrierCredentials are what the sandbox's carriers and the service know each
// other by.
type carrierCredentials struct {
	PostOrganisationID, PostClientID, PostClientSecret, PostWebhookSecret string
	FaxProjectID, FaxKeyID, FaxKeySecret, FaxCallbackSecret               string
	// ReplyToken lets the sandbox answer for organizations.
	ReplyToken string
}

// sandboxCarrierCredentials derives them, so that both sides have the same
// without a word between them.
func sandboxCarrierCredentials(root keyring.Root) (carrierCredentials, error) {
	c := carrierCredentials{
		PostOrganisationID: "6a1f0b52-93c4-4d0e-8c57-2f1d9e7b3a10", PostClientID: "sandbox-post",
		FaxProjectID: "c2d4e8f1-5b7a-4c39-9e60-71a8d3f5b204", FaxKeyID: "sandbox-fax",
	}
	for purpose, into := range map[string]*string{
		"sandbox/post/client": &c.PostClientSecret, "sandbox/post/webhook": &c.PostWebhookSecret,
		"sandbox/fax/key": &c.FaxKeySecret, "sandbox/fax/callback": &c.FaxCallbackSecret, "sandbox/replies": &c.ReplyToken,
	} {
		key, err := keyring.Derive(root.Current, purpose, 32)
		if err != nil {
			return carrierCredentials{}, err
		}
		*into = hex.EncodeToString(key)
	}
	return c, nil
}

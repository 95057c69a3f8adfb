package keyring

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCarrierCredentials(t *testing.T) {
	one, err := DeriveCarriers(Root{Current: "0123456789abcdef0123456789abcdef"})
	require.NoError(t, err)
	again, err := DeriveCarriers(Root{Current: "0123456789abcdef0123456789abcdef"})
	require.NoError(t, err)
	assert.Equal(t, one, again, "both sides derive the same")
	other, err := DeriveCarriers(Root{Current: "another456789abcdef0123456789abcdef"})
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, c := range []Carriers{one, other} {
		for _, secret := range []string{c.PostClientID, c.PostClientSecret, c.PostWebhookSecret, c.FaxKeyID,
			c.FaxKeySecret, c.FaxCallbackSecret, c.ReplyToken, c.MailToken, c.SessionKey} {
			assert.GreaterOrEqual(t, len(secret), 20)
			assert.False(t, seen[secret], "all are different")
			seen[secret] = true
		}
	}
}

package webhook

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"aviso/internal/notification"
)

// errKey says nothing about the key itself, so that no key leaks.
var errKey = errors.New("a signing key is missing or malformed")

// Sign sets the headers of the Standard Webhooks specification. Each key makes a signature, so that receivers may use
// the old or the new key during a rotation.
func Sign(h http.Header, c notification.Call) error {
	signatures := make([]string, 0, len(c.Keys))
	for _, k := range c.Keys {
		signer, err := standardwebhooks.NewWebhook(string(k))
		if err != nil || k == "" {
			return errKey
		}
		signature, err := signer.Sign(c.EventID, c.At.Time(), c.Body)
		if err != nil {
			return errKey
		}
		signatures = append(signatures, signature)
	}
	if len(signatures) == 0 {
		return errKey
	}
	h.Set(standardwebhooks.HeaderWebhookID, c.EventID)
	h.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(c.At.Time().Unix(), 10))
	h.Set(standardwebhooks.HeaderWebhookSignature, strings.Join(signatures, " "))
	return nil
}

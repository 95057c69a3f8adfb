package listen

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	aviso "aviso.example/client"
)

// verifier checks signatures with any of several keys.
type verifier []string

// newVerifier parses keys separated by spaces. Its errors never repeat a key.
func newVerifier(keys string) (verifier, error) {
	v := verifier(strings.Fields(keys))
	for i, k := range v {
		secret, found := strings.CutPrefix(k, "whsec_")
		if key, err := base64.StdEncoding.DecodeString(secret); !found || err != nil || len(key) == 0 {
			return nil, fmt.Errorf("key %d is invalid: it must be whsec_ followed by base64", i+1)
		}
	}
	if len(v) == 0 {
		return nil, errors.New("no key given")
	}
	return v, nil
}

// verify reports whether the callback is genuine, and with which key, or why not.
func (v verifier) verify(body []byte, header http.Header) (bool, string) {
	var refusal *aviso.WebhookVerificationError
	for i, k := range v {
		_, err := aviso.Verify(body, header, k)
		if errors.As(err, &refusal) && refusal.Reason != aviso.ReasonPayloadInvalid {
			continue
		}
		// Any other error is about what the genuine body says, which is shown anyway.
		if len(v) > 1 {
			return true, fmt.Sprintf("verified with key %d of %d", i+1, len(v))
		}
		return true, "verified"
	}
	return false, "NOT verified: " + reason(refusal)
}

func reason(refusal *aviso.WebhookVerificationError) string {
	text := strings.TrimPrefix(refusal.Error(), "aviso: ")
	switch refusal.Reason {
	case aviso.ReasonTimestampTooOld:
		text += ", or this machine's clock is ahead"
	case aviso.ReasonTimestampTooNew:
		text += ", or this machine's clock is behind"
	}
	return text
}

// sign returns the headers that the service sends with a callback, for a receiver that verifies
// it: an attempt has no signature.
func sign(eventID string, body []byte, key string, at time.Time) http.Header {
	secret, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(key, "whsec_")) // it came from the service
	timestamp := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.%s.%s", eventID, timestamp, body)
	return http.Header{
		"Content-Type": {"application/json"}, "User-Agent": {"Aviso"}, "Webhook-Id": {eventID}, "Webhook-Timestamp": {timestamp},
		"Webhook-Signature": {"v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))},
	}
}

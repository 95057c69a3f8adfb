package main

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// verifier checks signatures with any of several keys.
type verifier []*standardwebhooks.Webhook

// newVerifier parses keys separated by spaces. Its errors never repeat a key.
func newVerifier(keys string) (verifier, error) {
	var v verifier
	for i, k := range strings.Fields(keys) {
		w, err := standardwebhooks.NewWebhook(k)
		if err != nil || k == "whsec_" {
			return nil, fmt.Errorf("key %d is invalid: it must be whsec_ followed by base64", i+1)
		}
		v = append(v, w)
	}
	if len(v) == 0 {
		return nil, errors.New("no key given")
	}
	return v, nil
}

// verify reports whether the callback is genuine, and with which key, or why not.
func (v verifier) verify(body []byte, header http.Header) (bool, string) {
	var err error
	for i, w := range v {
		if err = w.Verify(body, header); err == nil {
			if len(v) > 1 {
				return true, fmt.Sprintf("verified with key %d of %d", i+1, len(v))
			}
			return true, "verified"
		}
	}
	return false, "NOT verified: " + reason(err)
}

func reason(err error) string {
	switch {
	case errors.Is(err, standardwebhooks.ErrRequiredHeaders):
		return "webhook-id, webhook-timestamp or webhook-signature is missing"
	case errors.Is(err, standardwebhooks.ErrInvalidHeaders):
		return "webhook-timestamp is not a number of seconds"
	case errors.Is(err, standardwebhooks.ErrMessageTooOld):
		return "signed more than 5 minutes ago, or this machine's clock is ahead"
	case errors.Is(err, standardwebhooks.ErrMessageTooNew):
		return "signed more than 5 minutes in the future, or this machine's clock is behind"
	default:
		return "no signature matches: the key is wrong, or the body was changed on the way"
	}
}

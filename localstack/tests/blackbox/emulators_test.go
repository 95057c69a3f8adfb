package blackbox_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A partner's callback reaches neither the emulators nor what invokes functions: they ask nobody
// for a token.
func TestCallbacksDoNotReachTheEmulators(t *testing.T) {
	p := newPartner(t, "sandbox")
	for _, name := range []string{"dynamodb-endpoint", "secrets-endpoint", "lambda-endpoint", "inbox"} {
		body := map[string]any{"serverUrl": noted(t, name), "events": []string{"*"}, "description": t.Name()}
		a := p.send(t, http.MethodPost, webhookSubscriptions, body)
		assert.Equal(t, http.StatusUnprocessableEntity, a.status, "%s: %s", name, a.body)
	}
}

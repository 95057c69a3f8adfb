package sandbox_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/clock"
	"aviso/internal/notification"
	"aviso/internal/notification/webhook"
	"aviso/internal/sandbox"
	"aviso/localstack/tests/testenv"
)

func TestReceiver(t *testing.T) {
	server := httptest.NewServer(sandbox.New(sandbox.Options{
		DynamoDB: testenv.DynamoDB(t), Table: "any", Now: time.Now, Log: slog.New(slog.DiscardHandler),
	}))
	t.Cleanup(server.Close)
	t.Run("acknowledges as the service wants it", func(t *testing.T) {
		client := webhook.New(webhook.Options{Stage: config.Local, Now: time.Now})
		got := client.Call(t.Context(), notification.Call{
			URL: server.URL + sandbox.ReceiverPath, EventID: "e", At: clock.Real(time.Now()), Body: []byte(`{}`),
			Keys: []notification.Key{"whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="},
		})
		assert.Equal(t, notification.OutcomeAcknowledged, got.Outcome, got.Detail)
	})
	t.Run("is for callbacks only", func(t *testing.T) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+sandbox.ReceiverPath, http.NoBody)
		require.NoError(t, err)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, http.StatusMethodNotAllowed, resp.StatusCode)
	})
}

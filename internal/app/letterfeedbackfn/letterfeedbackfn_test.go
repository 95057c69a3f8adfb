package letterfeedbackfn

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/stack/provision"
	"aviso/localstack/stack/secrets"
	"aviso/localstack/tests/testenv"
)

// Anybody may call carriers' addresses. What they send must not use up the calls that the account has
// at Secrets Manager, or add to the bill.
func TestCallbacksReadEachSecretOnce(t *testing.T) {
	store, err := secrets.Open(filepath.Join(t.TempDir(), "secrets.json"))
	require.NoError(t, err)
	var calls atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		calls.Add(1)
		store.ServeHTTP(w, req)
	}))
	t.Cleanup(server.Close)
	client := secretsmanager.NewFromConfig(testenv.Config(server.URL))
	arns, err := provision.Secrets(t.Context(), client, testenv.Template(t))
	require.NoError(t, err)
	env := map[string]string{
		"ENVIRONMENT": "local", "BASE_URL": "https://api.example", "CARRIER_SECRET": arns["CarrierSecret"],
		"CANCELLATION_TABLE": testenv.Table(t, "CancellationTable"), "OUTBOX_TABLE": testenv.Table(t, "OutboxTable"),
		"AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
		"AWS_ENDPOINT_URL_DYNAMODB":        *testenv.DynamoDB(t).Options().BaseEndpoint,
		"AWS_ENDPOINT_URL_SECRETS_MANAGER": server.URL,
	}
	handler, err := New(t.Context(), func(name string) string { return env[name] })
	require.NoError(t, err)

	calls.Store(0)
	for range 10 {
		for _, path := range []string{
			"/carriers/v1/pingen",
			"/carriers/v1/fax/" + uuid.NewString() + "/" + uuid.NewString() + "/guessed",
		} {
			e := events.APIGatewayV2HTTPRequest{
				Version: "2.0", RawPath: path, Body: "{}", Headers: map[string]string{"signature": "00"},
			}
			e.RequestContext.HTTP.Method = http.MethodPost
			payload, err := json.Marshal(e)
			require.NoError(t, err)
			answer, err := handler.Invoke(t.Context(), payload)
			require.NoError(t, err)
			assert.Contains(t, string(answer), `"statusCode":401`, path)
		}
	}
	assert.LessOrEqual(t, calls.Load(), int64(1))
}

package consolefn

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/console/consoledb"
	"aviso/internal/console/feed"
	"aviso/internal/sandbox"
)

func TestMissingVariablesAreNamed(t *testing.T) {
	_, err := New(t.Context(), func(string) string { return "" })
	for _, name := range []string{"CONSOLE_TABLE", "IDENTITY_TABLE", "SEALING_SECRET", "WEBHOOK_SECRET"} {
		assert.ErrorContains(t, err, name)
	}
}

func TestTheExampleIsTheSeeds(t *testing.T) {
	first := sandbox.LocalPartners()[0]
	assert.Equal(t, []string{first.ID, first.Secret}, []string{localClientID, localSecret})
}

// named is a handler that returns its name.
type named string

func (n named) Invoke(context.Context, []byte) ([]byte, error) { return []byte(n), nil }

func TestOnlyRequestsReachThePages(t *testing.T) {
	h := byEvent{requests: named("pages")}
	request, err := json.Marshal(events.APIGatewayV2HTTPRequest{Version: "2.0", RawPath: "/console"})
	require.NoError(t, err)
	got, err := h.Invoke(t.Context(), request)
	require.NoError(t, err)
	assert.Equal(t, "pages", string(got))
	for _, payload := range []string{`{"something": "else"}`, `[]`} {
		_, err = h.Invoke(t.Context(), []byte(payload))
		assert.Error(t, err, payload)
	}
}

func TestStreamsAndLogsReachTheFeed(t *testing.T) {
	h := byEvent{requests: named("pages"), feed: feed.New(&consoledb.Store{}, slog.New(slog.DiscardHandler))}
	for payload, want := range map[string]string{
		`{"Records": [{"eventName": "REMOVE"}]}`: `{"batchItemFailures":[]}`, `{"awslogs": {"data": ""}}`: `{}`,
	} {
		got, err := h.Invoke(t.Context(), []byte(payload))
		require.NoError(t, err)
		assert.JSONEq(t, want, strings.ReplaceAll(string(got), "null", "[]"))
	}
}

// secrets is Secrets Manager with one secret.
type secrets string

func (s secrets) GetSecretValue(
	context.Context, *secretsmanager.GetSecretValueInput, ...func(*secretsmanager.Options),
) (*secretsmanager.GetSecretValueOutput, error) {
	return &secretsmanager.GetSecretValueOutput{SecretString: new(string(s))}, nil
}

func TestProvider(t *testing.T) {
	none, err := provider(t.Context(), secrets(""), "")
	require.NoError(t, err)
	assert.Nil(t, none)
	some, err := provider(t.Context(), secrets(`{"issuer": "https://login.example.com", "clientId": "c",
		"groups": {"g": {"partner": "p", "role": "admin"}}}`), "arn:secret")
	require.NoError(t, err)
	assert.NotNil(t, some)
	_, err = provider(t.Context(), secrets("{}"), "arn:secret")
	assert.Error(t, err)
}

package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm/bankcheck"
	"aviso/localstack/stack/seed"
)

// seeded seeds a stack whose API is at api, and returns the events that were sent.
func seeded(t *testing.T, api http.HandlerFunc) ([]map[string]any, string, error) {
	t.Helper()
	server := httptest.NewTLSServer(api)
	t.Cleanup(server.Close)
	http.DefaultClient.Transport = server.Client().Transport
	t.Cleanup(func() { http.DefaultClient.Transport = nil })
	var events []map[string]any
	err := seedSandbox(t.Context(), server.URL+"/", func(_ context.Context, text []byte) ([]byte, error) {
		var event map[string]any
		require.NoError(t, json.Unmarshal(text, &event))
		events = append(events, event)
		return []byte(`{}`), nil
	}, io.Discard)
	return events, server.URL, err
}

func TestSeedSandbox(t *testing.T) {
	events, base, err := seeded(t, func(_ http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "/sandbox/banks", r.URL.Path)
	})
	require.NoError(t, err)
	var commands []any
	for _, e := range events {
		commands = append(commands, e["command"])
	}
	assert.Equal(t, []any{"import-providers", "import-catalogue", "publish-terms", "publish-terms", "publish-terms"}, commands)
	assert.Equal(t, base+"/sandbox/terms/operator/2026-01", events[2]["url"])

	file, err := providerFile(seed.Providers(base))
	require.NoError(t, err)
	providers, err := bankcheck.ParseProviders(file, false)
	require.NoError(t, err)
	assert.Equal(t, seed.Providers(base), providers)
}

func TestSeedRefusesStacksWithoutASandbox(t *testing.T) {
	events, base, err := seeded(t, http.NotFound)
	assert.EqualError(t, err, base+" has no sandbox (404 Not Found); BASE_URL must be the address of a test or acceptance API")
	assert.Empty(t, events)
}

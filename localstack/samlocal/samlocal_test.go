package main

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"aviso/localstack/stack"
)

// around returns what the stack passes to Ready.
func around() stack.Surroundings {
	return stack.Surroundings{
		Variables: map[string]map[string]string{
			"IdentityFunction": {"BASE_URL": "http://localhost:3000", "IDENTITY_TABLE": "IdentityTable"},
			"SandboxFunction":  {"BASE_URL": "http://localhost:3000"},
		},
		AWS: map[string]string{"AWS_ENDPOINT_URL_SQS": "http://127.0.0.1:4100", "AWS_ACCESS_KEY_ID": "local"},
	}
}

func TestPrepare(t *testing.T) {
	t.Parallel()
	checkout := t.TempDir()
	s := &sam{checkout: checkout, dataDir: t.TempDir(), port: 3000}
	built := filepath.Join(checkout, ".aws-sam", "build")
	require.NoError(t, os.MkdirAll(built, 0o755))
	source, err := os.ReadFile("../../template.yaml")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(built, "template.yaml"), source, 0o600))
	require.NoError(t, s.prepare(around()))

	t.Run("every function gets its variables, and the services' addresses for containers", func(t *testing.T) {
		t.Parallel()
		raw, err := os.ReadFile(s.variables())
		require.NoError(t, err)
		var got map[string]map[string]string
		require.NoError(t, json.Unmarshal(raw, &got))
		assert.Equal(t, map[string]string{
			"BASE_URL": "http://localhost:3000", "IDENTITY_TABLE": "IdentityTable",
			"AWS_ENDPOINT_URL_SQS": "http://localhost:4100", "AWS_ACCESS_KEY_ID": "local",
		}, got["IdentityFunction"])
		assert.Len(t, got, 2)
	})

	var before, after map[string]any
	require.NoError(t, yaml.Unmarshal(source, &before))
	raw, err := os.ReadFile(s.template())
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(raw, &after))

	t.Run("the template declares them and accepts bodies of every type", func(t *testing.T) {
		t.Parallel()
		declared := object(object(object(object(after, "Globals"), "Function"), "Environment"), "Variables")
		assert.Contains(t, declared, "AWS_ENDPOINT_URL_SQS")
		assert.Contains(t, declared, "GOGC", "what it had before")
		api := object(object(object(after, "Resources"), "HttpApi"), "Properties")
		assert.Equal(t, []any{"*/*"}, object(api, "DefinitionBody")["x-amazon-apigateway-binary-media-types"])
	})

	t.Run("only the sandbox handles several requests at a time", func(t *testing.T) {
		t.Parallel()
		sandbox, there := object(before, "Resources")["SandboxFunction"]
		require.True(t, there, "the template has another name for it: %v", sandbox)
		for id := range object(after, "Resources") {
			properties := object(object(object(after, "Resources"), id), "Properties")
			assert.Equal(t, id == "SandboxFunction", properties["CapacityProviderConfig"] != nil, id)
		}
	})
}

func TestForward(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body)
	}))
	t.Cleanup(server.Close)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	from := free.Addr().String()
	require.NoError(t, free.Close())
	ctx, stop := context.WithCancel(t.Context())
	require.NoError(t, forward(ctx, from, strings.TrimPrefix(server.URL, "http://")))

	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	sent := strings.Repeat("a letter, ", 1<<17)
	res, err := client.Post("http://"+from, "text/plain", strings.NewReader(sent))
	require.NoError(t, err)
	got, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.Equal(t, sent, string(got))

	stop()
	assert.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", from)
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	}, stopWithin, stopWithin/1000, "it still listens after the end")
}

func TestATakenPortIsToldFirst(t *testing.T) {
	t.Parallel()
	other, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = other.Close() })
	s := &sam{port: other.Addr().(*net.TCPAddr).Port}
	require.ErrorContains(t, s.checkPort(), "is taken")
}

func TestPorts(t *testing.T) {
	for _, port := range []string{"8080", "9001"} {
		t.Setenv("PORT", port)
		require.ErrorContains(t, run(nil), "every sam local container listens there itself")
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	own := []net.Addr{
		&net.IPNet{
			IP:   net.IPv4(127, 0, 0, 1),
			Mask: net.CIDRMask(8, 32),
		},
		&net.IPNet{IP: net.ParseIP("fe80::1"), Mask: net.CIDRMask(64, 128)},
		&net.IPNet{IP: net.IPv4(172, 17, 0, 1), Mask: net.CIDRMask(16, 32)},
	}
	assert.Equal(t, "172.17.0.1", within("fe80::/64 172.17.0.0/16 \n", own))
	assert.Empty(t, within("192.168.65.0/24", own), "Docker in a machine of its own")
	assert.Empty(t, within("", own))
}

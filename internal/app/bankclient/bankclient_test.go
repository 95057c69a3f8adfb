package bankclient

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/app/bootstrap"
	"aviso/internal/pfm/xs2a"
	"aviso/localstack/stack/secrets"
	"aviso/localstack/tests/testenv"
)

func TestCertificatesAreReadFromSecretsManager(t *testing.T) {
	t.Parallel()
	store, err := secrets.Open(filepath.Join(t.TempDir(), "secrets.json"))
	require.NoError(t, err)
	server := httptest.NewServer(store)
	t.Cleanup(server.Close)
	client := secretsmanager.NewFromConfig(testenv.Config(server.URL))
	for name, text := range map[string]string{"aviso/test/banks/qwac": "{}", "aviso/production/banks/other": "{}"} {
		_, err := client.CreateSecret(t.Context(), &secretsmanager.CreateSecretInput{Name: &name, SecretString: &text})
		require.NoError(t, err)
	}
	of := bankSecrets{client, "aviso/test/banks/"}

	text, err := of.Secret(t.Context(), "qwac")
	require.NoError(t, err)
	assert.Equal(t, "{}", text)
	for _, name := range []string{"other", "", "aviso/production/banks/other"} {
		_, err = of.Secret(t.Context(), name)
		assert.ErrorIs(t, err, xs2a.ErrNoSecret, name)
	}
	server.Close()
	_, err = of.Secret(t.Context(), "qwac")
	require.Error(t, err)
	assert.NotErrorIs(t, err, xs2a.ErrNoSecret)
}

func TestExpiringCertificateIsAMetric(t *testing.T) { // not beside others: it takes the log
	var log bytes.Buffer
	former := slog.Default()
	bootstrap.SetUpLog(&log)
	t.Cleanup(func() { slog.SetDefault(former) })
	observeExpiring(t.Context(), "qwac", 50*time.Hour)
	var line map[string]any
	require.NoError(t, json.Unmarshal(log.Bytes(), &line))
	assert.Equal(t, "WARN", line["level"])
	assert.Equal(t, "qwac", line["secret"])
	assert.InDelta(t, 2, line["CertificateDaysLeft"], 0)
	assert.Contains(t, line, "_aws")
}

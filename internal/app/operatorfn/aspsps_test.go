package operatorfn

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/sandbox/aggregator"
	"aviso/internal/sandbox/sandboxdb"
	"aviso/localstack/tests/testenv"
)

// aggregated starts the sandbox's aggregator, registers a key with it, and returns the
// event of import-aspsps with its address.
func (c *console) aggregated() json.RawMessage {
	c.Helper()
	store := sandboxdb.New(testenv.DynamoDB(c), testenv.Table(c, "SandboxTable"), time.Now)
	server := httptest.NewServer(aggregator.New(aggregator.Options{
		Store: store, Now: time.Now, NewID: uuid.NewString, Log: slog.New(slog.DiscardHandler),
	}))
	c.Cleanup(server.Close)
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(c, err)
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	require.NoError(c, err)
	app := aggregator.Application{ID: uuid.NewString(), PublicKey: public, Registered: time.Now()}
	require.NoError(c, aggregator.Register(c.Context(), store, app))
	secret, err := json.Marshal(map[string]string{"applicationId": app.ID, "privateKey": string(pem.EncodeToMemory(
		&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))})
	require.NoError(c, err)
	client := secretsmanager.NewFromConfig(testenv.Config(c.env["AWS_ENDPOINT_URL_SECRETS_MANAGER"]))
	_, err = client.CreateSecret(c.Context(), &secretsmanager.CreateSecretInput{
		Name: new("aviso/local/banks/" + c.member("import-aspsps", "secret")), SecretString: new(string(secret)),
	})
	require.NoError(c, err)
	event, err := json.Marshal(map[string]any{
		"command": "import-aspsps", "secret": c.member("import-aspsps", "secret"),
		"baseUrl": server.URL + aggregator.Path,
	})
	require.NoError(c, err)
	return event
}

func TestImportASPSPs(t *testing.T) { // not beside others: it takes the log
	c := newConsole(t)
	event := string(c.aggregated())
	store := pfmdb.New(c.db, c.env["PFM_TABLE"], c.env["OUTBOX_TABLE"], time.Now, uuid.NewString)
	own := pfm.Provider{ID: uuid.NewString(), CountryCode: "DE", Name: "Our own", Status: pfm.ProviderActive}
	require.NoError(t, store.PutProvider(t.Context(), own))

	answer := c.call(event)
	assert.InDelta(t, 2, answer["new"], 0)
	first, err := store.Provider(t.Context(), answer["newIds"].([]any)[0].(string))
	require.NoError(t, err)
	assert.Equal(t, "Silbertal Bank", first.Endpoint.ASPSP.Name)
	answer = c.call(event)
	assert.InDelta(t, 2, answer["unchanged"], 0, "again changes nothing")
	assert.InDelta(t, 0, answer["new"], 0)

	gone := first
	gone.ID, gone.Name = uuid.NewString(), "Renamed Bank"
	require.NoError(t, store.PutProvider(t.Context(), gone))
	assert.Equal(t, []any{gone.ID}, c.call(event)["retiredIds"])
	found, err := store.Provider(t.Context(), gone.ID)
	require.NoError(t, err)
	assert.Equal(t, pfm.ProviderInactive, found.Status)
	found, err = store.Provider(t.Context(), own.ID)
	require.NoError(t, err)
	assert.Equal(t, pfm.ProviderActive, found.Status, "the aggregator does not list it")

	t.Run("without the key", func(t *testing.T) {
		assert.Contains(t, c.refused(`{"command":"import-aspsps","secret":"missing"}`), "the application's secret cannot be read")
	})
	t.Run("only the sandbox has another address", func(t *testing.T) {
		c.env["ENVIRONMENT"] = "production"
		handler, err := New(t.Context(), func(name string) string { return c.env[name] })
		require.NoError(t, err)
		c.handler = handler
		assert.Contains(t, c.refused(event), "baseUrl is only for the environments local and test.")
	})
}

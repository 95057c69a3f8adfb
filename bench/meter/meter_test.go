package meter_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/bench/meter"
)

func TestMeter(t *testing.T) {
	t.Parallel()
	var asked []string
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = append(asked, string(body))
		switch r.Header.Get("X-Amz-Target") {
		case "DynamoDB_20120810.Query":
			_, _ = io.WriteString(w, `{"ConsumedCapacity":{"CapacityUnits":2.5}}`)
		case "DynamoDB_20120810.TransactWriteItems":
			_, _ = io.WriteString(w, `{"ConsumedCapacity":[{"CapacityUnits":4},{"CapacityUnits":2}]}`)
		default:
			_, _ = io.WriteString(w, `{}`)
		}
	}))
	defer upstream.Close()
	file := filepath.Join(t.TempDir(), "certificate.pem")
	m, err := meter.Start(map[string]string{"DYNAMODB": upstream.URL}, file)
	require.NoError(t, err)
	defer m.Stop()
	trusted, err := os.ReadFile(file)
	require.NoError(t, err)
	pool := x509.NewCertPool()
	require.True(t, pool.AppendCertsFromPEM(trusted))
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	defer client.CloseIdleConnections()
	call := func(target, body string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, m.Endpoints["DYNAMODB"], strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("X-Amz-Target", target)
		res, err := client.Do(req)
		require.NoError(t, err)
		_, _ = io.Copy(io.Discard, res.Body)
		require.NoError(t, res.Body.Close())
	}

	call("DynamoDB_20120810.Query", `{"TableName":"t"}`)
	call("DynamoDB_20120810.TransactWriteItems", `{"TransactItems":[]}`)
	before := m.Read()
	call("AmazonSQS.SendMessage", `{"QueueUrl":"q"}`)
	assert.Equal(t, meter.Reading{Calls: 2, ReadUnits: 2.5, WriteUnits: 6, Handshakes: 1}, before)
	assert.Equal(t, meter.Reading{Calls: 1}, m.Read().Less(before), "over the same connection")
	assert.Equal(t, []string{
		`{"ReturnConsumedCapacity":"TOTAL","TableName":"t"}`, `{"ReturnConsumedCapacity":"TOTAL","TransactItems":[]}`, `{"QueueUrl":"q"}`,
	}, asked)
}

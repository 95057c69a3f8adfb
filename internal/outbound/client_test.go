package outbound_test

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outbound"
)

func TestTimeouts(t *testing.T) {
	defaults := outbound.Timeouts{Connect: 1, Header: 2, Total: 3}
	assert.Equal(t, defaults, outbound.Timeouts{}.Or(defaults))
	assert.Equal(t, outbound.Timeouts{Connect: 9, Header: 2, Total: 3}, outbound.Timeouts{Connect: 9, Header: -1}.Or(defaults))
}

func TestARedirectIsNotFollowed(t *testing.T) {
	server := httptest.NewServer(http.RedirectHandler("/elsewhere", http.StatusFound))
	defer server.Close()
	resp, err := outbound.NewClient(outbound.NewTransport(outbound.Timeouts{Connect: time.Second, Header: time.Second}, nil)).Get(
		server.URL,
	)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	assert.Equal(t, http.StatusFound, resp.StatusCode)
}

func TestTransport(t *testing.T) {
	assert.Nil(t, outbound.NewTransport(outbound.Timeouts{}, nil).Proxy)
	assert.Equal(t, uint16(tls.VersionTLS12), outbound.NewTransport(outbound.Timeouts{}, nil).TLSClientConfig.MinVersion)
}

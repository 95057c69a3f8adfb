package outbound_test

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
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
	transport := outbound.NewTransport(outbound.Timeouts{Connect: time.Second, Header: time.Second}, nil)
	resp, err := outbound.NewClient(transport, time.Now).Get(server.URL)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	assert.Equal(t, http.StatusFound, resp.StatusCode)
}

// In production nobody's clock can be moved.
func TestTheTimeOfAUserIsToldOnlyIfItIsNotReal(t *testing.T) {
	var told []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		told = append(told, r.Header.Values(clock.Header)...)
	}))
	defer server.Close()
	client := outbound.NewClient(http.DefaultTransport, func() time.Time { return time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC) })
	for _, s := range []clock.Setting{{}, {Ahead: time.Hour}} {
		req, err := http.NewRequestWithContext(clock.With(t.Context(), s), http.MethodGet, server.URL, nil)
		require.NoError(t, err)
		resp, err := client.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Empty(t, req.Header)
	}
	assert.Equal(t, []string{"2026-03-02T13:00:00.000Z"}, told)
}

func TestTransport(t *testing.T) {
	assert.Nil(t, outbound.NewTransport(outbound.Timeouts{}, nil).Proxy)
	assert.Equal(t, uint16(tls.VersionTLS12), outbound.NewTransport(outbound.Timeouts{}, nil).TLSClientConfig.MinVersion)
}

package carrier

import (
	"compress/gzip"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/dispatch"
	"aviso/internal/outbound"
)

// sendTo sends a fax to the given server. A fax is the only letter that takes a
// single call.
func sendTo(t *testing.T, base string, edit ...func(*FaxOptions)) error {
	t.Helper()
	o := faxOptions(base, newClock().now)
	for _, e := range edit {
		e(&o)
	}
	f, err := NewFax(o)
	require.NoError(t, err)
	_, err = f.Send(t.Context(), faxShipment())
	return err
}

func serving(t *testing.T, serve http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(serve)
	t.Cleanup(server.Close)
	return server.URL
}

func TestSlowCarriers(t *testing.T) {
	for name, answer := range map[string]roundTrip{
		"a response that never begins": func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		},
		"a response that never ends": func(r *http.Request) (*http.Response, error) {
			body, end := io.Pipe()
			context.AfterFunc(r.Context(), func() { _ = end.CloseWithError(r.Context().Err()) })
			return &http.Response{StatusCode: http.StatusOK, Body: body}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				err := sendTo(t, "https://fax.example", func(o *FaxOptions) { o.Transport = answer })
				assert.ErrorIs(t, requireFailure(t, err, dispatch.CarrierUnclear), context.DeadlineExceeded)
			})
		})
	}
	t.Run("an endless TLS handshake", func(t *testing.T) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		t.Cleanup(func() { _ = listener.Close() })
		err = sendTo(t, "https://"+listener.Addr().String(), func(o *FaxOptions) {
			o.Transport = outbound.NewTransport(outbound.Timeouts{Connect: 50 * time.Millisecond}, nil)
		})
		assert.ErrorIs(t, requireFailure(t, err, dispatch.CarrierUnclear), context.DeadlineExceeded)
	})
}

func TestUnreachableCarrier(t *testing.T) {
	t.Run("connection refused", func(t *testing.T) {
		err := sendTo(t, "http://"+closedPort(t))
		assert.ErrorIs(t, requireFailure(t, err, dispatch.CarrierBusy), errNoConnection)
	})
	t.Run("no such host", func(t *testing.T) {
		err := sendTo(t, "https://fax.invalid", func(o *FaxOptions) {
			o.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
				return nil, &net.DNSError{Err: "no such host", Name: "fax.invalid", IsNotFound: true}
			})
		})
		assert.ErrorIs(t, requireFailure(t, err, dispatch.CarrierBusy), errNoSuchHost)
	})
	t.Run("untrusted certificate", func(t *testing.T) {
		server := httptest.NewUnstartedServer(http.NotFoundHandler())
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		server.StartTLS()
		t.Cleanup(server.Close)
		assert.ErrorIs(t, requireFailure(t, sendTo(t, server.URL), dispatch.CarrierBusy), errUntrusted)
	})
	t.Run("not HTTP", func(t *testing.T) {
		base := serving(t, func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			assert.NoError(t, err)
			_, _ = conn.Write([]byte("Erika Mustermann\r\n\r\n"))
			_ = conn.Close()
		})
		assert.ErrorIs(t, requireFailure(t, sendTo(t, base), dispatch.CarrierUnclear), errBroken)
	})
}

func TestHugeResponses(t *testing.T) {
	for name, write := range map[string]func(w http.ResponseWriter, body string){
		"plain": func(w http.ResponseWriter, body string) { _, _ = w.Write([]byte(body)) },
		"compressed": func(w http.ResponseWriter, body string) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = z.Write([]byte(body))
			_ = z.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			base := serving(t, func(w http.ResponseWriter, _ *http.Request) {
				write(w, `{"id":"01HDF","x":"`+strings.Repeat("x", maxResponse)+`"}`)
			})
			assert.ErrorIs(t, requireFailure(t, sendTo(t, base), dispatch.CarrierUnclear), errTooLarge)
		})
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	followed := false
	elsewhere := serving(t, func(http.ResponseWriter, *http.Request) { followed = true })
	base := serving(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere, http.StatusTemporaryRedirect)
	})
	requireFailure(t, sendTo(t, base), dispatch.CarrierBusy)
	assert.False(t, followed)
}

func TestCallsAreLogged(t *testing.T) {
	clock, calls := newClock(), loggedCalls(t)
	edit := func(o *FaxOptions) {
		o.Now = func() time.Time { clock.pass(time.Second); return clock.now() }
	}
	base := serving(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	require.Error(t, sendTo(t, base, edit))
	require.Error(t, sendTo(t, "http://"+closedPort(t), edit))
	assert.Equal(t, []loggedCall{{"send fax", http.StatusTeapot, 1000}, {"send fax", 0, 1000}}, calls())
}

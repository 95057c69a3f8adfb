package xs2a

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outbound"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// readFrom reads a consent from a bank served by h.
func readFrom(t *testing.T, h http.HandlerFunc, edit ...func(*Options)) (pfm.Consent, error) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return client(edit...).Consent(t.Context(), pfm.BankEndpoint{BaseURL: server.URL}, pfm.Session{ConsentID: "c"})
}

func TestResponseMustBeJSON(t *testing.T) {
	for _, contentType := range []string{
		"application/json", "application/json; charset=UTF-8", "Application/JSON", "application/hal+json", "text/plain",
		"text/html; charset=utf-8", "json", ";",
	} {
		t.Run(contentType, func(t *testing.T) {
			read := func(body string) error {
				_, err := readFrom(t, func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", contentType)
					_, _ = w.Write([]byte(body))
				})
				return err
			}
			require.NoError(t, read(`{"consentStatus":"valid"}`), "JSON is JSON, whatever the bank calls it")
			assert.NoError(t, read("\ufeff \n"+`{"consentStatus":"valid"}`))
			err := requireKind(t, read(`<html>`), pfm.SupplierInvalidResponse)
			assert.ErrorIs(t, err, bankwire.ErrNotJSON)
		})
	}

	t.Run("an empty response is invalid", func(t *testing.T) {
		_, err := readFrom(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
		requireKind(t, err, pfm.SupplierInvalidResponse)
	})
}

func TestResponseSize(t *testing.T) {
	padded := func(n int) []byte {
		const start, end = `{"consentStatus":"valid","x":"`, `"}`
		return []byte(start + strings.Repeat("x", n-len(start)-len(end)) + end)
	}
	zipped := func(b []byte) []byte {
		var z bytes.Buffer
		w := gzip.NewWriter(&z)
		_ = must(w.Write(b))
		require.NoError(t, w.Close())
		return z.Bytes()
	}
	for name, tt := range map[string]struct {
		body     []byte
		encoding string
		kind     pfm.SupplierErrorKind
		cause    error
	}{
		"the maximum size is read":      {body: padded(bankwire.MaxResponse)},
		"one byte more is rejected":     {padded(bankwire.MaxResponse + 1), "", pfm.SupplierInvalidResponse, bankwire.ErrTooLarge},
		"a compressed response is read": {body: zipped(padded(100)), encoding: "gzip"},
		"a decompression bomb is cut":   {zipped(padded(bankwire.MaxResponse + 1)), "gzip", pfm.SupplierInvalidResponse, bankwire.ErrTooLarge},
		"false compression is rejected": {padded(100), "gzip", pfm.SupplierInvalidResponse, bankwire.ErrUnpacking},
		"truncated gzip is rejected":    {zipped(padded(100))[:30], "gzip", pfm.SupplierUnavailable, bankwire.ErrBroken},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readFrom(t, func(w http.ResponseWriter, r *http.Request) {
				assert.Equal(t, "gzip", r.Header.Get("Accept-Encoding"))
				w.Header().Set("Content-Type", "application/json")
				if tt.encoding != "" {
					w.Header().Set("Content-Encoding", tt.encoding)
				}
				_, _ = w.Write(tt.body)
			})
			if tt.kind == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorIs(t, requireKind(t, err, tt.kind), tt.cause)
			}
		})
	}
}

func TestRedirectIsNotFollowed(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the redirect was followed")
	}))
	t.Cleanup(elsewhere.Close)

	_, err := readFrom(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	})

	assert.Equal(t, http.StatusTemporaryRedirect, requireKind(t, err, pfm.SupplierInvalidResponse).Status)
}

func TestSlowBank(t *testing.T) {
	const short = 30 * time.Millisecond
	// hang keeps the call open until the client gives up.
	hang := func(r *http.Request) { <-r.Context().Done() }
	for name, tt := range map[string]struct {
		timeouts outbound.Timeouts
		serve    http.HandlerFunc
	}{
		"a response that does not begin": {outbound.Timeouts{Header: short}, func(_ http.ResponseWriter, r *http.Request) { hang(r) }},
		"a response that does not end": {outbound.Timeouts{Total: short}, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"consentStatus":`))
			w.(http.Flusher).Flush()
			hang(r)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readFrom(t, tt.serve, func(o *Options) { o.Timeouts = tt.timeouts })

			assert.ErrorIs(t, requireKind(t, err, pfm.SupplierUnavailable), context.DeadlineExceeded)
		})
	}

	t.Run("a TLS handshake that does not end", func(t *testing.T) {
		listener := must(net.Listen("tcp", "127.0.0.1:0"))
		t.Cleanup(func() { _ = listener.Close() })

		_, err := client(func(o *Options) { o.Timeouts = outbound.Timeouts{Connect: short} }).
			Consent(t.Context(), pfm.BankEndpoint{BaseURL: "https://" + listener.Addr().String()}, pfm.Session{ConsentID: "c"})

		assert.ErrorIs(t, requireKind(t, err, pfm.SupplierUnavailable), context.DeadlineExceeded)
	})

	t.Run("the caller gives up", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			cancel()
			hang(r)
		}))
		t.Cleanup(server.Close)

		_, err := client().Consent(ctx, pfm.BankEndpoint{BaseURL: server.URL}, pfm.Session{ConsentID: "c"})

		assert.ErrorIs(t, requireKind(t, err, pfm.SupplierUnavailable), context.Canceled)
	})
}

func TestUnreachableBank(t *testing.T) {
	closed := httptest.NewServer(nil)
	closed.Close()
	hangUp := func(w http.ResponseWriter, raw string) {
		conn, _, err := w.(http.Hijacker).Hijack()
		assert.NoError(t, err)
		_, _ = conn.Write([]byte(raw))
		_ = conn.Close()
	}
	check := func(t *testing.T, err error, cause error) {
		e := requireKind(t, err, pfm.SupplierUnavailable)
		assert.ErrorIs(t, e, cause)
		assert.True(t, e.Temporary())
		assert.Equal(t, "bank: read consent: SupplierUnavailable: "+cause.Error(), err.Error())
	}

	t.Run("no server", func(t *testing.T) {
		_, err := client().Consent(t.Context(), pfm.BankEndpoint{BaseURL: closed.URL}, pfm.Session{ConsentID: "c"})
		check(t, err, bankwire.ErrNoConnection)
	})
	t.Run("no such host", func(t *testing.T) {
		_, err := client(func(o *Options) {
			o.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
				return nil, &net.DNSError{Err: "no such host", Name: "bank.invalid", IsNotFound: true}
			})
		}).Consent(t.Context(), pfm.BankEndpoint{BaseURL: "https://bank.invalid"}, pfm.Session{ConsentID: "c"})
		check(t, err, bankwire.ErrNoSuchHost)
	})
	t.Run("the bank closes the connection", func(t *testing.T) {
		_, err := readFrom(t, func(w http.ResponseWriter, _ *http.Request) { hangUp(w, "") })
		check(t, err, bankwire.ErrBroken)
	})
	t.Run("the bank does not speak HTTP", func(t *testing.T) {
		_, err := readFrom(t, func(w http.ResponseWriter, _ *http.Request) { hangUp(w, "Erika Mustermann\r\n\r\n") })
		check(t, err, bankwire.ErrBroken)
	})
	t.Run("the bank closes the connection within the body", func(t *testing.T) {
		_, err := readFrom(t, func(w http.ResponseWriter, _ *http.Request) {
			hangUp(w, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{")
		})
		check(t, err, bankwire.ErrBroken)
	})
	t.Run("the bank's certificate is not trusted", func(t *testing.T) {
		server := httptest.NewUnstartedServer(nil)
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		server.StartTLS()
		t.Cleanup(server.Close)
		_, err := client().Consent(t.Context(), pfm.BankEndpoint{BaseURL: server.URL}, pfm.Session{ConsentID: "c"})
		check(t, err, bankwire.ErrHandshake)
	})
	t.Run("the bank does not speak TLS", func(t *testing.T) {
		server := httptest.NewServer(nil)
		t.Cleanup(server.Close)
		at := pfm.BankEndpoint{BaseURL: "https" + strings.TrimPrefix(server.URL, "http")}
		_, err := client().Consent(t.Context(), at, pfm.Session{ConsentID: "c"})
		// net/http reports this with its own text, without a type.
		check(t, err, bankwire.ErrBroken)
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestRejectsBadEndpointBeforeAnyCall(t *testing.T) {
	for _, base := range []string{
		"", "bank.example", "ftp://bank.example", "https://u:p@bank.example", "https://", "https://b.example?x=1",
		"https://b.example#x", ":",
	} {
		_, err := client().Consent(t.Context(), pfm.BankEndpoint{BaseURL: base}, pfm.Session{ConsentID: "c"})
		assert.ErrorIs(t, requireKind(t, err, pfm.SupplierRejected), errBadEndpoint, base)
	}
}

func TestObserve(t *testing.T) {
	var calls []bankwire.Call
	clock := testNow
	edit := func(o *Options) {
		ids := []string{"9f6d1c0e-0000-4000-8000-000000000001", "9f6d1c0e-0000-4000-8000-000000000002"}
		o.NewRequestID = func() string { id := ids[0]; ids = ids[1:]; return id }
		o.Now = func() time.Time { clock = clock.Add(time.Second); return clock }
		o.Observe = func(ctx context.Context, c bankwire.Call) {
			assert.NotNil(t, ctx)
			calls = append(calls, c)
		}
	}

	t.Run("is called after a response", func(t *testing.T) {
		p := newPeer(t).on("GET /v1/consents/c", 500, "")
		calls = nil
		_, err := client(edit).Consent(t.Context(), p.bank, pfm.Session{ConsentID: "c"})
		require.Error(t, err)
		assert.Equal(t, []bankwire.Call{{
			Operation: "read consent", RequestID: "9f6d1c0e-0000-4000-8000-000000000001", Status: 500, Duration: time.Second,
		}}, calls)
		assert.Equal(t, calls[0].RequestID, p.calls[0].header.Get("X-Request-ID"))
	})

	t.Run("is called if there was no response", func(t *testing.T) {
		closed := httptest.NewServer(nil)
		closed.Close()
		calls = nil
		_, err := client(edit).Consent(t.Context(), pfm.BankEndpoint{BaseURL: closed.URL}, pfm.Session{ConsentID: "c"})
		require.Error(t, err)
		require.Len(t, calls, 1)
		assert.Zero(t, calls[0].Status)
	})
}

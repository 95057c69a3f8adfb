package webhook

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/notification"
)

// authority issues certificates.
type authority struct {
	t    *testing.T
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
	pool *x509.CertPool
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Test root"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign, NotBefore: time.Unix(0, 0), NotAfter: time.Now().Add(24 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	cert, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(cert)
	return &authority{t: t, key: key, cert: cert, pool: pool}
}

// server returns a server configuration with a certificate for host.
func (a *authority) server(host string, from, until time.Time) *tls.Config {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), DNSNames: []string{host}, NotBefore: from, NotAfter: until,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &a.key.PublicKey, a.key)
	require.NoError(a.t, err)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: a.key}}, MinVersion: tls.VersionTLS10}
}

func TestTLS(t *testing.T) {
	ca := newAuthority(t)
	hour := time.Hour
	valid := func() *tls.Config { return ca.server("partner.example", time.Now().Add(-hour), time.Now().Add(hour)) }
	with := func(change func(*tls.Config)) *tls.Config {
		conf := valid()
		change(conf)
		return conf
	}
	const handshake = "the TLS handshake failed; TLS 1.2 or 1.3 is required"
	for name, tt := range map[string]struct {
		server *tls.Config
		detail string
	}{
		"TLS 1.3":           {valid(), ""},
		"TLS 1.2":           {with(func(c *tls.Config) { c.MaxVersion = tls.VersionTLS12 }), ""},
		"TLS 1.1":           {with(func(c *tls.Config) { c.MaxVersion = tls.VersionTLS11 }), handshake},
		"TLS 1.0":           {with(func(c *tls.Config) { c.MaxVersion = tls.VersionTLS10 }), handshake},
		"expired":           {ca.server("partner.example", time.Now().Add(-2*hour), time.Now().Add(-hour)), "the certificate has expired or is not valid yet"},
		"not yet valid":     {ca.server("partner.example", time.Now().Add(hour), time.Now().Add(2*hour)), "the certificate has expired or is not valid yet"},
		"another host":      {ca.server("other.example", time.Now().Add(-hour), time.Now().Add(hour)), "the certificate is for another host"},
		"unknown authority": {newAuthority(t).server("partner.example", time.Now().Add(-hour), time.Now().Add(hour)), "the certificate is not from a known authority, or an intermediate certificate is missing"},
		"no common suite": {with(func(c *tls.Config) {
			c.MaxVersion, c.CipherSuites = tls.VersionTLS12, []uint16{tls.TLS_RSA_WITH_RC4_128_SHA}
		}), handshake},
		"client certificate required in TLS 1.2": {with(func(c *tls.Config) { c.MaxVersion, c.ClientAuth = tls.VersionTLS12, tls.RequireAnyClientCert }), handshake},
		"client certificate required in TLS 1.3": {with(func(c *tls.Config) { c.ClientAuth = tls.RequireAnyClientCert }), "the receiver closed the TLS connection with an alert"},
	} {
		t.Run(name, func(t *testing.T) {
			dialer := to(listen(t, func(conn net.Conn) {
				secure := tls.Server(conn, tt.server)
				if _, _, err := readRequest(secure); err == nil {
					_, _ = io.WriteString(secure, okAnswer)
				}
				_, _ = io.Copy(io.Discard, conn) // a reset would swallow the alert
			}))
			c := New(Options{Stage: config.Production, Now: time.Now, Resolver: leadsTo("93.184.216.34"), Dialer: dialer, RootCAs: ca.pool})

			got := c.Call(t.Context(), callTo("https://partner.example/"))

			assert.Equal(t, tt.detail, got.Detail)
			if tt.detail == "" {
				assert.Equal(t, notification.OutcomeAcknowledged, got.Outcome)
				assert.Equal(t, []string{"93.184.216.34:443"}, dialer.dialled)
			} else {
				assert.Equal(t, notification.OutcomeTLSError, got.Outcome)
				assert.Zero(t, got.HTTPStatus)
			}
		})
	}

	t.Run("with a receiver that does not speak TLS", func(t *testing.T) {
		for name, tt := range map[string]struct{ says, detail string }{
			"HTTP":    {"HTTP/1.1 400 Bad Request\r\n\r\n", "the receiver does not speak TLS on this port"},
			"nothing": {"", handshake},
		} {
			c := New(Options{Stage: config.Local, Now: time.Now})
			got := c.Call(t.Context(), callTo("https://"+listen(t, func(conn net.Conn) {
				_, _ = io.WriteString(conn, tt.says)
				_ = conn.(*net.TCPConn).CloseWrite()
				_, _ = io.Copy(io.Discard, conn)
			})))
			assert.Equal(t, notification.OutcomeTLSError, got.Outcome, name)
			assert.Equal(t, tt.detail, got.Detail, name)
		}
	})
}

func TestCallSpeaksHTTP1ToServersOfBoth(t *testing.T) {
	protocol := make(chan string, 1)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		protocol <- r.Proto
		_, _ = io.WriteString(w, ack)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	pool := x509.NewCertPool()
	pool.AddCert(server.Certificate())

	got := New(Options{Stage: config.Local, Now: time.Now, RootCAs: pool}).Call(t.Context(), callTo(server.URL))

	assert.Equal(t, notification.OutcomeAcknowledged, got.Outcome, got.Detail)
	assert.Equal(t, "HTTP/1.1", <-protocol)
}

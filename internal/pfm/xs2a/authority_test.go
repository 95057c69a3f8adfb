package xs2a

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
)

// authority issues certificates for TPPs.
type authority struct {
	t    *testing.T
	name string
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
}

func ellipticKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	return must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
}

func newAuthority(t *testing.T, name string) *authority {
	t.Helper()
	a := &authority{t: t, name: name, key: ellipticKey(t)}
	a.cert = a.sign(&x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{Country: []string{"DE"}, Organization: []string{"Trust, Inc."}, CommonName: name},
		NotBefore: testNow.AddDate(-1, 0, 0), NotAfter: testNow.AddDate(10, 0, 0), IsCA: true, BasicConstraintsValid: true,
	}, a.key.Public())
	return a
}

func (a *authority) sign(template *x509.Certificate, public crypto.PublicKey) *x509.Certificate {
	parent := a.cert
	if parent == nil {
		parent = template
	}
	return must(x509.ParseCertificate(must(x509.CreateCertificate(rand.Reader, template, parent, public, a.key))))
}

// issued is a certificate in the form of a secret.
type issued struct {
	cert *x509.Certificate
	text string
}

// issue issues a certificate for key that expires at until, with these roots.
func (a *authority) issue(serial int64, key crypto.Signer, until time.Time, roots ...*x509.Certificate) issued {
	a.t.Helper()
	cert := a.sign(&x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "Aviso"}, NotBefore: testNow.AddDate(0, -1, 0), NotAfter: until,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}, key.Public())
	return issued{cert, secretText(a.t, []*x509.Certificate{cert}, key, roots)}
}

func secretText(t *testing.T, chain []*x509.Certificate, key crypto.Signer, roots []*x509.Certificate) string {
	t.Helper()
	blocks := func(kind string, list ...[]byte) string {
		text := ""
		for _, der := range list {
			text += string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
		}
		return text
	}
	der := func(certs []*x509.Certificate) (raw [][]byte) {
		for _, c := range certs {
			raw = append(raw, c.Raw)
		}
		return raw
	}
	text, err := json.Marshal(map[string]string{
		"certificate": blocks("CERTIFICATE", der(chain)...),
		"key":         blocks("PRIVATE KEY", must(x509.MarshalPKCS8PrivateKey(key))),
		"roots":       blocks("CERTIFICATE", der(roots)...),
	})
	require.NoError(t, err)
	return string(text)
}

// vault stores secrets and counts how often they are read.
type vault struct {
	mu     sync.Mutex
	texts  map[string]string
	broken error
	reads  int
	hold   chan struct{} // if set, reads wait for it
}

func (v *vault) Secret(ctx context.Context, name string) (string, error) {
	v.mu.Lock()
	v.reads++
	hold := v.hold
	v.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	text, ok := v.texts[name]
	switch {
	case v.broken != nil:
		return "", v.broken
	case !ok:
		return "", ErrNoSecret
	}
	return text, nil
}

func (v *vault) put(name, text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.texts == nil {
		v.texts = map[string]string{}
	}
	v.texts[name] = text
}

func (v *vault) fail(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.broken = err
}

func (v *vault) count() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.reads
}

var errAway = errors.New("Secrets Manager quotes -----BEGIN PRIVATE KEY-----")

// tlsBank is a bank that requires a certificate from the authority. It records which
// one it got on which connection.
type tlsBank struct {
	*httptest.Server
	roots []*x509.Certificate

	mu    sync.Mutex
	shown []shown
}

type shown struct{ serial, from string }

func newTLSBank(t *testing.T, trusted *authority, version uint16) *tlsBank {
	t.Helper()
	b := &tlsBank{}
	clients := x509.NewCertPool()
	clients.AddCert(trusted.cert)
	b.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		b.shown = append(b.shown, shown{r.TLS.PeerCertificates[0].SerialNumber.String(), r.RemoteAddr})
		b.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_, err := io.WriteString(w, `{"consentStatus":"valid"}`)
		assert.NoError(t, err)
	}))
	b.Config.ErrorLog = log.New(io.Discard, "", 0)
	b.TLS = &tls.Config{
		ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: clients, MinVersion: tls.VersionTLS12, MaxVersion: version,
		Time: func() time.Time { return testNow },
	}
	b.StartTLS()
	t.Cleanup(b.Close)
	b.roots = []*x509.Certificate{b.Certificate()}
	return b
}

func (b *tlsBank) seen() []shown {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]shown{}, b.shown...)
}

func (b *tlsBank) endpoint(transport string) pfm.BankEndpoint {
	return pfm.BankEndpoint{BaseURL: b.URL, TransportSecret: transport}
}

func rsaKey(t *testing.T) *rsa.PrivateKey {
	t.Helper()
	return must(rsa.GenerateKey(rand.Reader, 2048))
}

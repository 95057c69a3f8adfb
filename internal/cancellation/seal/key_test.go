package seal_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/seal"
)

const root = "a root of evidence with enough characters"

func TestSign(t *testing.T) {
	t.Parallel()
	key, err := seal.DeriveKey(root)
	require.NoError(t, err)
	content := []byte(`{"a":1}`)
	signature, err := key.Sign(content)
	require.NoError(t, err)

	// Judged by a library.
	parsed, err := jose.ParseDetached(string(signature), content, []jose.SignatureAlgorithm{jose.ES256})
	require.NoError(t, err)
	_, err = parsed.Verify(key.Public())
	require.NoError(t, err)
	assert.Equal(t, key.ID, parsed.Signatures[0].Protected.KeyID)
	other, err := seal.DeriveKey(root + "!")
	require.NoError(t, err)
	_, err = parsed.Verify(other.Public())
	require.Error(t, err)
	assert.Equal(t, "evidence-", key.ID[:9])
}

func TestCertificates(t *testing.T) {
	t.Parallel()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	require.NoError(t, err)
	certificate, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	key, err := seal.NewKey(private, certificate)
	require.NoError(t, err)
	assert.Equal(t, []*x509.Certificate{certificate}, key.Public().Certificates)
	signature, err := key.Sign([]byte("x"))
	require.NoError(t, err)
	parsed, err := jose.ParseDetached(string(signature), []byte("x"), []jose.SignatureAlgorithm{jose.ES256})
	require.NoError(t, err)
	roots := x509.NewCertPool()
	roots.AddCert(certificate)
	chains, err := parsed.Signatures[0].Protected.Certificates(x509.VerifyOptions{
		Roots: roots, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	require.NoError(t, err)
	assert.Len(t, chains, 1)

	another, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	_, err = seal.NewKey(another, certificate)
	require.Error(t, err)
}

// issue returns a certificate in PEM, its key in PEM, and both to issue others with.
func issue(t *testing.T, curve elliptic.Curve, change func(*x509.Certificate), by *x509.Certificate, byKey *ecdsa.PrivateKey) (
	string, string, *x509.Certificate, *ecdsa.PrivateKey,
) {
	t.Helper()
	private, err := ecdsa.GenerateKey(curve, rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: t.Name()}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature,
	}
	if by == nil {
		template.IsCA, template.BasicConstraintsValid, template.KeyUsage = true, true, x509.KeyUsageCertSign
		by, byKey = template, private
	}
	if change != nil {
		change(template)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, by, private.Public(), byKey)
	require.NoError(t, err)
	certificate, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})), certificate, private
}

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func TestRead(t *testing.T) {
	t.Parallel()
	root, rootKey, authority, authorityKey := issue(t, elliptic.P256(), nil, nil, nil)
	leaf, key, certificate, _ := issue(t, elliptic.P256(), nil, authority, authorityKey)
	over := func(c *x509.Certificate) { c.NotAfter = now.Add(-time.Minute) }
	early := func(c *x509.Certificate) { c.NotBefore = now.Add(time.Minute) }
	expired, expiredKey, _, _ := issue(t, elliptic.P256(), over, authority, authorityKey)
	later, laterKey, _, _ := issue(t, elliptic.P256(), early, authority, authorityKey)
	large, largeKey, _, _ := issue(t, elliptic.P384(), nil, authority, authorityKey)
	another, _, _, _ := issue(t, elliptic.P256(), nil, nil, nil)
	secret := func(certificate, key string) string {
		text, err := json.Marshal(map[string]string{"certificate": certificate, "key": key})
		require.NoError(t, err)
		return string(text)
	}

	read, err := seal.ReadKey(secret(leaf+root, key), now)
	require.NoError(t, err)
	assert.Equal(t, []*x509.Certificate{certificate, authority}, read.Public().Certificates)
	set, err := json.Marshal(read.Public())
	require.NoError(t, err)
	assert.Contains(t, string(set), `"x5c":["`+base64.StdEncoding.EncodeToString(certificate.Raw))

	for want, text := range map[string]string{
		"is not a JSON object":     "text",
		"with certificate and key": secret(leaf, ""),
		"do not match":             secret(leaf+root, rootKey),
		"are not PEM":              secret("certificate", key),
		"certificate 1 of the chain is valid from 2026-11-20 to 2026-11-20 only": secret(expired, expiredKey),
		"valid from":                     secret(later+root, laterKey),
		"the curve P-256":                secret(large, largeKey),
		"was not issued by the next one": secret(leaf+another, key),
		"does not allow signatures":      secret(root, rootKey),
	} {
		_, err := seal.ReadKey(text, now)
		assert.ErrorContains(t, err, want)
	}
}
